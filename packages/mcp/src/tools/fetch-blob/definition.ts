import { annotations, connection_id, input, output, text, whole } from '../../calling/definition-parts.ts'

/** Bytes of a blob per call. The base64 of the default fits twice into the budget of a result. */
export const BLOB_WINDOW_BYTES = { default: 7_000, max: 28_000 } as const

const object = { type: 'object' } as const

export const FETCH_BLOB = {
  name: 'fetch_blob',
  title: 'Read a file',
  description:
    'The file behind a blob reference of a record: text in parts, small images and other files as content, larger ones described. Read-only, GET /v1/blobs/{blob}.',
  inputSchema: input(
    {
      blob_id: { type: 'string', description: 'blob_id or fetch_url, as a record shows it' },
      connection_id,
      offset_bytes: whole,
      limit_bytes: { type: 'integer', maximum: BLOB_WINDOW_BYTES.max },
    },
    'blob_id',
  ),
  outputSchema: output({ blob: object, window: object, shown: text, export: object }),
  annotations,
} as const
