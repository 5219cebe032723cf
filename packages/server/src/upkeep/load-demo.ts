import { Readable } from 'node:stream'
import { canonicalKey, requireDeclaration } from '@pdpp/protocol'
import type { BlobService } from '../blobs/blob-service.ts'
import type { IngestService } from '../ingest/ingest-service.ts'
import { OWNER } from '../owner.ts'
import type { FeedKey } from '../records/record-store.ts'
import type { ConnectionService } from '../sources/connections/connection-service.ts'
import type { ConnectionStore } from '../sources/connections/connection-store.ts'
import type { SourceStore } from '../sources/declarations/source-store.ts'

const FILES_AT_ONCE = 32

export interface DemoServices {
  readonly storage: { readonly sources: SourceStore; readonly connections: ConnectionStore }
  readonly connections: ConnectionService
  readonly ingest: IngestService
  readonly blobs: BlobService
}

export interface DemoResult {
  readonly records: number
  readonly connections: number
}

/**
 * Max. attempts to find a free id. The id of a removed connection stays reserved, so a demo that is loaded again needs
 * other ids.
 */
const MAX_TRIES = 50

/**
 * Loads the demo owner's year through the normal ingest path. Can be repeated with the same connections. Calls
 * `onConnection` for each new connection before writing anything into it.
 */
export async function loadDemo(
  services: DemoServices,
  known: ReadonlyMap<string, string>,
  onConnection: (name: string, connectionId: string) => Promise<void>,
): Promise<DemoResult> {
  const { demoConnections, demoRecords, demoSources } = await import('@pdpp/demo')
  for (const source of demoSources) await services.storage.sources.declare(OWNER, requireDeclaration(source))
  const feeds = new Map<string, { readonly connectorKey: string; readonly connectionId: string }>()
  for (const { connection_id: name, connector_key: connectorKey, display_name: displayName } of demoConnections) {
    const connectionId = known.get(name) ?? (await newConnection(services, { name, connectorKey, displayName }))
    if (!known.has(name)) await onConnection(name, connectionId)
    feeds.set(name, { connectorKey, connectionId })
  }
  let records = 0
  for (const { connectionId: name, stream, rows, files } of batches(demoRecords())) {
    const feed = { subjectId: OWNER, ...feeds.get(name)!, stream }
    await putFiles(services, feed, files)
    const result = await services.ingest.ingestRows(feed, rows)
    if (result.rejected > 0)
      throw new Error(
        `The demo data of ${name}/${stream} does not fit its declaration: ${JSON.stringify(result.rejections[0])}`,
      )
    records += result.attempted
  }
  return { records, connections: demoConnections.length }
}

interface DemoConnection {
  readonly name: string
  readonly connectorKey: string
  readonly displayName: string
}

async function newConnection(
  services: DemoServices,
  { name, connectorKey, displayName }: DemoConnection,
): Promise<string> {
  const now = Date.now()
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const connectionId = tries === 1 ? name : `${name}-${tries}`
    const connection = { connectionId, connectorKey, displayName, createdAt: now, updatedAt: now }
    const isNew = await services.storage.connections.create(OWNER, connection)
    if (isNew || (await services.storage.connections.find(OWNER, connectionId))) return connectionId
  }
  throw new Error(`The demo was loaded and removed ${MAX_TRIES} times. Start with a new data directory.`)
}

/** The keys of all demo records, by connection and stream. */
export async function demoKeys(): Promise<Map<string, Map<string, (string | readonly string[])[]>>> {
  const { demoRecords } = await import('@pdpp/demo')
  const keys = new Map<string, Map<string, (string | readonly string[])[]>>()
  for (const { connection_id: name, stream, key } of demoRecords() as Iterable<DemoRecord>) {
    const streams = keys.get(name) ?? new Map()
    keys.set(name, streams)
    const list = streams.get(stream) ?? []
    streams.set(stream, list)
    list.push(key)
  }
  return keys
}

/** Stores files before the records that refer to them, several at a time because each waits for the disk. */
async function putFiles(services: DemoServices, feed: FeedKey, files: readonly DemoFile[]): Promise<void> {
  for (let at = 0; at < files.length; at += FILES_AT_ONCE)
    await Promise.all(
      files.slice(at, at + FILES_AT_ONCE).map(({ key, mime_type, bytes }) => {
        const upload = { bytes: Readable.from([bytes]), mimeType: mime_type, declaredBytes: bytes.length }
        return services.blobs.put({ ...feed, key, path: '/blob_ref' }, upload)
      }),
    )
}

interface DemoRecord {
  readonly connection_id: string
  readonly stream: string
  readonly key: string | readonly string[]
  readonly data: Record<string, unknown>
  readonly emitted_at: string
  readonly file?: { readonly mime_type: string; readonly bytes: Uint8Array }
}

interface DemoFile {
  readonly key: string
  readonly mime_type: string
  readonly bytes: Uint8Array
}

interface Batch {
  readonly connectionId: string
  readonly stream: string
  readonly rows: Record<string, unknown>[]
  readonly files: DemoFile[]
}

/** Groups consecutive records of the same feed into one batch. */
function* batches(records: Iterable<DemoRecord>): Iterable<Batch> {
  let current: Batch | undefined
  for (const { connection_id: connectionId, stream, file, ...row } of records) {
    if (current && (current.connectionId !== connectionId || current.stream !== stream)) {
      yield current
      current = undefined
    }
    current ??= { connectionId, stream, rows: [], files: [] }
    current.rows.push(row)
    if (file) current.files.push({ key: canonicalKey([row.key].flat()), ...file })
  }
  if (current) yield current
}
