import { type BlobPath, blobReferences, parseBlobId, RECORD_BLOBS } from '@pdpp/protocol'
import type { BlobUse } from '../records/record-store.ts'

/** Returns the blobs that a record refers to, or an error message. */
export function blobUses(paths: readonly BlobPath[], data: Record<string, unknown>): BlobUse[] | string {
  const references = blobReferences(paths, data)
  if (references.length > RECORD_BLOBS) return `The record refers to more than ${RECORD_BLOBS} blobs.`
  const uses: BlobUse[] = []
  for (const { field, path, members } of references) {
    const sha256 = parseBlobId(String(members['blob_id']))
    if (sha256 === undefined) return `${path}/blob_id is not an id that POST /v1/blobs gives.`
    if (typeof members['sha256'] === 'string' && members['sha256'] !== sha256)
      return `${path}/sha256 is not that of its blob_id.`
    const size = members['size_bytes']
    delete members['fetch_url']
    uses.push({ field, path, sha256, sizeBytes: typeof size === 'number' ? size : undefined })
  }
  return uses
}
