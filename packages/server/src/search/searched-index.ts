import type { WeightedWord } from './word-weight.ts'

/** The index of one feed as a search sees it: granted columns only, records in scope only. */
export interface SearchedIndex {
  readonly documents: number
  /** The search fields, in the order of `field` and of the lengths below. */
  readonly fields: readonly SearchedField[]
  /** How many documents match; exact where few do. Null asks for what the query demands and no word. */
  frequency(asked: string | null): number
  /** The newest that match, at most `limit`; looking at the newest share of the documents only, where one is given. */
  newest(asked: string | null, limit: number, share?: number): readonly number[]
  /** How many match, counted no further than `most`. */
  countUpTo(asked: string, most: number): number
  /** Every place where the word or one of its forms stands; in these documents only, where some are given. */
  eachOccurrence(word: WeightedWord, emit: EmitOccurrence, within?: readonly number[]): void
}

export interface SearchedField {
  /** The same for the same field of the same stream: lengths are compared within it. */
  readonly key: string
  /** `x_pdpp_role`, where declared. */
  readonly role?: string | undefined
}

/** `lengths` are the words in each field; the list is only lent. The term is null where it can only be the word itself. */
export type EmitOccurrence = (
  id: number,
  field: number,
  position: number,
  lengths: readonly number[],
  term: string | null,
) => void
