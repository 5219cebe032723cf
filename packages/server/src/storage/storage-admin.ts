import type { SourceDeclaration } from '@pdpp/protocol'

/** Work on a whole store, with or without a running server. Every kind of store implements it. */
export interface StorageAdmin {
  /** Whether this program makes backups itself, or the tools of the database make them. */
  readonly backups: 'own' | 'database'
  /** Whether there is a store. Never creates one. */
  hasData(): Promise<boolean>
  openExport(subjectId: string): Promise<ExportSource>
}

/** All data of one owner at one moment. */
export interface ExportSource {
  readonly declarations: readonly SourceDeclaration[]
  readonly connections: readonly ExportedConnection[]
  readonly streams: readonly ExportedStream[]
  readonly blobs: readonly ExportedBlob[]
  /** Blobs whose bytes are missing. */
  readonly missingBlobs: number
  close(): Promise<void>
}

export interface ExportedConnection {
  readonly connection_id: string
  readonly connector_key: string
  readonly display_name: string | null
}

export interface ExportedStream {
  readonly connectionId: string
  readonly stream: string
  /** One NDJSON line per record in the order of arrival, in the format of ingest. */
  lines(): Iterable<string> | AsyncIterable<string>
}

/** A blob, and one record that refers to it. */
export interface BlobEntry {
  readonly sha256: string
  readonly size_bytes: number
  readonly mime_type: string | null
  readonly connection_id: string
  readonly stream: string
  readonly record_key: string
  readonly json_path: string
}

export interface ExportedBlob {
  readonly entry: BlobEntry
  bytes(): AsyncIterable<Uint8Array>
}
