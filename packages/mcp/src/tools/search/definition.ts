import {
  annotations,
  connection_id,
  filter,
  input,
  limit,
  oneOf,
  output,
  text,
  texts,
} from '../../calling/definition-parts.ts'

export const SEARCH = {
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
} as const
