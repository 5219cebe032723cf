import {
  canonicalJson,
  countChars,
  DESCRIBED_FIELD_BYTES,
  declaredFields,
  isoTime,
  PREVIEW_CHARS,
  parseJson,
  previewChars,
  sliceGraphemes,
} from '@pdpp/protocol'
import type { ReadScope } from '../grants/read-scope.ts'
import { withBlobUrls } from './blob-url.ts'
import { describeBinary, withBinaryDescribed } from './media-type.ts'
import type { ScopedRecord, Tombstone } from './record-store.ts'
import type { RecordUrls } from './record-url.ts'

/** Inserts the stored JSON unchanged, so that every digit and character is preserved. */
export function renderRecord(scope: ReadScope, urls: RecordUrls, record: ScopedRecord, extra = ''): string {
  const { connectionId, key, emittedAt } = record
  const url = urls.member(connectionId, scope.stream.name, key)
  const described = urls.describesBinary ? withBinaryDescribed(scope, record) : record
  return `{${identity(scope, connectionId, key)},"emitted_at":"${isoTime(emittedAt)}",${url}${extra}"data":${withBlobUrls(scope, described)}}`
}

export function renderTombstone(scope: ReadScope, { connectionId, key, deletedAt }: Tombstone): string {
  const at = isoTime(deletedAt)
  return `{${identity(scope, connectionId, key)},"emitted_at":"${at}","deleted":true,"deleted_at":"${at}"}`
}

/** The members that all records of a scope and connection share. */
const SHARED = new WeakMap<ReadScope, Map<string, string>>()

function identity(scope: ReadScope, connectionId: string, key: string): string {
  const byConnection = SHARED.get(scope) ?? new Map<string, string>()
  let shared = byConnection.get(connectionId)
  if (shared === undefined) {
    const members = { stream: scope.stream.name, connection_id: connectionId, connector_key: scope.connectorKey }
    shared = JSON.stringify(members).slice(1, -1)
    SHARED.set(scope, byConnection.set(connectionId, shared))
  }
  return `"object":"record","id":${JSON.stringify(key)},${shared}`
}

interface Described {
  readonly extra?: string
  /**
   * Include this many characters of the longest text with its description, in addition to `maxBytes`, because the
   * client probably wants that text.
   */
  readonly longFieldChars?: number | undefined
}

/**
 * Renders a record that is larger than a whole page. Large fields are replaced by descriptors that tell how to read
 * them. If that is not enough, the largest remaining fields are left out, and the answer names and counts them.
 */
export function renderDescribed(
  scope: ReadScope,
  urls: RecordUrls,
  record: ScopedRecord,
  maxBytes: number,
  { extra = '', longFieldChars }: Described = {},
) {
  const data = parseJson(record.json) as Record<string, unknown>
  const described: string[] = []
  const long = longFieldChars === undefined ? undefined : longestText(scope, data)
  for (const [name, value] of Object.entries(data)) {
    const json = JSON.stringify(value)
    const isBlob = declaredFields(scope.stream).get(name) === 'blob'
    if (Buffer.byteLength(json) <= (isBlob ? REFERENCE_BYTES : DESCRIBED_FIELD_BYTES)) continue
    data[name] = describeField(scope, record, name, value, json)
    described.push(name)
  }
  const render = (named: readonly string[], omitted: number) => {
    const members = `"described_fields":${JSON.stringify(named)},${omitted === 0 ? '' : `"omitted_field_count":${omitted},`}`
    return renderRecord(scope, urls, { ...record, json: JSON.stringify(data) }, `${extra}${members}`)
  }
  const addLong = () => {
    if (long && described.includes(long.field))
      Object.assign(data[long.field] as object, beginning(long.text, longFieldChars!))
  }
  let row = render(described, 0)
  if (Buffer.byteLength(row) <= maxBytes) {
    addLong()
    return { row: long ? render(described, 0) : row, named: described, isDescribed: described.length > 0, omitted: 0 }
  }
  const namesBytes = Math.min(NAMED_BYTES, Math.floor(maxBytes / 5))
  const before = Buffer.byteLength(JSON.stringify(described))
  const excess = Buffer.byteLength(row) - before + namesBytes + ROOM_FOR_COUNT - maxBytes
  const omitted = leaveOut(data, excess, long?.field)
  addLong()
  const named = someNames([...omitted, ...described.filter((name) => name in data)], namesBytes)
  row = render(named, omitted.length)
  const isDescribed = described.some((name) => name in data)
  return { row, named, isDescribed, omitted: omitted.length }
}

