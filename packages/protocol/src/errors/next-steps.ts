import { type ErrorCode, isErrorCode } from './error-codes.ts'

/** One sentence for each surface: HTTP, an agent's tools, the `pdpp` command, and the owner's pages. */
export interface NextSteps {
  readonly rest: string
  readonly tool: string
  /** `{connect}` is the command that asks for access; the command line fills it in. */
  readonly command: string
  readonly console: string
}

export type ErrorSurface = keyof NextSteps

/** The same sentence on every surface. It must name no route, no tool and no flag. */
const everywhere = (sentence: string): NextSteps => ({
  rest: sentence,
  tool: sentence,
  command: sentence,
  console: sentence,
})

/** The tool is named next to the route, because other adapters pass the sentence on to agents as it is. */
const SEE_SCHEMA = 'Call GET /v1/schema?stream=<stream> (the schema tool) for the names that are valid here.'
const LISTS_FIELDS = '`pdpp read schema <stream>` lists the fields.'
const LISTS_READABLE_FIELDS =
  '`pdpp read schema <stream>` lists the fields that you may read. For more, ask again with: {connect}'
const LISTS_CONNECTIONS = '`pdpp read streams` lists the connections that you may read.'
const ASK_AGAIN = 'Ask the owner, or ask again with: {connect}'
const AGENT_PAGE = 'The page of this agent under Access shows what it may read.'
const START_AGAIN = 'Start again from the application that wants to connect.'
const UPDATE = { tool: 'The owner has to update the server or this adapter.', command: 'Update the server or `pdpp`.' }

const CORRECT: NextSteps = {
  rest: 'Correct the named parameter and send the request again.',
  tool: 'Correct the named argument and call again.',
  command: 'Correct the named option and run the command again.',
  console: 'Go back, correct what you entered and send it again.',
}

const FIRST_PAGE: NextSteps = {
  rest: 'Send the first page again without the cursor.',
  tool: 'Make the same call again without cursor.',
  command: 'Run the command again without --cursor.',
  console: 'Open the list again from its first page.',
}

/** HTTP only: the adapter and the command line put the address itself into their answers. */
const SHOW_OWNER = 'Show the owner request_access_url, where they can allow it'

const ASK_OWNER: NextSteps = {
  rest: 'Ask the owner for a grant that includes it, or leave it out.',
  tool: 'Ask the owner for a grant that includes it, or leave it out.',
  command: `Your access does not include it. ${ASK_AGAIN}`,
  console: AGENT_PAGE,
}

const NEW_GRANT: NextSteps = {
  rest: 'Ask the owner for a new grant.',
  tool: 'Ask the owner for a new grant.',
  command: ASK_AGAIN,
  console: AGENT_PAGE,
}

const WAIT: NextSteps = {
  rest: 'Wait for the seconds in Retry-After, then try again.',
  tool: 'Wait a little, then make the same call again.',
  command: 'Wait a little, then run the command again.',
  console: 'Wait a little, then try again.',
}

