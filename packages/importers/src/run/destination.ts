import type { SourceDeclaration } from '@pdpp/protocol'
import type { ImportedRecord } from '../importer.ts'
import type { BlobDestination } from './blob-delivery.ts'

export interface DestinationConnection {
  readonly connectionId: string
  readonly connectorKey: string
  readonly displayName?: string | undefined
}

export interface ConnectionRequest {
  readonly connectorKey: string
  /** If undefined, the server chooses an id. */
  readonly connectionId: string | undefined
  readonly displayName: string
}

export interface IngestTarget {
  readonly connectorKey: string
  readonly connectionId: string
  readonly stream: string
}

/** One record in the form that a destination writes. */
export type IngestRow = Pick<ImportedRecord, 'key' | 'data'>

/** The result for the rows of one call. */
export interface IngestResult {
  readonly attempted: number
  /** Records that the server now has as they were sent, including unchanged ones. */
  readonly accepted: number
  /** Accepted records that the server already had. */
  readonly unchanged: number
  readonly rejected: number
  /** `index`: the number of the row in this call, from 0. */
  readonly rejections: readonly { readonly index: number; readonly message: string }[]
}

/**
 * Receives the records of an import: a server over HTTP, or the server in this process. When it refuses a call, it
 * throws an error with a `status`.
 */
export interface Destination extends BlobDestination {
  sources(): Promise<readonly SourceDeclaration[]>
  declare(declaration: SourceDeclaration): Promise<void>
  connections(): Promise<readonly DestinationConnection[]>
  /** Returns the id of the new connection. */
  connect(request: ConnectionRequest): Promise<string>
  /** The number of records in each stream of a connection. */
  recordCounts(connectionId: string): Promise<ReadonlyMap<string, number>>
  /** Writes records of one stream. */
  ingest(target: IngestTarget, rows: readonly IngestRow[]): Promise<IngestResult>
}
