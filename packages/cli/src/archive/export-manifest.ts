/** The last file of an export: what the others must be. */
export const EXPORT_MANIFEST = 'manifest.json'
export const EXPORT_FORMAT = 'pdpp-export'
export const EXPORT_VERSION = 1
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
export const recordsFile = (connectionId: string, stream: string): string => `records/${connectionId}/${stream}.jsonl`

export function recordsOf(name: string): { connectionId: string; stream: string } | undefined {
  const [, connectionId, stream] = /^records\/([^/]+)\/([^/]+)\.jsonl$/.exec(name) ?? []
  return connectionId === undefined || stream === undefined ? undefined : { connectionId, stream }
}
