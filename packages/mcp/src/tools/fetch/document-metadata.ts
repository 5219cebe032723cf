import type { RecordHandle } from '../../calling/record-handle.ts'
import { binaryOf, blobCommand, blobsOf, blobText, fieldCommand } from '../../rendering/blob.ts'
import type { OmittedFields } from '../../rendering/omitted-fields.ts'
import type { RelatedCut } from '../../rendering/related.ts'
import { shortLine } from '../../rendering/safe-text.ts'
import type { ShortenedField } from '../../rendering/shortened.ts'
import { objectOf, textOf } from '../../resource-server/envelope.ts'

/** Everything that a document shows only in part. The metadata must mention it, too (point 3). */
export interface Shortened {
  readonly fields: readonly ShortenedField[]
  readonly leftOut: OmittedFields | undefined
  readonly related: readonly RelatedCut[]
}

const MAX_FIELDS = 10

/** The next call, followed by everything that is incomplete. */
export function truncation(id: string, { fields, leftOut, related }: Shortened): Record<string, unknown> {
  const [first] = fields
  if (!first && !leftOut && related.length === 0) return {}
  const next = first
    ? { tool: 'read_record_field', arguments: { id, field_path: first.field_path, offset_chars: first.shown_chars } }
    : leftOut && leftOut.names.length > 0
      ? { tool: 'fetch', arguments: { id, fields: leftOut.names.slice(0, 5) } }
      : undefined
  return {
    text_truncated: true,
    ...(first ? { text_shown_chars: first.shown_chars, text_total_chars: first.total_chars } : {}),
    ...(next ? { continue: next } : {}),
    ...(fields.length > 1 ? { shortened_fields: fields.slice(0, MAX_FIELDS) } : {}),
    ...(fields.length > MAX_FIELDS ? { shortened_field_count: fields.length } : {}),
    ...(leftOut ? { left_out_field_count: leftOut.count, left_out_fields: leftOut.names.slice(0, MAX_FIELDS) } : {}),
    ...(related.length === 0 ? {} : { related_truncated: related.slice(0, MAX_FIELDS) }),
  }
}

const MAX_FILES = 5

/** The files of a record, with the commands that save them (001.4.1). */
export function filesOf(
  record: Readonly<Record<string, unknown>>,
  { id, handle, providerUrl }: { readonly id: string; readonly handle: RecordHandle; readonly providerUrl: string },
) {
  const files = Object.entries(objectOf(record['data'])).flatMap(([field, value]) => {
    const inline = inlineBytes(value)
    const contained = inline ? [{ kind: inline, command: fieldCommand(id, field, providerUrl) }] : []
    const referenced = blobsOf(value).map((blob) => ({
      kind: blobText(blob),
      command: blobCommand(blob.id, handle.connectionId, providerUrl),
    }))
    return [...contained, ...referenced].map(({ kind, command }) => ({
      field_path: field,
      kind,
      ...(command === undefined ? {} : { export: command }),
    }))
  })
  if (files.length === 0) return {}
  return { files: files.slice(0, MAX_FILES), ...(files.length > MAX_FILES ? { file_count: files.length } : {}) }
}

/** Describes bytes that the record itself contains, such as `image/png, 45 bytes`. */
function inlineBytes(value: unknown): string | undefined {
  const encoded = typeof value === 'string' ? binaryOf(value) : undefined
  if (encoded) return blobText({ id: '', ...encoded })
  const { object, type, media_type: mediaType, size_bytes: bytes } = objectOf(value)
  if (object !== 'field_descriptor' || type !== 'binary') return
  return blobText({ id: '', mediaType: shortLine(textOf(mediaType) ?? 'file', 100), bytes: Number(bytes ?? 0) })
}
