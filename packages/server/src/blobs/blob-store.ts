import type { ReadScope } from '../grants/read-scope.ts'
import type { FeedKey, ScopedRecord } from '../records/record-store.ts'

/** The bytes that records refer to. Equal bytes are stored once. */
export interface StoredBlob {
  readonly sha256: string
  readonly sizeBytes: number
  /** As first uploaded. The media type in a record takes precedence. */
  readonly mimeType: string | undefined
}

/** The record that will refer to the bytes, and its position: `@record` for any, or a JSON Pointer (RFC 6901). */
export interface BlobTarget extends FeedKey {
  readonly key: string
  readonly path: string
}

export interface BlobUpload {
  readonly bytes: AsyncIterable<Uint8Array>
  readonly mimeType: string | undefined
  /** Size announced by the client, if any. */
  readonly declaredBytes: number | undefined
  readonly maxBytes: number
}

/** Inclusive on both sides. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/** A blob, and the record in scope that refers to it. Bytes can only be read through such a record. */
export interface ReferredBlob {
  readonly record: ScopedRecord
  readonly path: string
  readonly blob: StoredBlob
  /** The stream ends if the reader is idle for `idleMs` or the blob is deleted. Undefined if the bytes are missing. */
  open(range: ByteRange, idleMs: number): Promise<ReadableStream<Uint8Array> | undefined>
}

export interface BlobStore {
  /**
   * Stores the bytes completely or not at all, without buffering them in memory. They are kept for a day until a record
   * refers to them, and then as long as any record does.
   */
  put(target: BlobTarget, upload: BlobUpload): Promise<StoredBlob>
  /** Returns one entry per connection with a record in scope that refers to the blob through a field of the scope. */
  referring(scope: ReadScope, sha256: string): Promise<ReferredBlob[]>
  /** Runs at startup: deletes unreferenced blobs and remains of interrupted uploads and deletions. */
  sweep(): Promise<void>
}
