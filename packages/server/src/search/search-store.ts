import type { ReadScope } from '../grants/read-scope.ts'
import type { RequestSignal } from '../lib/request-signal.ts'
import type { FieldCondition } from '../records/filter.ts'
import type { FieldScan } from './ranking/match-finder.ts'
import type { WeightedWord } from './ranking/word-weight.ts'

/** One stream to search: its scope, its searched fields and the conditions of the request. */
export interface SearchedStream {
  readonly scope: ReadScope
  /** Declared search fields that the grant includes. */
  readonly fields: readonly string[]
  readonly conditions: readonly FieldCondition[]
}

export interface RankedRecord {
  readonly target: SearchedStream
  readonly number: number
  /** 2: contains every query word; 1: every content word; 0: some words. */
  readonly tier: 0 | 1 | 2
}

export interface FoundRecord extends RankedRecord {
  /** Matches per field, in the order of the target's fields. */
  readonly scans: readonly FieldScan[]
  readonly texts: readonly string[]
  readonly connectionId: string
  readonly key: string
  emittedAt(): number
  /** The members of the record that the scope includes. */
  members(): Readonly<Record<string, unknown>>
}

export interface SearchOutcome {
  /** Best first. Contains only the ranked records. */
  readonly found: readonly RankedRecord[]
  /** Reads the texts of some ranked records, because a page shows only a few. Leaves out records deleted since. */
  read(found: readonly RankedRecord[]): FoundRecord[]
  /** False if more records match than were ranked. */
  readonly complete: boolean
  readonly words: readonly WeightedWord[]
  /** Number of matching records if requested. Counting stops at `MAX_COUNTED + 1`. */
  readonly matches: number | undefined
  /**
   * Set if almost no record contains all words: the number of records per word, as typed. Counting stops at the same
   * limit.
   */
  readonly wordCounts: readonly { readonly word: string; readonly records: number }[] | undefined
  /** Fields with texts in scope that are longer than the searchable part. */
  readonly longFields: readonly LongField[]
  /** True if the query was longer than the limits and was cut. */
  readonly isCut: boolean
  /** Number of searched feeds, and of those whose index is still being built. */
  readonly feeds: number
  readonly building: number
  /** Time of the newest indexed data, in milliseconds. */
  readonly indexedThrough: number | undefined
}

export interface LongField {
  readonly stream: string
  readonly field: string
}

/** Counts are exact up to this limit; above it the answer says that there are more (point 32). */
export const MAX_COUNTED = 10_000

export interface SearchReader {
  /** Both methods stop when the signal is aborted. */
  search(
    targets: readonly SearchedStream[],
    text: string,
    signal?: RequestSignal,
    counted?: boolean,
  ): Promise<SearchOutcome>
  /** Counts all matching records. `found` is the number that a search found, which is a lower bound. */
  count(targets: readonly SearchedStream[], text: string, signal?: RequestSignal, found?: number): Promise<number>
}
