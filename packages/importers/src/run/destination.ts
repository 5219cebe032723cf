import type { IngestReply, SourceDeclaration } from '@pdpp/protocol'
import type { ImportedRecord } from '../importer.ts'
import type { BlobDestination } from './blob-delivery.ts'

export interface DestinationConnection {
  readonly connectionId: string
  readonly connectorKey: string
}

export interface ConnectionRequest {
  readonly connectorKey: string
  /** Undefined: one is made up. */
  readonly connectionId: string | undefined
  readonly displayName: string
}

export interface IngestTarget {
  readonly connectorKey: string
  readonly connectionId: string
  readonly stream: string
}

/** One record as a destination writes it. */
export type IngestRow = Pick<ImportedRecord, 'key' | 'data'>

/** Where records go: a server over HTTP, or the one that this runs in. What it refuses it throws, with a `status`. */
export interface Destination extends BlobDestination {
  sources(): Promise<readonly SourceDeclaration[]>
  declare(declaration: SourceDeclaration): Promise<void>
  connections(): Promise<readonly DestinationConnection[]>
  /** The id of the new connection. */
  connect(request: ConnectionRequest): Promise<string>
  /** How many records each stream of a connection has. */
  recordCounts(connectionId: string): Promise<ReadonlyMap<string, number>>
  /** Writes records of one stream. The reply numbers them from 0. */
  ingest(target: IngestTarget, rows: readonly IngestRow[]): Promise<IngestReply>
}