/** Deletes the largest fields of `data` until it is `excess` bytes smaller. Returns their names. */
function leaveOut(data: Record<string, unknown>, excess: number, protectedField: string | undefined): string[] {
  const bySize = Object.entries(data)
    .filter(([name]) => name !== protectedField)
    .map(([name, value]) => ({ name, bytes: Buffer.byteLength(JSON.stringify({ [name]: value })) - 1 }))
    .sort((a, b) => b.bytes - a.bytes)
  const omitted: string[] = []
  for (const { name, bytes } of bySize) {
    if (excess <= 0) break
    delete data[name]
    omitted.push(name)
    excess -= bytes
  }
  return omitted
}

/** Matches encoded bytes, which nobody reads as text. */
const ENCODED = /^data:[\w.+-]+\/|^[A-Za-z0-9+/_-]{80}/

/** The longest text of a record, which is probably its content. */
function longestText({ stream }: ReadScope, data: Readonly<Record<string, unknown>>) {
  const texts = Object.entries(data).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && declaredFields(stream).get(entry[0]) !== 'binary' && !ENCODED.test(entry[1]),
  )
  const [field, text] = texts.sort(([, a], [, b]) => b.length - a.length)[0] ?? []
  return field === undefined ? undefined : { field, text: text! }
}

/** The start of a text, in place of a preview. */
function beginning(text: string, chars: number) {
  const start = sliceGraphemes(text, chars)
  return { preview: undefined, text: start, text_end_chars: countChars(start) }
}

/** Max. bytes of a blob reference that is kept, because it already describes the blob. */
const REFERENCE_BYTES = 1000
const MAX_NAMED = 60
const NAMED_BYTES = 600
const ROOM_FOR_COUNT = 28

function someNames(names: readonly string[], bytes: number): string[] {
  let left = bytes - 2
  return names.slice(0, MAX_NAMED).filter((name) => {
    left -= Buffer.byteLength(JSON.stringify(name)) + 1
    return left >= 0
  })
}

/** Text of the warning about described or omitted fields. */
export function describedMessage(isDescribed: boolean, omitted: number): string {
  if (!isDescribed && omitted === 0)
    return 'The record is larger than this answer may be, with its related records: the large fields of those are described.'
  const left = omitted === 0 ? '' : `${omitted} of its fields are left out: name those you need in fields. `
  return `The record is larger than this answer may be. ${left}${!isDescribed ? '' : 'Large fields are described; field-window (read_record_field) reads them.'}`.trim()
}

function describeField(scope: ReadScope, record: ScopedRecord, field: string, value: unknown, json: string) {
  return {
    object: 'field_descriptor',
    ...describeValue(scope, field, value, json),
    read: {
      object: 'field_window_read',
      method: 'GET',
      route: windowRoute(scope, record.key),
      field,
      connection_id: record.connectionId,
    },
  }
}

function describeValue({ stream }: ReadScope, field: string, value: unknown, json: string) {
  // A preview of encoded bytes would be useless (001.4.1).
  if (typeof value === 'string' && declaredFields(stream).get(field) === 'binary')
    return describeBinary(stream, field, value)
  const text = typeof value === 'string' ? value : canonicalJson(value)
  return {
    type: typeof value === 'string' ? 'string' : Array.isArray(value) ? 'array' : 'object',
    size_bytes: Buffer.byteLength(json),
    total_chars: countChars(text),
    preview: previewChars(text, PREVIEW_CHARS),
  }
}

export function recordRoute(scope: ReadScope, key: string): string {
  return `/v1/streams/${encodeURIComponent(scope.stream.name)}/records/${encodeURIComponent(key)}`
}

export function windowRoute(scope: ReadScope, key: string): string {
  return `${recordRoute(scope, key)}/field-window`
}
