import { blobPaths, blobReferences, parseBlobId, parseJson } from '@pdpp/protocol'
import type { ReadScope } from '../grants/read-scope.ts'
import type { ScopedRecord } from './record-store.ts'

/** Where the bytes behind a reference are read. It names the connection, so that it is enough by itself. */
export function blobUrl(id: string, connectionId: string): string {
  return `/v1/blobs/${encodeURIComponent(id)}?connection_id=${encodeURIComponent(connectionId)}`
}

/** A record's JSON with the address of each blob that it refers to; any other passes as it is. */
export function withBlobUrls({ stream }: ReadScope, { json, connectionId }: ScopedRecord): string {
  const places = blobPaths(stream)
  if (places.length === 0 || !json.includes('"blob_id"')) return json
  const data = parseJson(json) as Record<string, unknown>
  for (const { members } of blobReferences(places, data)) {
    const id = String(members['blob_id'])
    if (parseBlobId(id) === undefined) delete members['fetch_url']
    else members['fetch_url'] = blobUrl(id, connectionId)
  }
  return JSON.stringify(data)
}
