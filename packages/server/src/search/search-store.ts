import type { ReadScope } from '../grants/read-scope.ts'
import type { RequestSignal } from '../lib/request-signal.ts'
import type { FieldCondition } from '../records/filter.ts'
import type { HitEvidence } from './evidence/hit-evidence.ts'
import type { Label } from './evidence/label.ts'
import type { Preview } from './evidence/preview.ts'
import type { RankPosition } from './ranking/scoring/top-ranks.ts'

/** One stream to search: its scope, its searched fields and the conditions of the request. */
export interface SearchedStream {
  readonly scope: ReadScope
  /** Declared search fields that the grant includes. */
  readonly fields: readonly string[]
  readonly conditions: readonly FieldCondition[]
}

/** A page of a search. */
export interface PageRequest {
  readonly text: string
  readonly limit: number
  /** The position of the last hit of the previous page. */
  readonly after?: RankPosition | undefined
  /** True if matches in excerpts are put between `<mark>` and `</mark>`. */
  readonly highlight?: boolean
}

/** 2: the record has every word of the query; 1: every word of content; 0: some. */
export type Tier = 0 | 1 | 2

/** A record with words of the query, next to a hit that has none of them. It is inside the scope. */
export interface NeighbourPlace {
  readonly edition: number
  readonly feed: number
  readonly number: number
}

/** `words`: the record has words of the query itself. `context`: only records directly before or after it have some. */
export type MatchKind = 'words' | 'context'

/** A hit as plain data, so that one thread can pass it to another. It contains nothing that the scope hides. */
export interface FoundRecord extends HitEvidence {
  /** Position of its stream in the targets of the search. */
  readonly target: number
  readonly number: number
  readonly connectionId: string
  readonly key: string
  readonly emittedAt: number
  readonly tier: Tier
  readonly match: MatchKind
  readonly label: Label
  /** For a match by context, the neighbour whose words count most. */
  readonly context: ShownNeighbour | undefined
  readonly position: RankPosition
}

/** A neighbour in the form that a hit shows. It is in the same stream of the same connection. */
export interface ShownNeighbour extends Pick<Label, 'actor' | 'authoredAt'> {
  readonly number: number
  readonly key: string
  /** Undefined if the neighbour has no text, or if the page already shows it above. */
  readonly preview: Preview | undefined
}

/** A word of the query, and how many records have it or a form of it. */
export interface FoundWord {
  readonly term: string
  readonly records: number
  /** If no record has the word: the nearest words that some records have, with exact counts. */
  readonly nearest: readonly { readonly term: string; readonly records: number }[]
}

export interface SearchOutcome {
  /** Hits in their order, the best first. */
  readonly found: readonly FoundRecord[]
  readonly hasMore: boolean
  /** Number of matching records, exact, and how many of them each target has. */
  readonly total: number
  readonly totals: readonly number[]
  readonly words: readonly FoundWord[]
  /** Set if almost no record has all words: how many matching records have each word of content, as it was typed. */
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

/** Counts are shown as exact up to this limit; above it the answer says that there are more (point 32). */
export const MAX_COUNTED = 10_000

export interface SearchReader {
  /** Stops when the signal is aborted. */
  search(targets: readonly SearchedStream[], page: PageRequest, signal?: RequestSignal): Promise<SearchOutcome>
}
