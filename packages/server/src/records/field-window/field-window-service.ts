import { createHash } from 'node:crypto'
import {
  canonicalJson,
  countChars,
  declaredFields,
  type FieldKind,
  PdppError,
  PREVIEW_CHARS,
  parseBlobId,
  parseJson,
  previewChars,
  rawNumber,
} from '@pdpp/protocol'
import { includesField, type ReadScope } from '../../grants/read-scope.ts'
import { blobUrl } from '../blob-url.ts'
import { describeBinary } from '../media-type.ts'
import type { ScopedRecord } from '../record-store.ts'
import { type FieldWindow, type WindowRequest, windowOf } from './field-window.ts'

export interface FieldDescription {
  readonly path: string
  readonly type: string
  /** Undefined if the blob is missing and its reference has no size. */
  readonly size_bytes?: number
  readonly media_type?: string
  readonly sha256?: string
  readonly blob_id?: string
  readonly fetch_url?: string
  /** Start of the extracted text, and the field with all of it. */
  readonly extracted_text?: { readonly field: string; readonly preview: string; readonly total_chars: number }
}

/** A file: its type, its size, and its content if it is text. */
export interface ReadFile {
  readonly mediaType: string
  readonly sizeBytes: number
  readonly text: string | undefined
}

/** Returns one field: text unchanged, other values as canonical JSON, binary fields as a description. */
export function readField(
  scope: ReadScope,
  record: ScopedRecord,
  field: string,
  request: WindowRequest,
  file?: ReadFile,
): { field: FieldDescription; window: FieldWindow | null } {
  const data = parseJson(record.json) as Record<string, unknown>
  const value = Object.hasOwn(data, field) ? data[field] : undefined
  if (value === undefined || value === null) {
    throw new PdppError('field_not_found', `This record has no value for "${field}".`, { param: 'field' })
  }
  const kind = declaredFields(scope.stream).get(field) ?? 'json'
  if (kind === 'binary' && typeof value === 'string')
    return { field: describedBytes(scope, field, value), window: null }
  if (kind === 'blob') {
    const reference = describeBlob(field, value as Record<string, unknown>, record.connectionId)
    const described = {
      ...reference,
      ...(file === undefined ? {} : { media_type: file.mediaType, size_bytes: file.sizeBytes }),
    }
    if (file?.text !== undefined) return { field: described, window: windowOf(file.text, request) }
    return { field: { ...described, ...extractedText(scope, data, field) }, window: null }
  }
  const text = typeof value === 'string' ? value : canonicalJson(value)
  return {
    field: { path: field, type: typeName(kind, value), size_bytes: Buffer.byteLength(text) },
    window: windowOf(text, request),
  }
}

function typeName(kind: FieldKind, value: unknown): string {
  if (kind === 'epoch-seconds' || kind === 'epoch-milliseconds') return 'integer'
  if (kind !== 'json') return kind === 'date-time' || kind === 'date' ? 'string' : kind
  if (rawNumber(value) !== undefined) return 'number'
  return Array.isArray(value) ? 'array' : typeof value
}

function describedBytes(scope: ReadScope, field: string, value: string): FieldDescription {
  const sha256 = createHash('sha256').update(Buffer.from(value, 'base64')).digest('hex')
  return { path: field, ...describeBinary(scope.stream, field, value), sha256 }
}

/** The field with the text of a file, if the source declares one. */
export function textFieldOf({ stream }: Pick<ReadScope, 'stream'>, field: string): string | undefined {
  const properties = stream.schema['properties'] as Record<string, Record<string, unknown> | undefined>
  const name = properties[field]?.['x_pdpp_text_field']
  return typeof name === 'string' && declaredFields(stream).get(name) === 'string' ? name : undefined
}

function extractedText(scope: ReadScope, data: Record<string, unknown>, field: string) {
  const name = textFieldOf(scope, field)
  const text = name === undefined || !includesField(scope.projection, name) ? undefined : data[name]
  if (typeof text !== 'string' || text === '') return {}
  return {
    extracted_text: { field: name!, preview: previewChars(text, PREVIEW_CHARS), total_chars: countChars(text) },
  }
}

function describeBlob(field: string, reference: Record<string, unknown>, connectionId: string): FieldDescription {
  const id = String(reference['blob_id'])
  const text = (name: string) =>
    typeof reference[name] === 'string' ? { [name === 'mime_type' ? 'media_type' : name]: reference[name] } : {}
  return {
    path: field,
    type: 'blob',
    ...(typeof reference['size_bytes'] === 'number' ? { size_bytes: reference['size_bytes'] } : {}),
    ...text('mime_type'),
    ...text('sha256'),
    ...(parseBlobId(id) === undefined ? {} : { blob_id: id, fetch_url: blobUrl(id, connectionId) }),
  } as FieldDescription
}
