import type { RequestSignal } from '../../../lib/request-signal.ts'
import type { Query } from '../../../search/query/query.ts'
import { feedExpression } from '../../../search/ranking/feed-expression.ts'
import { FREQUENCY_SAMPLE } from '../../../search/ranking/frequency.ts'
import type { Occurrences, SearchedField, SearchedIndex } from '../../../search/ranking/searched-index.ts'
import type { WeightedWord } from '../../../search/ranking/word-weight.ts'
import type { SearchedStream } from '../../../search/search-store.ts'
import type { Handle } from '../engine/database.ts'
import type { Feed } from '../records/feeds.ts'
import type { RecordRows } from '../records/record-rows.ts'
import type { RecordSets } from '../records/record-set.ts'
import type { Condition } from '../records/scope-sql.ts'
import { rankableFields } from './candidate-content.ts'
import { AllMatches, type IndexMatches, MatchesInSet, type Newest } from './index-matches.ts'
import { longTexts } from './long-texts.ts'
import { occurrencesOf } from './occurrences.ts'
import { type FeedIndex, feedIndex, indexTable, searchColumn } from './search-index.ts'
import { limitsOf } from './search-limits.ts'

/** Feeds are opened for one query within one stream. */
export interface FeedSearch {
  readonly target: SearchedStream
  readonly rows: RecordRows
  readonly query: Query
  readonly sets: RecordSets
  /** Looked at before each statement. */
  readonly signal: RequestSignal | undefined
}

/** One feed's word index, seen through a scope: only granted columns, only records inside the grant's limits. */
export class SearchedFeed implements SearchedIndex {
  readonly target: SearchedStream
  readonly rows: RecordRows
  /** The grant's and the request's, on single records. */
  readonly limits: readonly Condition[]
  readonly fields: readonly SearchedField[]
  /** The granted search fields and their columns. */
  readonly #columns: ReadonlyMap<string, string>
  /** Whether these are all columns of the index. */
  readonly #isWhole: boolean
  readonly #query: Query
  readonly #handle: Handle
  readonly #signal: RequestSignal | undefined
  readonly #feed: Feed
  readonly #matches: IndexMatches
  /** For each column of the index, its position among the searched fields; -1 if the column is not granted. */
  readonly #positions: readonly number[]
  /** The fields of the index, in its order. */
  readonly #indexed: string
  readonly #found = new Map<string, Newest>()

  private constructor(
    handle: Handle,
    { target, rows, query, signal }: FeedSearch,
    feed: Feed,
    index: FeedIndex,
    limits: readonly Condition[],
    matches: IndexMatches,
  ) {
    this.#signal = signal
    this.#handle = handle
    this.target = target
    this.rows = rows
    this.limits = limits
    this.#matches = matches
    this.#feed = feed
    this.#columns = columnsOf(index, target)
    this.#isWhole = this.#columns.size === index.fields.length
    this.#query = query
    this.fields = rankableFields(target)
    this.#indexed = index.fields.join()
    this.#positions = index.fields.map((field) => target.fields.indexOf(field))
  }

  /** Undefined where the feed has no finished index, or none of the fields. */
  static async open(handle: Handle, search: FeedSearch, feed: Feed): Promise<SearchedFeed | undefined> {
    const { target, rows, sets, signal } = search
    const index = feedIndex(handle, feed.feed)
    if (!index?.complete || columnsOf(index, target).size === 0) return
    const limits = limitsOf(target, rows)
    const table = indexTable(feed.feed)
    const matches =
      limits.length === 0
        ? new AllMatches(handle, table, feed.recordCount, edgesOf(handle, rows.table.table, feed.feed))
        : new MatchesInSet(handle, table, await sets.get(rows, feed, limits, signal))
    return new SearchedFeed(handle, search, feed, index, limits, matches)
  }

  get number(): number {
    return this.#feed.feed
  }

  get documents(): number {
    return this.#matches.documents
  }

  get isPart(): boolean {
    return this.limits.length > 0
  }

