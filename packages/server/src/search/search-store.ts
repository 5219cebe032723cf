import type { ReadScope } from '../grants/read-scope.ts'
import type { RequestSignal } from '../lib/request-signal.ts'
import type { FieldCondition } from '../records/filter.ts'
import type { FieldScan } from './ranking/match-finder.ts'
import type { WeightedWord } from './ranking/word-weight.ts'

/** One stream to search: its scope, the fields whose words count, and the request's own conditions. */
export interface SearchedStream {
  readonly scope: ReadScope
  /** Declared search fields that the grant includes. */
  readonly fields: readonly string[]
  readonly conditions: readonly FieldCondition[]
}

/** A place in the ranking. */
export interface RankedRecord {
  readonly target: SearchedStream
  readonly number: number
  /** 2: every word of the query; 1: every word that carries meaning; 0: some. */
  readonly tier: 0 | 1 | 2
}

export interface FoundRecord extends RankedRecord {
  /** What was found in which field, by position in the target's fields. */
  readonly scans: readonly FieldScan[]
  readonly texts: readonly string[]
  readonly connectionId: string
  readonly key: string
  emittedAt(): number
  /** The record's members that the scope shows. */
  members(): Readonly<Record<string, unknown>>
}

export interface SearchOutcome {
  /** Best first, at most as many as were ranked. */
  readonly found: readonly RankedRecord[]
  /** Some of those with their texts: a page shows a few, and most need not be read. Leaves out what has gone since. */
  read(found: readonly RankedRecord[]): FoundRecord[]
  /** False when more records match than were ranked. */
  readonly complete: boolean
  readonly words: readonly WeightedWord[]
  /** How many records match, where it was asked for: counted no further than one more than `MAX_COUNTED`. */
  readonly matches: number | undefined
  /** Where hardly any record has all words: how many have each, as it was written, counted no further either. */
  readonly wordCounts: readonly { readonly word: string; readonly records: number }[] | undefined
  /** Fields of streams of which some text in scope is longer than what is searched. */
  readonly longFields: readonly LongField[]
  /** More was typed than counts. */
  readonly isCut: boolean
  /** How many feeds were searched, and how many of them have an index that is still being built. */
  readonly feeds: number
  readonly building: number
  /** When the newest indexed data came in; milliseconds. */
  readonly indexedThrough: number | undefined
}

export interface LongField {
  readonly stream: string
  readonly field: string
}

/** Numbers up to here are exact; beyond, it is said that there are more (point 32). */
export const MAX_COUNTED = 10_000

export interface SearchReader {
  /** Both stop when the caller does not wait for the answer any more. */
  search(
    targets: readonly SearchedStream[],
    text: string,
    signal?: RequestSignal,
    counted?: boolean,
  ): Promise<SearchOutcome>
  /** How many records match, counted in full; `found` is how many a search found, which is never more. */
  count(targets: readonly SearchedStream[], text: string, signal?: RequestSignal, found?: number): Promise<number>
}
