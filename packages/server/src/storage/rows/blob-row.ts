import type { StoredBlob } from '../../blobs/blob-store.ts'

export interface BlobRow {
  sha256: string
  size_bytes: number
  mime_type: string | null
}

export function blobFromRow(row: BlobRow): StoredBlob {
  return { sha256: row.sha256, sizeBytes: row.size_bytes, mimeType: row.mime_type ?? undefined }
}
