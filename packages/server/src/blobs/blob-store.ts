import type { ReadScope } from '../grants/read-scope.ts'
import type { FeedKey, ScopedRecord } from '../records/record-store.ts'

/** Bytes that records refer to, kept once for however many do. */
export interface StoredBlob {
  readonly sha256: string
  readonly sizeBytes: number
  /** As it was first sent; what a record says of it goes before. */
  readonly mimeType: string | undefined
}

/** The record that is going to refer to the bytes, and where: `@record` for anywhere, or an RFC 6901 pointer. */
export interface BlobTarget extends FeedKey {
  readonly key: string
  readonly path: string
}

export interface BlobUpload {
  readonly bytes: AsyncIterable<Uint8Array>
  readonly mimeType: string | undefined
  /** What the sender says, where it does. */
  readonly declaredBytes: number | undefined
  readonly maxBytes: number
}

/** Inclusive on both sides. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/** A blob as a scope shows it: the record that refers to it, and where. It is the only way to the bytes. */
export interface ReferredBlob {
  readonly record: ScopedRecord
  readonly path: string
  readonly blob: StoredBlob
  /** Ends when nobody takes anything for so long, or when the blob is removed. Undefined where the bytes are missing. */
  open(range: ByteRange, idleMs: number): Promise<ReadableStream<Uint8Array> | undefined>
}

export interface BlobStore {
  /**
   * Takes in bytes without holding them in memory, whole or not at all. They stay for a day until the record comes
   * that refers to them, and from then on for as long as one does.
   */
  put(target: BlobTarget, upload: BlobUpload): Promise<StoredBlob>
  /** One for each connection of the scope with a record in reach that refers to it, by a field that the scope shows. */
  referring(scope: ReadScope, sha256: string): Promise<ReferredBlob[]>
  /** At the start: removes what nobody refers to or waits for, and what uploads and removals left that were cut off. */
  sweep(): Promise<void>
}
