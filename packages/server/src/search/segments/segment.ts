import type { DocumentColumns } from './document-columns.ts'

/** A record as the index sees it: the texts of its search fields, in the order of the edition's slots. */
export interface IndexedDocument {
  /** One indexing of one feed. A feed whose search fields change gets a new edition. */
  readonly edition: number
  readonly number: number
  readonly times: readonly [number, number]
  /** The conversation that the record belongs to. */
  readonly group: string | null
  readonly texts: readonly string[]
}

/** One term of a segment, encoded. */
export interface TermBytes {
  readonly entries: number
  readonly postings: Uint8Array
  readonly places: Uint8Array
}

/** Neighbouring terms of a segment, encoded: their names and sizes, then what belongs to each of them. */
export interface WordPart {
  readonly terms: Uint8Array
  readonly postings: Uint8Array
  readonly places: Uint8Array
}

/** Documents and the words in them. Segments never change; they are merged into new ones. */
export interface Segment {
  readonly columns: DocumentColumns
  /** In ascending order of terms, by UTF-16 units. */
  readonly parts: readonly WordPart[]
}

/** Document numbers have 16 bits. A full segment takes some tenths of a second to merge, away from everything else. */
export const MAX_DOCUMENTS = 65_536
