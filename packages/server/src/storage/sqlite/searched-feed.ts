import type { Caller } from '../../lib/caller.ts'
import { feedExpression } from '../../search/feed-expression.ts'
import { estimateFrequency, FREQUENCY_SAMPLE } from '../../search/frequency.ts'
import type { Query } from '../../search/query.ts'
import type { SearchTarget } from '../../search/search-store.ts'
import type { Occurrences, SearchedField, SearchedIndex } from '../../search/searched-index.ts'
import type { WeightedWord } from '../../search/word-weight.ts'
import type { Handle } from './database.ts'
import type { Feed } from './feeds.ts'
import { occurrencesOf } from './occurrences.ts'
import { rankableFields } from './rankable.ts'
import type { RecordRows } from './record-rows.ts'
import { type Condition, filterConditions, joinConditions, recordConditions } from './scope-sql.ts'
import { type FeedIndex, feedIndex, indexTable, searchColumn } from './search-index.ts'

/** Matches of a limited scope are counted no further than this: beyond it a word is common either way. */
const MOST_COUNTED = 10_000

/** One feed's word index, seen through a scope: only granted columns, only records inside the grant's limits. */
export class SearchedFeed implements SearchedIndex {
  readonly target: SearchTarget
  readonly rows: RecordRows
  /** The grant's and the request's, on single records. */
  readonly limits: readonly Condition[]
  readonly documents: number
  readonly fields: readonly SearchedField[]
  /** The granted search fields and their columns. */
  readonly #columns: ReadonlyMap<string, string>
  /** Whether these are all columns of the index. */
  readonly #isWhole: boolean
  readonly #query: Query
  readonly #handle: Handle
  /** Looked at before each statement. */
  readonly #caller: Caller | undefined
  readonly #feed: Feed
  readonly #edges: { oldestId: number; newestId: number }
  /** Of each column of the index, which field of the search it is; -1 where it is out of reach. */
  readonly #positions: readonly number[]
  /** The fields of the index, in its order. */
  readonly #indexed: string
  readonly #found = new Map<string, { ids: readonly number[]; complete: boolean }>()

  private constructor(
    handle: Handle,
    target: SearchTarget,
    rows: RecordRows,
    feed: Feed,
    index: FeedIndex,
    query: Query,
    caller: Caller | undefined,
  ) {
    this.#caller = caller
    this.#handle = handle
    this.target = target
    this.rows = rows
    this.#feed = feed
    this.#columns = columnsOf(index, target)
    this.#isWhole = this.#columns.size === index.fields.length
    this.#query = query
    this.fields = rankableFields(target)
    this.#indexed = index.fields.join()
    this.#positions = index.fields.map((field) => target.fields.indexOf(field))
    const { layout, table } = rows.table
    this.limits = [...recordConditions(target.scope, layout), ...filterConditions(target.conditions, layout)]
    this.documents = this.limits.length === 0 ? feed.recordCount : this.#countRecords()
    this.#edges = this.limits.length === 0 ? edgesOf(handle, table, feed.feed) : { oldestId: 0, newestId: 0 }
  }

  /** Undefined where the feed has no finished index, or none of the fields. */
  static open(
    handle: Handle,
    target: SearchTarget,
    rows: RecordRows,
    feed: Feed,
    query: Query,
    caller: Caller | undefined,
  ): SearchedFeed | undefined {
    const index = feedIndex(handle, feed.feed)
    if (!index?.complete || columnsOf(index, target).size === 0) return
    return new SearchedFeed(handle, target, rows, feed, index, query, caller)
  }

  get number(): number {
    return this.#feed.feed
  }

