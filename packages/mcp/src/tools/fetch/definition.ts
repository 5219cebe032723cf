import { annotations, connection_id, expand_limit, input, output, text, texts } from '../../calling/definition-parts.ts'

export const FETCH = {
  name: 'fetch',
  title: 'Open a record',
  description:
    'One record as a document, by an id that a result showed. Read-only, GET /v1/streams/{stream}/records/{id}.',
  inputSchema: input({ id: text, connection_id, fields: texts, expand: texts, expand_limit }, 'id'),
  outputSchema: output({ id: text, title: text, text, url: text, metadata: { type: 'object' } }),
  annotations,
} as const
