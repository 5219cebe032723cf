import {
  canonicalJson,
  countChars,
  DESCRIBED_FIELD_BYTES,
  PREVIEW_CHARS,
  parseJson,
  previewChars,
} from '@pdpp/protocol'
import type { ReadScope } from '../grants/read-scope.ts'
import type { ScopedRecord, Tombstone } from './record-store.ts'
import type { RecordUrls } from './record-url.ts'

/** A record's JSON is passed on as the store gave it, so that every digit and character of it survives. */
export function renderRecord(scope: ReadScope, urls: RecordUrls, record: ScopedRecord, extra = ''): string {
  const { connectionId, key, emittedAt, json } = record
  const url = urls.of(connectionId, scope.stream.name, key)
  return `{${identity(scope, connectionId, key)},"emitted_at":"${new Date(emittedAt).toISOString()}","url":"${url}",${extra}"data":${json}}`
}

export function renderTombstone(scope: ReadScope, { connectionId, key, deletedAt }: Tombstone): string {
  const at = new Date(deletedAt).toISOString()
  return `{${identity(scope, connectionId, key)},"emitted_at":"${at}","deleted":true,"deleted_at":"${at}"}`
}

function identity(scope: ReadScope, connectionId: string, key: string): string {
  const members = {
    object: 'record',
    id: key,
    stream: scope.stream.name,
    connection_id: connectionId,
    connector_key: scope.connectorKey,
  }
  return JSON.stringify(members).slice(1, -1)
}

/**
 * A record that is larger than a whole page: its large fields become descriptors that say how to read them, and where
 * that is not enough, its largest remaining fields are named only. Nothing is left out without being told.
 */
export function renderDescribed(
  scope: ReadScope,
  urls: RecordUrls,
  record: ScopedRecord,
  maxBytes: number,
  extra = '',
) {
  const data = parseJson(record.json) as Record<string, unknown>
  const bySize = Object.entries(data)
    .map(([name, value]) => ({ name, value, json: JSON.stringify(value) }))
    .sort((a, b) => b.json.length - a.json.length)
  const described: string[] = []
  const render = () =>
    renderRecord(
      scope,
      urls,
      { ...record, json: JSON.stringify(data) },
      `${extra}"described_fields":${JSON.stringify(described)},`,
    )
  for (const { name, value, json } of bySize) {
    if (Buffer.byteLength(json) <= DESCRIBED_FIELD_BYTES) break
    data[name] = describeField(scope, record, name, value, json)
    described.push(name)
  }
  let row = render()
  for (const { name } of bySize) {
    if (Buffer.byteLength(row) <= maxBytes) break
    delete data[name]
    if (!described.includes(name) && described.length < MAX_NAMED) described.push(name)
    row = render()
  }
  return { row, described }
}

const MAX_NAMED = 20

function describeField(scope: ReadScope, record: ScopedRecord, field: string, value: unknown, json: string) {
  const text = typeof value === 'string' ? value : canonicalJson(value)
  return {
    object: 'field_descriptor',
    type: typeof value === 'string' ? 'string' : Array.isArray(value) ? 'array' : 'object',
    size_bytes: Buffer.byteLength(json),
    total_chars: countChars(text),
    preview: previewChars(text, PREVIEW_CHARS),
    read: {
      object: 'field_window_read',
      method: 'GET',
      route: windowRoute(scope, record.key),
      field,
      connection_id: record.connectionId,
    },
  }
}

export function recordRoute(scope: ReadScope, key: string): string {
  return `/v1/streams/${encodeURIComponent(scope.stream.name)}/records/${encodeURIComponent(key)}`
}

export function windowRoute(scope: ReadScope, key: string): string {
  return `${recordRoute(scope, key)}/field-window`
}
