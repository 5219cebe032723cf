import { createHash } from 'node:crypto'
import { blobId } from '@pdpp/protocol'
import type { ImportedBlob } from '../importer.ts'

/** As a schema declares it: what makes a field a reference to a blob is its shape. */
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

/** Bytes that are at hand, as what comes with a record. */
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

/** What the record says of it: an id is made of the content, so it is known before the bytes are sent. */
export const blobReference = ({ sha256, sizeBytes, mimeType }: ImportedBlob) => ({
  blob_id: blobId(sha256),
  sha256,
  size_bytes: sizeBytes,
  mime_type: mimeType,
})
