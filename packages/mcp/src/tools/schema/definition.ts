import { annotations, connection_id, data, input, oneOf, text, whole } from '../../calling/definition-parts.ts'

export const SCHEMA = {
  name: 'schema',
  title: 'What personal data is here',
  description:
    "What of the user's own data can be read (mail, chats, notes, calendar, purchases and more): sources and streams; with stream its fields, filters, values, example. Read-only, GET /v1/schema.",
  inputSchema: input({ stream: text, connection_id, detail: oneOf('compact', 'full'), fields_offset: whole }),
  outputSchema: data,
  annotations,
} as const
