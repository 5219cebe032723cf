import type { ReadScope } from '../../../grants/read-scope.ts'
import type { ScopedRecord } from '../../../records/record-store.ts'
import { touchesSql } from '../../records/change-mask.ts'
import { joinConditions } from '../../records/conditions.ts'
import { Projection } from '../../records/projection.ts'
import type { Handle } from '../engine/database.ts'
import type { Feed, StreamTable } from './feeds.ts'
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

/** A row of a list. `data` is null if the record is large. */
export type ListedRow = Omit<RecordRow, 'data'> & { data: string | null }

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
  readonly #connections: Map<number, string>
  readonly #projection: Projection
  #findSql: { readonly sql: string; readonly values: readonly unknown[] } | undefined

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

  /** Reads the record with a key from each of the feeds, under the limits of the scope. */
  get findSql(): { readonly sql: string; readonly values: readonly unknown[] } {
    this.#findSql ??= this.#makeFindSql()
    return this.#findSql
  }

  #makeFindSql() {
    const { table, layout } = this.table
    const limits = joinConditions(recordConditions(this.scope, layout))
    const sql = `select ${this.columns} from ${table} r indexed by ${keyIndex(table)}
      where r.feed in (select value from json_each(?)) and r.key = ? and ${limits.sql} order by r.feed`
    return { sql, values: limits.values }
  }

  connectionOf(feed: number): string {
    return this.#connections.get(feed)!
  }

  toRecord(row: RecordRow): ScopedRecord {
    return {
      number: row.id,
      connectionId: this.connectionOf(row.feed),
      key: row.key,
      emittedAt: this.emittedAt(row),
      json: this.#projection.json(row),
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
