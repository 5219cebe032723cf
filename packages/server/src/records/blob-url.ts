import { blobPaths, blobReferences, parseBlobId, parseJson } from '@pdpp/protocol'
import type { ReadScope } from '../grants/read-scope.ts'
import type { ScopedRecord } from './record-store.ts'

/** URL of a blob's bytes. It names the connection, so that clients need no other parameter. */
export function blobUrl(id: string, connectionId: string): string {
  return `/v1/blobs/${encodeURIComponent(id)}?connection_id=${encodeURIComponent(connectionId)}`
}

/** Adds the URL of each referenced blob to a record's JSON. Returns other records unchanged. */
export function withBlobUrls({ stream }: ReadScope, { json, connectionId }: ScopedRecord): string {
  const paths = blobPaths(stream)
  if (paths.length === 0 || !json.includes('"blob_id"')) return json
  const data = parseJson(json) as Record<string, unknown>
  for (const { members } of blobReferences(paths, data)) {
    const id = String(members['blob_id'])
    if (parseBlobId(id) === undefined) delete members['fetch_url']
    else members['fetch_url'] = blobUrl(id, connectionId)
  }
  return JSON.stringify(data)
}
