import type { DocumentColumns } from './document-columns.ts'

/**
 * A document is one version of a record in the index: the texts of its search fields. A slot is the position of a
 * search field in the edition, and `texts` has one text per slot.
 */
export interface IndexedDocument {
  /**
   * An edition is one indexing of one feed, which is one stream of one connection. If the search fields of the feed
   * change, it gets a new edition.
   */
  readonly edition: number
  readonly number: number
  readonly times: readonly [number, number]
  /** The conversation of the record, if it has one. */
  readonly group: string | null
  readonly texts: readonly string[]
}

/** One term of a segment, encoded: its postings and the places of its occurrences. */
export interface TermBytes {
  readonly entries: number
  readonly postings: Uint8Array
  readonly places: Uint8Array
}

/**
 * A part is a group of neighbouring terms of a segment, encoded together: their names and sizes, then the postings and
 * the places of each term.
 */
export interface WordPart {
  readonly terms: Uint8Array
  readonly postings: Uint8Array
  readonly places: Uint8Array
}

/** A segment contains documents and the words in them. Segments never change. They are merged into new ones. */
export interface Segment {
  readonly columns: DocumentColumns
  /** In ascending order of terms, by UTF-16 units. */
  readonly parts: readonly WordPart[]
}

/**
 * A document's number in its segment has 16 bits. Merging a full segment takes some tenths of a second, in another
 * thread.
 */
export const MAX_DOCUMENTS = 65_536
