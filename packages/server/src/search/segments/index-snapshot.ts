import type { DocumentColumns } from './document-columns.ts'
import type { Postings } from './postings-codec.ts'

/** A segment as a search sees it. */
export interface ListedSegment {
  /** The number of the segment. It is never reused, so caches can use it as a name. */
  readonly segment: number
  readonly columns: DocumentColumns
  /** Numbers of the documents that were replaced or deleted since the segment was written. */
  readonly dead: ReadonlySet<number>
}

/** One consistent view of an owner's word index. Stores implement it. The ranking reads nothing else. */
export interface IndexSnapshot {
  /** From the oldest to the newest. */
  readonly segments: readonly ListedSegment[]
  /** The postings of a term in a segment. `at` is the position of the segment in `segments`. */
  postings(term: string, at: number): Postings | undefined
  /** The encoded places of the same term in the same segment. */
  places(term: string, at: number): Uint8Array
  /** All terms with this beginning, in any order. Some may occur only in hidden or dead documents. */
  termsFrom(prefix: string): Iterable<string>
}