  /** False if the index was rebuilt since it was opened, because its columns may be other fields now. */
  isCurrent(): boolean {
    const index = feedIndex(this.#handle, this.#feed.feed)
    return index?.complete === true && index.fields.join() === this.#indexed
  }

  newest(asked: string | null, limit: number, share = 1): readonly number[] {
    const expression = this.#expression(asked)
    if (expression === null) return []
    if (share === 1) return this.#newest(expression, limit)
    this.#signal?.check()
    return this.#matches.newest(expression, limit, share).ids.slice(0, limit)
  }

  /** The word alone, whatever else the query demands: a weight must not depend on the rest. */
  wordFrequency(word: string): number {
    return this.#frequency(this.#alone(word))
  }

  /** How many records have the word, whatever else the query demands; counted no further than `most`. */
  countWord(word: string, most: number): number {
    const expression = this.#alone(word)
    return expression === null ? 0 : this.#counted(expression, most)
  }

  /** Fields in which some record in scope has more text than is indexed. */
  longFields(): string[] {
    const found = longTexts(this.#handle, this.#feed.feed).filter(
      ({ record, field }) => this.#columns.has(field) && this.#matches.has(record),
    )
    return [...new Set(found.map(({ field }) => field))]
  }

  frequency(asked: string | null): number {
    return this.#frequency(this.#expression(asked))
  }

  count(asked: string | null, most = Number.POSITIVE_INFINITY): number {
    const expression = this.#expression(asked)
    return expression === null ? 0 : this.#counted(expression, most)
  }

  countUpTo(asked: string, most: number): number {
    const expression = this.#expression(asked)!
    // For a part of the feed, read the record numbers, because they are needed later.
    if (this.isPart || this.#found.get(expression)?.complete) return this.#newest(expression, most).length
    return this.#counted(expression, most)
  }

  occurrences(word: WeightedWord, within?: readonly number[]): Occurrences[] {
    this.#signal?.check()
    const index = indexTable(this.#feed.feed)
    const chosen = within ?? (this.isPart ? this.newest(word.expression, this.documents) : undefined)
    if (chosen?.length === 0) return []
    return occurrencesOf(this.#handle, { index, fields: this.#positions, within: chosen }, word)
  }

  #expression(asked: string | null, query = this.#query): string | null {
    return feedExpression(query, asked, this.#columns, this.#isWhole)
  }

  #alone(word: string): string | null {
    return this.#expression(word, { ...this.#query, phrases: [], fieldTerms: [], exclusions: [] })
  }

  #newest(expression: string, limit: number): readonly number[] {
    return this.#atLeast(expression, limit).ids.slice(0, limit)
  }

  /** Asked again for no more than is known, the index need not be read again. */
  #atLeast(expression: string, limit: number): Newest {
    const known = this.#found.get(expression)
    if (known && (known.ids.length >= limit || known.complete)) return known
    this.#signal?.check()
    const found = this.#matches.newest(expression, limit, 1)
    this.#found.set(expression, found)
    return found
  }

  #frequency(expression: string | null): number {
    if (expression === null) return 0
    const { ids, complete } = this.#atLeast(expression, FREQUENCY_SAMPLE)
    return complete ? ids.length : this.#matches.frequency(ids.slice(0, FREQUENCY_SAMPLE))
  }

  #counted(expression: string, most: number): number {
    this.#signal?.check()
    return this.#matches.count(expression, most)
  }
}

function columnsOf(index: FeedIndex, target: SearchedStream): Map<string, string> {
  const columns = index.fields.map((field, position) => [field, searchColumn(position)] as const)
  return new Map(columns.filter(([field]) => target.fields.includes(field)))
}

function edgesOf(handle: Handle, table: string, feed: number): { oldestId: number; newestId: number } {
  return handle.cachedUntilWrite(`edges ${feed}`, () => {
    const edge = (direction: string) =>
      handle.column<number>(`select id from ${table} where feed = ? order by id ${direction} limit 1`, feed)[0] ?? 0
    return { oldestId: edge('asc'), newestId: edge('desc') }
  })
}