  /** False when the index was made anew since it was opened: its columns may stand for other fields. */
  isCurrent(): boolean {
    const index = feedIndex(this.#handle, this.#feed.feed)
    return index?.complete === true && index.fields.join() === this.#indexed
  }

  newest(asked: string | null, limit: number, share = 1): readonly number[] {
    const expression = this.#expression(asked)
    if (expression === null) return []
    // Where single records are out of scope, so is the number of the newest: only scopes without limits have edges.
    if (share === 1 || this.limits.length > 0) return this.#newest(expression, limit)
    this.#caller?.check()
    const { oldestId, newestId } = this.#edges
    const index = indexTable(this.#feed.feed)
    // A number is bound as a real, and the index stops by itself only at an integer.
    const sql = `${this.#select('rowid')} and ${index}.rowid >= cast(? as integer) order by ${index}.rowid desc limit ?`
    return this.#handle.column(sql, expression, Math.floor(newestId - (newestId - oldestId) * share), limit)
  }

  /** The word alone, whatever else the query demands: a weight must not depend on the rest. */
  wordFrequency(word: string): number {
    return this.#frequency(this.#expression(word, { ...this.#query, phrases: [], fieldTerms: [], exclusions: [] }))
  }

  frequency(asked: string | null): number {
    return this.#frequency(this.#expression(asked))
  }

  count(asked: string | null): number {
    const expression = this.#expression(asked)
    return expression === null ? 0 : this.#counted(expression, -1)
  }

  countUpTo(asked: string, most: number): number {
    const expression = this.#expression(asked)!
    const known = this.#found.get(expression)
    return known?.complete ? known.ids.length : this.#counted(expression, most)
  }

  occurrences(word: WeightedWord, within?: readonly number[]): Occurrences[] {
    this.#caller?.check()
    const index = indexTable(this.#feed.feed)
    const { table } = this.rows.table
    return occurrencesOf(this.#handle, { index, table, limits: this.limits, fields: this.#positions, within }, word)
  }

  #expression(asked: string | null, query = this.#query): string | null {
    return feedExpression(query, asked, this.#columns, this.#isWhole)
  }

  /** Asked again for no more than is known, the index need not be read again. */
  #newest(expression: string, limit: number): readonly number[] {
    const known = this.#found.get(expression)
    if (known && (known.ids.length >= limit || known.complete)) return known.ids.slice(0, limit)
    this.#caller?.check()
    const order = `order by ${indexTable(this.#feed.feed)}.rowid desc limit ?`
    const ids = this.#handle.column<number>(`${this.#select('rowid')} ${order}`, expression, ...this.#values(), limit)
    this.#found.set(expression, { ids, complete: ids.length < limit })
    return ids
  }

  /** How many records match: exact where few do, otherwise carried on from the newest ones. */
  #frequency(expression: string | null): number {
    if (expression === null) return 0
    if (this.limits.length > 0) return this.#counted(expression, MOST_COUNTED)
    return estimateFrequency(this.#newest(expression, FREQUENCY_SAMPLE), { documents: this.documents, ...this.#edges })
  }

  #counted(expression: string, most: number): number {
    this.#caller?.check()
    const sql = `select count(*) n from (${this.#select('1')} limit ?)`
    return this.#handle.get<{ n: number }>(sql, expression, ...this.#values(), most)!.n
  }

  #select(what: string): string {
    const index = indexTable(this.#feed.feed)
    const shown = what === '1' ? '1' : `${index}.${what}`
    if (this.limits.length === 0) return `select ${shown} from ${index} where ${index} match ?`
    return `select ${shown} from ${index} join ${this.rows.table.table} r on r.id = ${index}.rowid where ${index} match ? and ${joinConditions(this.limits).sql}`
  }

  #values() {
    return this.limits.length === 0 ? [] : joinConditions(this.limits).values
  }

  #countRecords(): number {
    const limits = joinConditions(this.limits)
    const sql = `select count(*) n from (select 1 from ${this.rows.table.table} r where r.feed = ? and ${limits.sql} limit ?)`
    return this.#handle.get<{ n: number }>(sql, this.#feed.feed, ...limits.values, 10 * MOST_COUNTED)!.n
  }
}

function columnsOf(index: FeedIndex, target: SearchTarget): Map<string, string> {
  const columns = index.fields.map((field, position) => [field, searchColumn(position)] as const)
  return new Map(columns.filter(([field]) => target.fields.includes(field)))
}

function edgesOf(handle: Handle, table: string, feed: number): { oldestId: number; newestId: number } {
  return handle.unchanged(`edges ${feed}`, () => {
    const edge = (direction: string) =>
      handle.column<number>(`select id from ${table} where feed = ? order by id ${direction} limit 1`, feed)[0] ?? 0
    return { oldestId: edge('asc'), newestId: edge('desc') }
  })
}
