/** The last file of an export. It lists the other files with their sizes and hashes. */
export const EXPORT_MANIFEST = 'manifest.json'
export const EXPORT_FORMAT = 'pdpp-export'
/** An export without blobs keeps version 1, so that older programs can read it. */
export const EXPORT_VERSION = { plain: 1, withBlobs: 2 } as const
export const CONNECTIONS = 'connections.jsonl'

export interface ExportedFile {
  readonly name: string
  readonly bytes: number
  readonly rows: number
  readonly sha256: string
}

export interface ExportManifest {
  readonly format: typeof EXPORT_FORMAT
  readonly version: number
  readonly created_at: string
  readonly files: readonly ExportedFile[]
}

export const sourceFile = (connectorKey: string): string => `sources/${connectorKey}.json`
/** One line per blob: its type and size, and a record that refers to it. The bytes are in `blobFile`. */
export const BLOBS = 'blobs.jsonl'
export const blobFile = (sha256: string): string => `blobs/${sha256}`

export function blobOf(name: string): string | undefined {
  return /^blobs\/([0-9a-f]{64})$/.exec(name)?.[1]
}

export const recordsFile = (connectionId: string, stream: string): string => `records/${connectionId}/${stream}.jsonl`

export function recordsOf(name: string): { connectionId: string; stream: string } | undefined {
  const [, connectionId, stream] = /^records\/([^/]+)\/([^/]+)\.jsonl$/.exec(name) ?? []
  return connectionId === undefined || stream === undefined ? undefined : { connectionId, stream }
}