/** The next step after an error of each code. */
export const NEXT_STEPS: Readonly<Record<ErrorCode, NextSteps>> = {
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
    console: 'Open the record again and choose one of its fields.',
  },
  invalid_window: CORRECT,
  invalid_record: everywhere('Correct the record so that it fits the schema of its stream.'),
  invalid_record_identity: everywhere('Give the record a key of 1 to 512 bytes that matches its primary key.'),
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
    console: 'Open the record again from its list.',
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
  append_only_conflict: everywhere('Give the changed record a new key; records of an append-only stream never change.'),
  callback_not_allowed: everywhere(
    'Give an https address on the public internet, or leave out callback_url and poll for events.',
  ),
  unsupported_search_mode: {
    rest: 'Use GET /v1/search (the search tool) without mode, or with mode lexical: it searches by words.',
    tool: 'Call search without mode: it searches by words.',
    command: 'Leave out --mode: every server searches by words.',
    console: 'Search again by words.',
  },
  authentication_error: {
    rest: 'Send a valid bearer token; a client gets one by asking the owner for a grant.',
    tool: 'The token no longer works: the owner has to connect this client again and restart it.',
    command: 'The token is no longer valid. Get another with: {connect}',
    console: 'Sign in again.',
  },
  permission_error: {
    rest: 'Use a token of the kind that this route accepts.',
    tool: 'Ask the owner to do this.',
    command: ASK_AGAIN,
    console: 'Start again from the page or the application that brought you here.',
  },
  grant_stream_not_allowed: {
    rest: `${SHOW_OWNER}, or leave it out.`,
    tool: 'Use a stream that schema lists; only the owner can add others.',
    command: '`pdpp read streams` lists what you may read. For more, ask again with: {connect}',
    console: AGENT_PAGE,
  },
  field_not_granted: {
    rest: `${SHOW_OWNER}, or leave it out.`,
    tool: 'Use a field that the grant includes; only the owner can add others.',
    command: LISTS_READABLE_FIELDS,
    console: AGENT_PAGE,
  },
  insufficient_scope: ASK_OWNER,
  grant_time_range_exceeded: {
    ...everywhere('Choose a time range inside the one that the grant allows.'),
    rest: `${SHOW_OWNER}, or choose a time range inside the one that the grant allows.`,
  },
  grant_expired: { ...NEW_GRANT, command: `This access has ended. ${ASK_AGAIN}` },
  grant_revoked: { ...NEW_GRANT, command: `The owner ended this access. ${ASK_AGAIN}` },
  grant_paused: {
    ...everywhere('Wait until the owner resumes the grant, or ask them to.'),
    command: 'The owner paused this access. Try again later, or ask the owner.',
    console: 'You can resume it on the page of this agent under Access.',
  },
  grant_invalid: NEW_GRANT,
  grant_consumed: NEW_GRANT,
  package_revoked: NEW_GRANT,
  origin_not_allowed: {
    rest: 'Send the request from a page of this server, or without an Origin header.',
    tool: 'The owner has to connect this client again.',
    command: 'Check the address of the server, then run the command again.',
    console: 'Open the page on this server and send the form from there.',
  },
  form_expired: everywhere('Open the page again and send the form once more.'),
  not_found: {
    rest: 'Check the name or id; GET /v1/schema (the schema tool) lists what this token can read.',
    tool: 'Check the name or id: schema lists what can be read, search finds ids.',
    command: 'Check the name or id: `pdpp read streams` lists streams, `pdpp read search` finds ids.',
    console: 'Go back, or look for it from the start page.',
  },
  blob_not_found: {
    rest: 'Check the blob id against a record that you can read.',
    tool: 'Check the blob id against a record that you can read.',
    command: 'Check the id: a record shows it as blob_ref.',
    console: 'Open the record again; the file may have been deleted.',
  },
  connection_not_found: {
    rest: 'Use a connection_id from GET /v1/schema (the schema tool).',
    tool: 'Use a connection_id that schema lists.',
    command: LISTS_CONNECTIONS,
    console: 'Explore lists your sources.',
  },
  connector_not_found: {
    rest: 'Use a connector_key from GET /v1/connectors, or declare the source first.',
    tool: 'Use a connector_key that schema lists.',
    command: '`pdpp owner source list` lists the sources that are declared.',
    console: 'Explore lists your sources.',
  },
  field_not_found: everywhere('Choose a field that this record has.'),
  query_not_found: {
    rest: 'Search for other words, or read the field from an offset.',
    tool: 'Search the field for other words, or read it from an offset.',
    command: 'Look for other words, or read the field from an offset with --offset.',
    console: 'Look for other words.',
  },
  stream_not_declared: {
    rest: 'Use a stream that the source declares; GET /v1/connectors lists them.',
    tool: 'Use a stream that schema lists.',
    command: 'Use a stream that the source declares: `pdpp owner source show <source>` lists them.',
    console: 'Explore lists the streams of each source.',
  },
  method_not_allowed: {
    ...UPDATE,
    rest: 'Use a method that the Allow header names.',
    console: 'Go back and use the links and buttons of the page.',
  },
  request_stalled: {
    rest: 'Send the whole request again, without a long pause.',
    tool: 'Make the same call again.',
    command: 'Run the command again.',
    console: 'Send it again.',
  },
  ambiguous_connection: {
    rest: 'Repeat the request with one of available_connections as connection_id.',
    tool: 'Call again with one of available_connections as connection_id; schema lists all of them.',
    command: 'Name one of them with --connection.',
    console: 'Open it again from the page of one source.',
  },
  already_exists: everywhere('Choose another id, or use the one that exists.'),
  already_revoked: everywhere('Nothing is left to do.'),
  backup_by_database: everywhere('Use `pg_dump` and `pg_restore`: they keep everything, with a server running or not.'),
  archive_running: everywhere('Wait until the other one is done, or cancel its download, then try again.'),
  invalid_state: {
    rest: 'Read the subscription to see its status, then choose what fits it.',
    tool: 'Read the subscription to see its status, then choose what fits it.',
    command: 'List the subscriptions to see their status.',
    console: 'Open the page of the access again to see the status of its subscriptions.',
  },
  import_state: {
    ...everywhere('Open the page of the import again to see what it can do now.'),
    command: 'Run the command again; repeating it is safe.',
  },
  approval_conflict: everywhere('Review the request again.'),
  cursor_expired: {
    ...FIRST_PAGE,
    command: 'Run the command again without --cursor; to read all changes again, use --since-last --restart.',
  },
  resource_limit: {
    rest: 'Send less in one request.',
    tool: 'Ask for less in one call.',
    command: 'Send less at once.',
    console: 'Send less at once.',
  },
  unsupported_media_type: {
    ...UPDATE,
    rest: 'Send the content type that the message names.',
    console: 'Go back and use the form of the page.',
  },
  range_not_satisfiable: {
    rest: 'Ask for bytes inside the size that the message names, or leave out Range.',
    tool: 'Ask for bytes inside the size that the message names.',
    command: 'Ask for bytes inside the size that the message names.',
    console: 'Open the file again from its record.',
  },
  misdirected_request: everywhere('Use the address that this server is configured for.'),
  field_not_text: {
    rest: 'Read the record with fields=<field> instead.',
    tool: 'Read the record with fetch and fields instead.',
    command: 'Read the record with `pdpp read record` and --fields instead.',
    console: 'Open the record instead.',
  },
  rate_limit_exceeded: WAIT,
  api_error: {
    rest: 'Try again; if it fails again, give the request id to the owner of the server.',
    tool: 'Try the call again; if it fails again, tell the owner of the server.',
    command: 'Try again; `pdpp doctor` looks for the cause.',
    console: 'Try again; if it fails again, the log of the server says more.',
  },
  server_unreachable: everywhere('Check that the server runs and can be reached, then try again.'),
  ingest_batch_storage_error: {
    ...everywhere('Send the whole request again; repeating it is safe.'),
    command: 'Run the command again; repeating it is safe.',
  },
  server_busy: WAIT,
  request_timeout: everywhere('Ask for less at once, or try again later.'),
  storage_damaged: {
    rest: 'Tell the owner of the server to run `pdpp doctor`: it says what is damaged and what to restore.',
    tool: 'Tell the owner of the server to run `pdpp doctor`: it says what is damaged and what to restore.',
    command: '`pdpp doctor` says what is damaged and what to restore.',
    console: 'Run `pdpp doctor` on the machine that has the data: it says what is damaged and what to restore.',
  },
  storage_unavailable: {
    ...WAIT,
    command: 'Wait a little, then run the command again; `pdpp doctor` looks for the cause.',
    console: 'Wait a little, then try again. If it lasts, `pdpp doctor` looks for the cause.',
  },
  insufficient_storage: everywhere('Make room on the disk of the server, then try again.'),
}

