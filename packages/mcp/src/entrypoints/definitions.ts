import { annotations, connection_id, data, input, output, text, whole } from '../calling/definition-parts.ts'

/**
 * The tools of the normal entrypoint: constant, in a fixed order, never derived from data. Every conversation pays for
 * every byte, so no sentence is repeated, and guidance across tools is in the instructions (004.2).
 */
const texts = { type: 'array', items: text } as const
const limit = { type: 'integer', maximum: 100 } as const
const oneOf = (...choices: string[]) => ({ type: 'string', enum: choices }) as const
const order = oneOf('asc', 'desc')
const filter = {
  type: 'object',
  additionalProperties: {
    anyOf: [
      text,
      { type: 'number' },
      { type: 'boolean' },
      { type: 'object', propertyNames: { enum: ['gte', 'gt', 'lte', 'lt'] } },
    ],
  },
} as const
/** Only the first tool with a filter explains it, to save bytes. */
const explainedFilter = { ...filter, description: 'field: exact value, or {gte,gt,lte,lt} range' } as const
const expand_limit = { type: 'object', additionalProperties: { type: 'integer' } } as const

export const TOOLS = [
  {
    name: 'schema',
    title: 'What personal data is here',
    description:
      "What of the user's own data can be read (mail, chats, notes, calendar, purchases and more): sources and streams; with stream its fields, filters, values, example. Read-only, GET /v1/schema.",
    inputSchema: input({ stream: text, connection_id, detail: oneOf('compact', 'full'), fields_offset: whole }),
    outputSchema: data,
    annotations,
  },
  {
    name: 'query_records',
    title: 'List personal records',
    description:
      'Lists one stream of it, such as the latest mails, as text and structured output. Page with cursor, narrow with fields and filter (names: schema); if full records are not needed, use search or aggregate. Read-only, GET /v1/streams/{stream}/records.',
    inputSchema: input(
      {
        stream: text,
        connection_id,
        filter: explainedFilter,
        fields: texts,
        sort: { type: 'string', description: 'field or -field' },
        order,
        limit,
        cursor: text,
        around: { type: 'string', description: 'id of a record: those before and after it' },
        changes_since: text,
        count: oneOf('none', 'estimated', 'exact'),
        expand: texts,
        expand_limit,
        view: text,
      },
      'stream',
    ),
    outputSchema: data,
    annotations,
  },
  {
    name: 'aggregate',
    title: 'Count personal records',
    description:
      'How many, how much: counts and sums over all records, also by group or time (names: schema). other_count above 0 means that there are more groups than shown. Read-only, GET /v1/streams/{stream}/aggregate.',
    inputSchema: input(
      {
        stream: text,
        metric: oneOf('count', 'sum', 'min', 'max', 'avg', 'count_distinct'),
        field: text,
        group_by: { ...texts, maxItems: 2 },
        group_by_time: text,
        granularity: oneOf('minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'),
        time_zone: text,
        order,
        limit,
        filter,
        connection_id,
      },
      'stream',
      'metric',
    ),
    outputSchema: data,
    annotations,
  },
  {
    name: 'search',
    title: 'Search personal data',
    description:
      'Finds in the user\'s mail, chats, notes, calendar, files and more by words, best first, with the text that matches; "phrase", -word and field:word work. Streams: schema. Read-only, GET /v1/search.',
    inputSchema: input(
      {
        query: text,
        streams: texts,
        connection_id,
        filter,
        since: text,
        until: text,
        limit,
        cursor: text,
        count: oneOf('none', 'estimated', 'exact'),
      },
      'query',
    ),
    outputSchema: output({
      data: { type: 'object' },
      results: { type: 'array', items: { type: 'object' } },
    }),
    annotations,
  },
  {
    name: 'fetch',
    title: 'Open a record',
    description:
      'One record as a document, by an id that a result showed. Read-only, GET /v1/streams/{stream}/records/{id}.',
    inputSchema: input({ id: text, connection_id, fields: texts, expand: texts, expand_limit }, 'id'),
    outputSchema: output({ id: text, title: text, text, url: text, metadata: { type: 'object' } }),
    annotations,
  },
  {
    name: 'read_record_field',
    title: 'Read a long field',
    description:
      'A bounded part of one long field: from offset_chars, or around the text q. Read-only, GET /v1/streams/{stream}/records/{id}/field-window.',
    inputSchema: input(
      {
        id: text,
        field_path: text,
        connection_id,
        offset_chars: whole,
        limit_chars: { type: 'integer', maximum: 16384 },
        q: text,
        before_chars: whole,
        after_chars: whole,
        exact: { type: 'boolean' },
      },
      'id',
      'field_path',
    ),
    outputSchema: output({ record: { type: 'object' }, field: { type: 'object' }, window: { type: 'object' } }),
    annotations,
  },
] as const

export type ToolName = (typeof TOOLS)[number]['name']

export const TOOL_NAMES: readonly ToolName[] = TOOLS.map(({ name }) => name)
