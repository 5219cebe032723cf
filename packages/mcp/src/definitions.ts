import { annotations, connection_id, data, input, output, text, whole } from './definition-parts.ts'

/**
 * What `tools/list` of the normal entrypoint says: constant, in a fixed order, and never derived from data. Every byte of it is paid by every
 * conversation, so a sentence stands in one place only, and cross-tool guidance is in the instructions (004.2).
 */
const texts = { type: 'array', items: text } as const
const limit = { type: 'integer', maximum: 100 } as const
const oneOf = (...choices: string[]) => ({ type: 'string', enum: choices }) as const
const order = oneOf('asc', 'desc')
const filter = {
  type: 'object',
  description: 'field: exact value, or {gte,gt,lte,lt} range',
  additionalProperties: {
    anyOf: [
      text,
      { type: 'number' },
      { type: 'boolean' },
      { type: 'object', propertyNames: { enum: ['gte', 'gt', 'lte', 'lt'] } },
    ],
  },
} as const
const expand_limit = { type: 'object', additionalProperties: { type: 'integer' } } as const

export const TOOLS = [
  {
    name: 'schema',
    description:
      'What can be read: sources and streams; with stream its fields, filters, values, example. Read-only, GET /v1/schema.',
    inputSchema: input({ stream: text, connection_id, detail: oneOf('compact', 'full'), fields_offset: whole }),
    outputSchema: data,
    annotations,
  },
  {
    name: 'query_records',
    description:
      'A page of records of one stream, as text and structured output. Page with cursor, narrow with fields and filter (names: schema); if full records are not needed, use search or aggregate. Read-only, GET /v1/streams/{stream}/records.',
    inputSchema: input(
      {
        stream: text,
        connection_id,
        filter,
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
    description:
      'Counts and sums, also by group or time. A cut list of groups has other_count (names: schema). Read-only, GET /v1/streams/{stream}/aggregate.',
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
    description:
      'Records by words, best first, with the text that matches; "phrase", -word and field:word work. Streams: schema. Read-only, GET /v1/search.',
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
      results: {
        type: 'array',
        items: { type: 'object', properties: { id: text, title: text, url: text }, required: ['id', 'title', 'url'] },
      },
    }),
    annotations,
  },
  {
    name: 'fetch',
    description:
      'One record as a document, by an id that a result showed. Read-only, GET /v1/streams/{stream}/records/{id}.',
    inputSchema: input({ id: text, connection_id, fields: texts, expand: texts, expand_limit }, 'id'),
    outputSchema: output({ id: text, title: text, text, url: text, metadata: { type: 'object' } }),
    annotations,
  },
  {
    name: 'read_record_field',
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
