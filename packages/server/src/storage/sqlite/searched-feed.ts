import { estimateFrequency, FREQUENCY_SAMPLE } from '../../search/frequency.ts'
import type { SearchTarget } from '../../search/search-store.ts'
import type { Handle } from './database.ts'
import type { Feed } from './feeds.ts'
import { rankable } from './rankable.ts'
import type { RecordRow, RecordRows } from './record-rows.ts'
import { type Condition, filterConditions, joinConditions, recordConditions } from './scope-sql.ts'
import { feedIndex, indexTable, searchColumn } from './search-index.ts'

/** Matches of a limited scope are counted no further than this: beyond it a word is common either way. */
const MOST_COUNTED = 10_000

/** One feed's word index, seen through a scope: only granted columns, only records inside the grant's limits. */
export class SearchedFeed {
  /** The granted search fields and their columns. */
  readonly columns: ReadonlyMap<string, string>
  readonly documents: number
  readonly #handle: Handle
  readonly #target: SearchTarget
  readonly #rows: RecordRows
  readonly #feed: Feed
  readonly #limits: readonly Condition[]
  readonly #edges: { oldestId: number; newestId: number }

  private constructor(
    handle: Handle,
    target: SearchTarget,
    rows: RecordRows,
    feed: Feed,
    columns: ReadonlyMap<string, string>,
  ) {
    this.#handle = handle
    this.#target = target
    this.#rows = rows
    this.#feed = feed
    this.columns = columns
    const { layout, table } = rows.table
    this.#limits = [...recordConditions(target.scope, layout), ...filterConditions(target.conditions, layout)]
    this.documents = this.#limits.length === 0 ? feed.recordCount : this.#countRecords()
    const edge = (direction: string) =>
      handle.get<{ id: number }>(`select id from ${table} where feed = ? order by id ${direction} limit 1`, feed.feed)
        ?.id ?? 0
    this.#edges =
      this.#limits.length === 0 ? { oldestId: edge('asc'), newestId: edge('desc') } : { oldestId: 0, newestId: 0 }
  }

  /** Undefined where the feed has no finished index, or none of the fields. */
  static open(handle: Handle, target: SearchTarget, rows: RecordRows, feed: Feed): SearchedFeed | undefined {
    const index = feedIndex(handle, feed.feed)
    if (!index?.complete) return
    const columns = index.fields.flatMap((field, position) =>
      target.fields.includes(field) ? [[field, searchColumn(position)] as const] : [],
    )
    return columns.length === 0 ? undefined : new SearchedFeed(handle, target, rows, feed, new Map(columns))
  }

  /** The newest records that match. Without limits the index alone answers. */
  newest(expression: string, limit: number): number[] {
    return this.#handle
      .all<{ id: number }>(
        `${this.#select('rowid id')} order by ${indexTable(this.#feed.feed)}.rowid desc limit ?`,
        expression,
        ...this.#values(),
        limit,
      )
      .map(({ id }) => id)
  }

  /** How many records match: exact where few do, otherwise carried on from the newest ones. */
  frequency(expression: string | null): number {
    if (expression === null) return 0
    if (this.#limits.length > 0) return this.#counted(expression, MOST_COUNTED)
    return estimateFrequency(this.newest(expression, FREQUENCY_SAMPLE), { documents: this.documents, ...this.#edges })
  }

  count(expression: string | null): number {
    return expression === null ? 0 : this.#counted(expression, -1)
  }

  document(id: number) {
    const row = this.#handle.get<RecordRow>(
      `select ${this.#rows.columns} from ${this.#rows.table.table} r where r.id = ?`,
      id,
    )
    return row && rankable(this.#target, this.#rows, row)
  }

  #counted(expression: string, most: number): number {
    const sql = `select count(*) n from (${this.#select('1')} limit ?)`
    return this.#handle.get<{ n: number }>(sql, expression, ...this.#values(), most)!.n
  }

  #select(what: string): string {
    const index = indexTable(this.#feed.feed)
    const shown = what === '1' ? '1' : `${index}.${what}`
    if (this.#limits.length === 0) return `select ${shown} from ${index} where ${index} match ?`
    return `select ${shown} from ${index} join ${this.#rows.table.table} r on r.id = ${index}.rowid where ${index} match ? and ${joinConditions(this.#limits).sql}`
  }

  #values() {
    return this.#limits.length === 0 ? [] : joinConditions(this.#limits).values
  }

  #countRecords(): number {
    const limits = joinConditions(this.#limits)
    const sql = `select count(*) n from (select 1 from ${this.#rows.table.table} r where r.feed = ? and ${limits.sql} limit ?)`
    return this.#handle.get<{ n: number }>(sql, this.#feed.feed, ...limits.values, 10 * MOST_COUNTED)!.n
  }
}
