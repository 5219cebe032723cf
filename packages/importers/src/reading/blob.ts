import { createHash } from 'node:crypto'
import { blobId } from '@pdpp/protocol'
import type { ImportedBlob } from '../importer.ts'

/** The schema of a field that refers to a blob. The server recognises such a field by this shape. */
export const blobSchema = (description: string, more: object = {}) => ({
  type: ['object', 'null'],
  description,
  properties: {
    blob_id: { type: 'string' },
    sha256: { type: 'string' },
    size_bytes: { type: 'integer' },
    mime_type: { type: 'string' },
  },
  required: ['blob_id', 'sha256', 'size_bytes', 'mime_type'],
  ...more,
})

/** Makes a file of a record from bytes in memory. */
export function blobOf(path: string, bytes: Uint8Array, mimeType: string): ImportedBlob {
  return {
    path,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    sizeBytes: bytes.length,
    mimeType,
    async *open() {
      yield bytes
    },
  }
}

/** The member of the record that refers to the file. The id is a hash, so it is known before the bytes are sent. */
export const blobReference = ({ sha256, sizeBytes, mimeType }: ImportedBlob) => ({
  blob_id: blobId(sha256),
  sha256,
  size_bytes: sizeBytes,
  mime_type: mimeType,
})
