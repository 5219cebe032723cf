import { createHash } from 'node:crypto'
import { canonicalJson, declaredFields, type FieldKind, PdppError, parseJson, rawNumber } from '@pdpp/protocol'
import type { ReadScope } from '../grants/read-scope.ts'
import { mediaTypeOf } from '../records/media-type.ts'
import type { ScopedRecord } from '../records/record-store.ts'
import { type FieldWindow, type WindowRequest, windowOf } from './field-window.ts'

export interface FieldDescription {
  readonly path: string
  readonly type: string
  readonly size_bytes: number
  readonly media_type?: string
  readonly sha256?: string
}

/** One field of a record: text as it is, anything else as its canonical JSON, binary described and not shown. */
export function readField(
  scope: ReadScope,
  record: ScopedRecord,
  field: string,
  request: WindowRequest,
): { field: FieldDescription; window: FieldWindow | null } {
  const data = parseJson(record.json) as Record<string, unknown>
  const value = Object.hasOwn(data, field) ? data[field] : undefined
  if (value === undefined || value === null) {
    throw new PdppError('field_not_found', `This record has no value for "${field}".`, { param: 'field' })
  }
  const kind = declaredFields(scope.stream).get(field) ?? 'json'
  if (kind === 'binary' && typeof value === 'string')
    return { field: describeBinary(scope, field, value), window: null }
  if (kind === 'blob') return { field: describeBlob(field, value as Record<string, unknown>), window: null }
  const text = typeof value === 'string' ? value : canonicalJson(value)
  return {
    field: { path: field, type: typeName(kind, value), size_bytes: Buffer.byteLength(text) },
    window: windowOf(text, request),
  }
}

function typeName(kind: FieldKind, value: unknown): string {
  if (kind !== 'json') return kind === 'date-time' || kind === 'date' ? 'string' : kind
  if (rawNumber(value) !== undefined) return 'number'
  return Array.isArray(value) ? 'array' : typeof value
}

function describeBinary(scope: ReadScope, field: string, value: string): FieldDescription {
  const bytes = Buffer.from(value, 'base64')
  return {
    path: field,
    type: 'binary',
    size_bytes: bytes.length,
    media_type: mediaTypeOf(scope.stream, field),
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
}

function describeBlob(field: string, reference: Record<string, unknown>): FieldDescription {
  const text = (name: string) =>
    typeof reference[name] === 'string' ? { [name === 'mime_type' ? 'media_type' : name]: reference[name] } : {}
  return {
    path: field,
    type: 'blob',
    size_bytes: Number(reference['size_bytes'] ?? 0),
    ...text('mime_type'),
    ...text('sha256'),
  } as FieldDescription
}
