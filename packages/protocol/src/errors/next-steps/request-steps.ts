import type { ErrorCode } from '../error-codes.ts'
import { everywhere, FIRST_PAGE, type NextSteps, UPDATE } from './sentences.ts'

/** The tool is named next to the route, because other adapters pass the sentence to agents unchanged. */
const SEE_SCHEMA = 'Call GET /v1/schema?stream=<stream> (the schema tool) for the names that are valid here.'

const LISTS_FIELDS = '`pdpp read schema <stream>` lists the fields.'

const START_AGAIN = 'Start again from the application that wants to connect.'

const CORRECT: NextSteps = {
  rest: 'Correct the named parameter and send the request again.',
  tool: 'Correct the named argument and call again.',
  command: 'Correct the named option and run the command again.',
  console: 'Go back, correct what you entered and send it again.',
}

const ONE_STREAM: NextSteps = {
  rest: 'Call GET /v1/schema?view=compact (the schema tool without arguments) for the stream names.',
  tool: 'Call schema without arguments for the names, then schema(stream, connection_id, detail: "full").',
  command: 'Name a stream; `pdpp read streams` lists them.',
  console: 'Open the page again and choose a part.',
}

/** The next steps after requests that are invalid in themselves (400). */
export const REQUEST_STEPS = {
  invalid_request: CORRECT,
  invalid_argument: CORRECT,
  invalid_cursor: FIRST_PAGE,
  invalid_sort: {
    rest: SEE_SCHEMA,
    tool: 'Call schema with this stream: fields flagged s can be sorted by.',
    command: '`pdpp read schema <stream>` shows which fields can be sorted by.',
    console: 'Open the page again and choose another order.',
  },
  invalid_filter: {
    rest: SEE_SCHEMA,
    tool: 'Call schema with this stream: eq and r flags say which fields can be filtered, and how.',
    command: '`pdpp read schema <stream>` shows which fields can be filtered, and how.',
    console: 'Open the page again and choose another filter.',
  },
  invalid_expand: {
    rest: SEE_SCHEMA,
    tool: 'Call schema with this stream: it lists the relations that can be expanded, and their limits.',
    command: '`pdpp read schema <stream>` lists the relations that can be expanded.',
    console: 'Open the page again.',
  },
  invalid_field_path: {
    rest: SEE_SCHEMA,
    tool: 'Call schema with this stream for its field names.',
    command: LISTS_FIELDS,
    console: 'Open the item again and choose one of its fields.',
  },
  invalid_window: CORRECT,
  invalid_record: {
    ...everywhere('Correct the record so that it fits the schema of its stream.'),
    console: 'Correct the item so that it fits the fields of its part.',
  },
  invalid_record_identity: {
    ...everywhere('Give the record a key of 1 to 512 bytes that matches its primary key.'),
    console: 'Give the item a key of 1 to 512 bytes that matches its key field.',
  },
  invalid_authorization_details: {
    rest: 'Correct the named part of the request against GET /v1/schema.',
    tool: 'The owner has to connect this client again.',
    command: 'Correct the named part of the request and run the command again.',
    console: START_AGAIN,
  },
  invalid_client: {
    rest: 'Register the client again.',
    tool: 'The owner has to connect this client again.',
    command: 'Ask again with: {connect}',
    console: START_AGAIN,
  },
  invalid_client_metadata: {
    ...everywhere('Correct the named client metadata and register again.'),
    console: START_AGAIN,
  },
  invalid_status: CORRECT,
  conflicting_connection_id: {
    rest: 'Leave out connection_id: the id already names its source.',
    tool: 'Leave out connection_id: the id already names its source.',
    command: 'Leave out --connection: the id already names its source.',
    console: 'Open the item again from its list.',
  },
  unknown_field: {
    rest: SEE_SCHEMA,
    tool: 'Call schema with this stream for the fields that are valid here.',
    command: LISTS_FIELDS,
    console: 'Open the page again and choose one of its fields.',
  },
  unsupported_version: {
    ...UPDATE,
    rest: 'Leave out the PDPP-Version header, or send the version this server names.',
    console: 'Open the page again.',
  },
  connector_invalid: everywhere('Correct the named parts of the declaration and send it again.'),
  malformed_ndjson: everywhere('Send one JSON object per line.'),
  invalid_utf8: everywhere('Send the line as UTF-8.'),
  append_only_conflict: {
    ...everywhere('Give the changed record a new key: records of an append-only stream never change.'),
    console: 'Give the changed item a new key: items of this part never change.',
  },
  callback_not_allowed: everywhere(
    'Give an https address on the public internet, or leave out callback_url and poll for events.',
  ),
  unsupported_search_mode: {
    rest: 'Use GET /v1/search (the search tool) without mode, or with mode lexical: it searches by words.',
    tool: 'Call search without mode: it searches by words.',
    command: 'Leave out --mode: every server searches by words.',
    console: 'Search again by words.',
  },
} as const satisfies Partial<Record<ErrorCode, NextSteps>>

/** Errors whose text differs from the standard text of their code. */
export const REQUEST_REASONS = {
  invalid_request: { one_stream: ONE_STREAM },
  invalid_argument: {
    one_stream: ONE_STREAM,
    no_count: {
      ...everywhere('Leave out count.'),
      tool: 'Leave out count, or count with aggregate and a filter.',
    },
  },
  invalid_cursor: {
    changes: {
      rest: 'Use changes_since=now (from now on) or changes_since=beginning (everything first). To read since a time, filter by a time field.',
      tool: 'Use changes_since "now" (from now on) or "beginning" (everything first). To read since a time, filter by a time field.',
      command:
        'Use --changes-since beginning, or --since-last. To read since a time, filter by a time field with --where.',
      console: 'Open the list again from its first page.',
    },
  },
  invalid_expand: {
    no_relations: {
      rest: 'Leave out expand; GET /v1/schema (the schema tool) says which streams have relations.',
      // 004.5 requires that agents are told this route by name.
      tool: 'Leave out expand. GET /v1/schema (expand_capabilities), the schema tool here, says which streams have relations.',
      command: 'Leave out --expand; `pdpp read schema <stream>` lists the relations of a stream.',
      console: 'Open the page again.',
    },
  },
} as const satisfies Partial<Record<ErrorCode, Readonly<Record<string, NextSteps>>>>
