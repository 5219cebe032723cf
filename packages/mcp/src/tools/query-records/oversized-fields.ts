import { countChars, DESCRIBED_FIELD_BYTES, PREVIEW_CHARS, previewChars } from '@pdpp/protocol/reading'
import { binaryOf, blobOf } from '../../rendering/blob.ts'
import { byteLength } from '../../rendering/bytes.ts'
import { objectOf, rowsOf, textOf } from '../../resource-server/envelope.ts'

const MAX_REFERENCE_BYTES = 1000

/** Replaces large fields with descriptors, for servers that do not limit their answers. */
export function describeLarge(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const described: string[] = []
  const data = Object.fromEntries(
    Object.entries(objectOf(record['data'])).map(([name, value]) => {
      const json = JSON.stringify(value) ?? 'null'
      // A blob reference is already a description.
      if (byteLength(json) <= (blobOf(value) ? MAX_REFERENCE_BYTES : DESCRIBED_FIELD_BYTES)) return [name, value]
      described.push(name)
      const text = typeof value === 'string' ? value : json
      return [
        name,
        {
          object: 'field_descriptor',
          type: textOf(typeof value === 'string' ? 'string' : Array.isArray(value) ? 'array' : 'object'),
          size_bytes: byteLength(json),
          total_chars: countChars(text),
          preview: previewChars(text, PREVIEW_CHARS),
        },
      ]
    }),
  )
  return { ...record, described_fields: described, data }
}

/** Replaces base64 fields with descriptors, for servers that do not describe bytes. */
export function withBytesDescribed(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const rows = rowsOf(body)
  const isBytes = (value: unknown): value is string => typeof value === 'string' && binaryOf(value) !== undefined
  if (!rows.some((row) => Object.values(objectOf(row['data'])).some(isBytes))) return { ...body }
  const data = rows.map((row) => ({
    ...row,
    data: Object.fromEntries(
      Object.entries(objectOf(row['data'])).map(([name, value]) => [
        name,
        isBytes(value) ? describedBytes(value) : value,
      ]),
    ),
  }))
  return { ...body, data }
}

function describedBytes(text: string) {
  const { mediaType, bytes } = binaryOf(text)!
  return { object: 'field_descriptor', type: 'binary', media_type: mediaType, size_bytes: bytes }
}
