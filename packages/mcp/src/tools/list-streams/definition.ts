import { annotations, connection_id, data, input, whole } from '../../calling/definition-parts.ts'

export const LIST_STREAMS = {
  name: 'list_streams',
  title: 'List streams',
  description:
    'Every granted stream of every source, with record count and time span. Read-only, GET /v1/streams. For fields: schema.',
  inputSchema: input({ connection_id, offset: whole }),
  outputSchema: data,
  annotations,
} as const
