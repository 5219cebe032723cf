import { declaredFields, parseJson, resolveProperty, type StreamDeclaration } from '@pdpp/protocol'
import type { ReadScope } from '../grants/read-scope.ts'
import type { ScopedRecord } from './record-store.ts'

/** Declared media type of a binary field. */
function mediaTypeOf({ schema }: StreamDeclaration, field: string): string {
  const property = (schema['properties'] as Record<string, Record<string, unknown>>)[field]
  const declared = property?.['contentMediaType'] ?? resolveProperty(property, schema)?.['contentMediaType']
  return typeof declared === 'string' ? declared : 'application/octet-stream'
}

/** The size is that of the decoded bytes, everywhere. */
export function describeBinary(stream: StreamDeclaration, field: string, value: string) {
  const size_bytes = Buffer.from(value, 'base64').length
  return { type: 'binary', media_type: mediaTypeOf(stream, field), size_bytes }
}

/** Replaces base64 fields of a record with descriptions. Returns records without such fields unchanged. */
export function withBinaryDescribed({ stream }: ReadScope, record: ScopedRecord): ScopedRecord {
  const binary = [...declaredFields(stream)].filter(([, kind]) => kind === 'binary').map(([name]) => name)
  if (binary.length === 0) return record
  const data = parseJson(record.json) as Record<string, unknown>
  const encoded = binary.filter((name) => typeof data[name] === 'string')
  if (encoded.length === 0) return record
  for (const name of encoded)
    data[name] = { object: 'field_descriptor', ...describeBinary(stream, name, data[name] as string) }
  return { ...record, json: JSON.stringify(data) }
}
