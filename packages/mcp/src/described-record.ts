import { countChars, DESCRIBED_FIELD_BYTES, PREVIEW_CHARS, previewChars } from '@pdpp/protocol/reading'
import { blobOf } from './rendering/blob.ts'
import { byteLength } from './rendering/bytes.ts'
import { objectOf, textOf } from './resource-server/envelope.ts'

const REFERENCE_BYTES = 1000

/** A record of a server that does not bound its answers: large fields become descriptors, and say so. */
export function describeLarge(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const described: string[] = []
  const data = Object.fromEntries(
    Object.entries(objectOf(record['data'])).map(([name, value]) => {
      const json = JSON.stringify(value) ?? 'null'
      // A reference to a blob describes it already.
      if (byteLength(json) <= (blobOf(value) ? REFERENCE_BYTES : DESCRIBED_FIELD_BYTES)) return [name, value]
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