const ONE_STREAM: NextSteps = {
  rest: 'Call GET /v1/schema?view=compact (the schema tool without arguments) for the stream names.',
  tool: 'Call schema without arguments for the names, then schema(stream, connection_id, detail: "full").',
  command: 'Name a stream; `pdpp read streams` lists them.',
  console: 'Open the page again and choose a stream.',
}

const OTHER_CONNECTION: NextSteps = {
  rest: 'Ask the owner for a new grant, or use another connection_id from GET /v1/schema (the schema tool).',
  tool: 'Ask the owner for a new grant, or use another connection_id that schema lists.',
  command: 'Ask the owner for a new grant, or name another connection that `pdpp read streams` lists.',
  console: AGENT_PAGE,
}

/** Errors that need other words than the rest of their code. The wire carries the sentence, not the reason. */
const STEPS_BY_REASON = {
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
      // 004.5 wants agents to be pointed to this route by name.
      tool: 'Leave out expand. GET /v1/schema (expand_capabilities), the schema tool here, says which streams have relations.',
      command: 'Leave out --expand; `pdpp read schema <stream>` lists the relations of a stream.',
      console: 'Open the page again.',
    },
  },
  permission_error: {
    owner_token: {
      ...everywhere('Ask the owner to remove it and to connect this client with `pdpp connect`.'),
      command: 'Get the token of a grant with: {connect}',
    },
  },
  grant_stream_not_allowed: {
    other_connection: {
      rest: 'Use one of the named connections instead, as connection_id or in the id.',
      tool: 'Use one of the named connections instead, as connection_id or in the id.',
      command: 'Use one of the named connections instead, with --connection or in the id.',
      console: AGENT_PAGE,
    },
  },
  grant_expired: { package_member: OTHER_CONNECTION },
  grant_revoked: { package_member: OTHER_CONNECTION },
  grant_paused: {
    package_member: {
      rest: 'Wait until the owner resumes the grant, or use another connection_id from GET /v1/schema (the schema tool).',
      tool: 'Wait until the owner resumes the grant, or use another connection_id that schema lists.',
      command: 'Try again later, or name another connection that `pdpp read streams` lists.',
      console: 'You can resume it on the page of this agent under Access.',
    },
  },
  not_found: {
    address: {
      rest: 'GET / lists where to start.',
      tool: 'Ask the owner to check the address of the server.',
      command: 'Check the address of the server.',
      console: 'Go back, or start from the start page.',
    },
    stream: {
      rest: 'Check the name; GET /v1/schema (the schema tool) lists the streams.',
      tool: 'Call schema without arguments for the names.',
      command: '`pdpp read streams` lists the names.',
      console: 'Explore lists the streams of each source.',
    },
    client: {
      rest: 'GET /v1/owner/clients lists them.',
      tool: 'Ask the owner for the id.',
      command: '`pdpp owner client list` lists them.',
      console: 'Access lists them.',
    },
    grant: {
      rest: 'GET /v1/owner/grants lists them.',
      tool: 'Ask the owner for the id.',
      command: '`pdpp owner grant list` lists them.',
      console: 'Access lists them.',
    },
    package: {
      rest: 'GET /v1/owner/packages lists them.',
      tool: 'Ask the owner for the id.',
      command: '`pdpp owner package list` lists them.',
      console: 'Access lists them.',
    },
    wish: {
      rest: 'GET /v1/owner/wishes lists them.',
      tool: 'Ask the owner for the id.',
      command: '`pdpp owner wish list` lists them.',
      console: 'The page of the agent lists what it asked for.',
    },
  },
  connection_not_found: {
    owned: {
      rest: 'GET /v1/owner/connections lists them.',
      tool: 'Use a connection_id that schema lists.',
      command: '`pdpp owner connection list` lists them.',
      console: 'Explore lists your sources.',
    },
  },
  ambiguous_connection: {
    some_have_stream: {
      rest: 'Repeat the request with one of available_connections as connection_id; those that have the stream come first.',
      tool: 'Call again with one of available_connections as connection_id; those that have the stream come first.',
      command: 'Name one of them with --connection; those that have the stream come first.',
      console: 'Open it again from the page of one source.',
    },
    more_than_listed: {
      rest: 'Choose a connection_id from GET /v1/schema (the schema tool), which lists all of them, and repeat the request.',
      tool: 'Call again with one of available_connections as connection_id; schema lists all of them.',
      command: 'Name one with --connection; `pdpp read streams` lists all of them.',
      console: 'Open it again from the page of one source.',
    },
  },
  cursor_expired: {
    changes: {
      rest: 'Drop your copy of the stream and start again with changes_since=beginning.',
      tool: 'Drop your copy of the stream and start again with changes_since "beginning".',
      command: 'Drop your copy of the stream and start again with --since-last --restart.',
      console: 'Open the list again from its first page.',
    },
  },
} as const satisfies Partial<Record<ErrorCode, Readonly<Record<string, NextSteps>>>>

type ReasonTable = typeof STEPS_BY_REASON
export type ErrorReason = { [Code in keyof ReasonTable]: keyof ReasonTable[Code] }[keyof ReasonTable]

/** All reasons of a code; most codes have none. */
export const reasonsOf = (code: ErrorCode): Readonly<Record<string, NextSteps>> =>
  (STEPS_BY_REASON as Partial<Record<ErrorCode, Readonly<Record<string, NextSteps>>>>)[code] ?? {}

export const nextStepsOf = (code: ErrorCode, reason: ErrorReason | undefined): NextSteps =>
  (reason === undefined ? undefined : reasonsOf(code)[reason]) ?? NEXT_STEPS[code]

/**
 * The words of a surface for an error that came over HTTP. The sentence is recognised by comparing it with the table.
 * Undefined if the server wrote its own sentence, or if the code is not ours.
 */
export function stepOnSurface(
  surface: ErrorSurface,
  code: string,
  restSentence: string | undefined,
): string | undefined {
  if (!isErrorCode(code)) return
  const entries = [NEXT_STEPS[code], ...Object.values(reasonsOf(code))]
  const entry = restSentence === undefined ? entries[0] : entries.find(({ rest }) => rest === restSentence)
  return entry?.[surface]
}
