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

interface DemoServices {
  readonly storage: { readonly sources: SourceStore; readonly connections: ConnectionStore }
  readonly connections: ConnectionService
  readonly ingest: IngestService
  readonly blobs: BlobService
}

export interface DemoResult {
  readonly records: number
  readonly connections: number
}

/** Loads the demo owner's year through the normal ingest path. Safe to repeat. */
export async function loadDemo(services: DemoServices): Promise<DemoResult> {
  const { demoConnections, demoRecords, demoSources } = await import('@pdpp/demo')
  for (const source of demoSources) await services.storage.sources.declare(OWNER, requireDeclaration(source))
  for (const connection of demoConnections) {
    if (await services.storage.connections.find(OWNER, connection.connection_id)) continue
    await services.connections.create(OWNER, {
      connectorKey: connection.connector_key,
      connectionId: connection.connection_id,
      displayName: connection.display_name,
    })
  }
  let records = 0
  for (const { connectionId, stream, rows, files } of batches(demoRecords())) {
    const connectorKey = demoConnections.find((connection) => connection.connection_id === connectionId)!.connector_key
    const feed = { subjectId: OWNER, connectorKey, connectionId, stream }
    await putFiles(services, feed, files)
    const result = await services.ingest.ingestRows(feed, rows)
    if (result.rejected > 0)
      throw new Error(
        `The demo data of ${connectionId}/${stream} does not fit its declaration: ${JSON.stringify(result.rejections[0])}`,
      )
    records += result.attempted
  }
  return { records, connections: demoConnections.length }
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

/** True if the owner has no data yet, so that loading the demo would not mix with it. */
export async function isEmpty(services: Pick<DemoServices, 'storage'>): Promise<boolean> {
  return (await services.storage.sources.list(OWNER)).length === 0
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
