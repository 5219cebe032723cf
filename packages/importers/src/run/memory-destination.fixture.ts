import { canonicalJson, type SourceDeclaration } from '@pdpp/protocol'
import type { ImportedBlob } from '../importer.ts'
import type { BlobField } from './blob-delivery.ts'
import type {
  ConnectionRequest,
  Destination,
  DestinationConnection,
  IngestResult,
  IngestTarget,
} from './destination.ts'

/** Keeps records in memory and counts them as a server does. */
export class MemoryDestination implements Destination {
  readonly declared = new Map<string, SourceDeclaration>()
  readonly records = new Map<string, Map<string, string>>()
  readonly #connections: DestinationConnection[] = []
  readonly #blobs = new Set<string>()

  async sources(): Promise<SourceDeclaration[]> {
    return [...this.declared.values()]
  }

  async declare(declaration: SourceDeclaration): Promise<void> {
    this.declared.set(declaration.connector_key, declaration)
  }

  async connections(): Promise<DestinationConnection[]> {
    return this.#connections
  }

  async connect({ connectorKey, connectionId = connectorKey, displayName }: ConnectionRequest): Promise<string> {
    this.#connections.push({ connectorKey, connectionId, displayName })
    return connectionId
  }

  async recordCounts(connectionId: string): Promise<Map<string, number>> {
    const own = [...this.records].map(([key, rows]) => [JSON.parse(key) as [string, string], rows.size] as const)
    return new Map(own.filter(([[id]]) => id === connectionId).map(([[, stream], size]) => [stream, size]))
  }

  async ingest(
    { connectionId, stream }: IngestTarget,
    rows: Parameters<Destination['ingest']>[1],
  ): Promise<IngestResult> {
    const key = JSON.stringify([connectionId, stream])
    const known = this.records.get(key) ?? new Map<string, string>()
    this.records.set(key, known)
    let unchanged = 0
    for (const row of rows) {
      const [id, content] = [JSON.stringify(row.key), canonicalJson(row.data)]
      if (known.get(id) === content) unchanged++
      known.set(id, content)
    }
    return { attempted: rows.length, accepted: rows.length, unchanged, rejected: 0, rejections: [] }
  }

  async hasBlob(connectionId: string, sha256: string): Promise<boolean> {
    return this.#blobs.has(`${connectionId} ${sha256}`)
  }

  async putBlob({ connectionId }: BlobField, blob: ImportedBlob): Promise<string> {
    for await (const _ of blob.open());
    this.#blobs.add(`${connectionId} ${blob.sha256}`)
    return blob.sha256
  }
}
