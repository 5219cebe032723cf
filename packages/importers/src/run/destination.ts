import type { IngestReply, SourceDeclaration } from '@pdpp/protocol'
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

/** Where records go: a server over HTTP, or the one that this runs in. What it refuses it throws, with a `status`. */
export interface Destination extends BlobDestination {
  sources(): Promise<readonly SourceDeclaration[]>
  declare(declaration: SourceDeclaration): Promise<void>
  connections(): Promise<readonly DestinationConnection[]>
  /** The id of the new connection. */
  connect(request: ConnectionRequest): Promise<string>
  /** How many records each stream of a connection has. */
  recordCounts(connectionId: string): Promise<ReadonlyMap<string, number>>
  /** Lines of NDJSON, of one stream. */
  ingest(
    target: { readonly connectorKey: string; readonly connectionId: string; readonly stream: string },
    lines: readonly string[],
  ): Promise<IngestReply>
}
