import { annotations, connection_id, input, output, text, whole } from '../../calling/definition-parts.ts'

export const READ_RECORD_FIELD = {
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
} as const
