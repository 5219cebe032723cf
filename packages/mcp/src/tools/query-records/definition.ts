import {
  annotations,
  connection_id,
  data,
  expand_limit,
  filter,
  input,
  limit,
  oneOf,
  order,
  text,
  texts,
} from '../../calling/definition-parts.ts'

/** Only the first tool with a filter explains it, because every byte of a description costs tokens. */
const explainedFilter = { ...filter, description: 'field: exact value, or {gte,gt,lte,lt} range' } as const

export const QUERY_RECORDS = {
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
} as const
