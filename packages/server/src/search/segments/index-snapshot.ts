import type { DocumentColumns } from './document-columns.ts'
import type { Postings } from './postings-codec.ts'

/** A segment as a search sees it. */
export interface ListedSegment {
  /** Never used again, so caches can be named by it. */
  readonly segment: number
  readonly columns: DocumentColumns
  /** Documents that were replaced or deleted since the segment was written. */
  readonly dead: ReadonlySet<number>
}

/** One consistent view of an owner's word index. Stores implement it; everything that ranks reads nothing else. */
export interface IndexSnapshot {
  /** From the oldest to the newest. */
  readonly segments: readonly ListedSegment[]
  /** The postings of a term in a segment, by its position in `segments`. */
  postings(term: string, at: number): Postings | undefined
  /** The encoded places of the same term and segment. */
  places(term: string, at: number): Uint8Array
  /** All terms with this beginning, in any order. Some may stand in hidden or dead documents only. */
  termsFrom(prefix: string): Iterable<string>
}
