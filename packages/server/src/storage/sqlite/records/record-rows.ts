import type { ReadScope } from '../../../grants/read-scope.ts'
import type { ScopedRecord } from '../../../records/record-store.ts'
import { touchesSql } from '../../records/change-mask.ts'
import { joinConditions } from '../../records/conditions.ts'
import { CheckedTexts, Projection } from '../../records/projection.ts'
import type { Handle } from '../engine/database.ts'
import type { Feed, StreamTable } from './feeds.ts'
import type { PagePlan } from './page-plan.ts'
import { BRIEF_DATA, LISTED_DATA } from './record-brief.ts'
import { recordConditions } from './scope-sql.ts'
import { keyIndex } from './stream-table.ts'

export interface RecordRow {
  id: number
  feed: number
  key: string
  emitted_at: number
  touched: number
  extra: number
  data: string
}

/** Max. selects in one statement, one for each feed. */
export const MAX_ARMS = 16

/** A row of a list. `data` is null if the record is large. */
export type ListedRow = Omit<RecordRow, 'data'> & { data: string | null }

/** The statement that finds a key, and its values: for each of the feeds its number, the key, and the limits. */
interface FindPlan {
  readonly sql: string
  readonly feeds: readonly (number | string)[]
  readonly limits: readonly unknown[]
}

const COLUMNS = 'r.id, r.feed, r.key, r.emitted_at, r.touched, r.extra'

/** The rows of one stream in a scope. Turns them into records, so that no hidden field leaves this class. */
export class RecordRows {
  readonly columns = `${COLUMNS}, r.data`
  /** The columns for a list of rows. */
  readonly listed = `${COLUMNS}, ${LISTED_DATA} data`
  /** The columns and their values for a list of rows of which only the fields of the scope are read. */
  readonly projected: { readonly columns: string; readonly values: readonly string[] }
  readonly handle: Handle
  readonly scope: ReadScope
  readonly table: StreamTable
  readonly feeds: readonly Feed[]
  /** The feeds as one bound value, so that the same statement serves any number of connections. */
  readonly feedList: string
  /** See `pagePlan`. */
  readonly pagePlans = new Map<string, PagePlan>()
  readonly #connections: Map<number, string>
  readonly #projection: Projection
  #findPlan: FindPlan | undefined

  constructor(handle: Handle, scope: ReadScope, table: StreamTable, feeds: readonly Feed[]) {
    this.handle = handle
    this.scope = scope
    this.table = table
    this.feeds = feeds
    this.feedList = JSON.stringify(feeds.map(({ feed }) => feed))
    this.#connections = new Map(feeds.map(({ feed, connectionId }) => [feed, connectionId]))
    this.#projection = new Projection(scope, table.layout)
    this.projected =
      scope.projection === 'all'
        ? { columns: this.listed, values: [] }
        : { columns: `${COLUMNS}, ${BRIEF_DATA} data`, values: [JSON.stringify(scope.projection)] }
  }

  /** The record with a key in each of the feeds, under the limits of the scope. */
  find(key: string): RecordRow[] {
    if (this.feeds.length === 0) return []
    this.#findPlan ??= this.#makeFindPlan()
    const { sql, feeds, limits } = this.#findPlan
    const values = feeds.length === 1 ? [feeds[0], key, ...limits] : feeds.flatMap((feed) => [feed, key, ...limits])
    const found = this.handle.all<RecordRow & Record<string, unknown>>(sql, ...values)
    return found.length < 2 ? found : found.sort((a, b) => a.feed - b.feed)
  }

  #makeFindPlan(): FindPlan {
    const { table, layout } = this.table
    const limits = joinConditions(recordConditions(this.scope, layout))
    const arm = (inFeed: string) => `select ${this.columns} from ${table} r indexed by ${keyIndex(table)}
      where ${inFeed} and r.key = ? and ${limits.sql}`
    // A select for each feed is faster, but the statement must not become too long.
    const isShort = this.feeds.length <= MAX_ARMS
    const sql = isShort
      ? this.feeds.map(() => arm('r.feed = ?')).join(' union all ')
      : arm('r.feed in (select value from json_each(?))')
    return { sql, feeds: isShort ? this.feeds.map(({ feed }) => feed) : [this.feedList], limits: limits.values }
  }

  connectionOf(feed: number): string {
    return this.#connections.get(feed)!
  }

  toRecord(row: RecordRow): ScopedRecord {
    return this.#toRecord(row, this.#projection.json(row))
  }

  /** The same for a list, which often shows the records that it showed before. */
  toListed(row: RecordRow): ScopedRecord {
    return this.#toRecord(row, this.#projection.json(row, this.#checked(), row.id))
  }

  /** Looked up for each row, because these objects may outlive a write and the texts must not. */
  #checked(): CheckedTexts {
    return this.handle.cachedUntilWrite('checked texts', () => new CheckedTexts())
  }

  #toRecord(row: RecordRow, json: string): ScopedRecord {
    return {
      number: row.id,
      connectionId: this.connectionOf(row.feed),
      key: row.key,
      emittedAt: this.emittedAt(row),
      json,
    }
  }

  /** The members of a parsed record that the scope shows. */
  members(row: Pick<RecordRow, 'extra'>, data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    return this.#projection.members(row, data)
  }

  emittedAt(row: Omit<RecordRow, 'data'>): number {
    return row.touched ? this.#visibleSince(row) : row.emitted_at
  }

  /** When a field of the scope last changed. The time must not reveal an update of hidden fields. */
  #visibleSince(row: Omit<RecordRow, 'data'>): number {
    if (this.scope.projection === 'all') return row.emitted_at
    const touches = touchesSql(this.table.layout, this.scope.projection, 'c')
    const sql = `select c.emitted_at from change c where c.feed = ? and c.record = ? and ${touches} order by c.version desc limit 1`
    return this.handle.get<{ emitted_at: number }>(sql, row.feed, row.id)?.emitted_at ?? row.emitted_at
  }
}
