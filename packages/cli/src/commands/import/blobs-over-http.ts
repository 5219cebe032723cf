import type { BlobDestination } from '@pdpp/importers'
import { blobId } from '@pdpp/protocol'
import type { OwnerApi } from '../../provider/owner-api.ts'

/** Sends files to the owner's routes. */
export function blobsOverHttp(api: OwnerApi): BlobDestination {
  return {
    hasBlob: (connectionId, sha256) => {
      const params = new URLSearchParams({ connection_id: connectionId })
      return api.exists(`/v1/blobs/${blobId(sha256)}?${params}`)
    },
    putBlob: async ({ connectorKey, connectionId, stream, key }, blob) => {
      const params = new URLSearchParams({
        connector_id: connectorKey,
        connection_id: connectionId,
        stream,
        record_key: typeof key === 'string' ? key : JSON.stringify(key),
        json_path: blob.path,
        mime_type: blob.mimeType,
      })
      return (await api.upload<{ sha256: string }>(`/v1/blobs?${params}`, blob.open())).sha256
    },
  }
}
