import type { WeightedWord } from './word-weight.ts'

/** The index of one feed as a search sees it: granted columns only, records in scope only. */
export interface SearchedIndex {
  readonly documents: number
  /** Whether other records of the feed are out of scope. */
  readonly isPart?: boolean
  /** The search fields, in the order of `field` and of the lengths below. */
  readonly fields: readonly SearchedField[]
  /** How many documents match; exact where few do. Null asks for what the query demands and no word. */
  frequency(asked: string | null): number
  /** The newest that match, at most `limit`; looking at the newest share of the documents only, where one is given. */
  newest(asked: string | null, limit: number, share?: number): readonly number[]
  /** How many match, counted no further than `most`. */
  countUpTo(asked: string, most: number): number
  /** Where the word and its forms stand; in these documents only, where some are given. */
  occurrences(word: WeightedWord, within?: readonly number[]): readonly Occurrences[]
}

export interface SearchedField {
  /** The same for the same field of the same stream: lengths are compared within it. */
  readonly key: string
  /** `x_pdpp_role`, where declared. */
  readonly role?: string | undefined
}

/** Where a word stands, as columns of numbers: thousands of places come at once. The same document's are side by side. */
export interface Occurrences {
  readonly count: number
  readonly ids: Float64Array
  /** Which of the search fields. */
  readonly fields: Uint16Array
  readonly positions: Uint32Array
  /** How many words are in each search field of the document, for one place after another. */
  readonly lengths: Uint32Array
  /** What stands there; null where it can only be the word itself. */
  readonly terms: readonly string[] | null
}
