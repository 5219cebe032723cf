import type { AggregateQuery, Comparable } from '../../../aggregates/aggregate-store.ts'
import { type Condition, joinConditions } from '../../records/conditions.ts'
import { fieldOf } from '../../records/layout.ts'
import type { RecordRows } from '../records/record-rows.ts'
import { filterConditions, recordConditions } from '../records/scope-sql.ts'
import { aggregateIndex } from './aggregate-index.ts'

/** Max. SELECTs of a union, one per feed, each along its index. More feeds share one. SQLite allows 500. */
const MAX_ARMS = 100

/** The records of an aggregate: those that match the grant and the filter. */
export class AggregateRows {
  readonly rows: RecordRows
  readonly query: AggregateQuery
  readonly #limits: Condition
  readonly #table: string

  constructor(rows: RecordRows, query: AggregateQuery) {
    this.rows = rows
    this.query = query
    const { layout, table } = rows.table
    const index = aggregateIndex(rows, query)
    this.#table = index === undefined ? `${table} r` : `${table} r indexed by ${index}`
    this.#limits = joinConditions([
      ...recordConditions(rows.scope, layout),
      ...filterConditions(query.conditions, layout),
    ])
  }

  /** A field's comparable value over the alias `r`. */
  valueSql(name: string): string {
    const column = fieldOf(this.rows.table.layout, name)?.column
    return column === undefined ? textSql(name) : `r.${column}`
  }

  /** `select … from … where … <tail>` for each feed, or one for all feeds if there are many. */
  arms(select: string, tail = ''): Condition[] {
    const { feeds, feedList } = this.rows
    if (feeds.length > MAX_ARMS)
      return [this.#arm(select, tail, 'r.feed in (select value from json_each(?))', feedList)]
    return feeds.map(({ feed }) => this.#arm(select, tail, 'r.feed = ?', feed))
  }

  /** Reads rows with integers as bigint, because a sum or a key may need 64 bits. */
  all<T>(sql: string, values: readonly unknown[], once = false): T[] {
    const { handle } = this.rows
    // SQL with bucket borders in it rarely repeats and would push other statements out of the cache.
    const statement = once ? handle.db.prepare(sql) : handle.prepare(sql)
    return statement.safeIntegers(true).all(...values) as T[]
  }

  #arm(select: string, tail: string, feed: string, value: number | string): Condition {
    const sql = `select ${select} from ${this.#table} where ${feed} and ${this.#limits.sql} ${tail}`
    return { sql, values: [value, ...this.#limits.values] }
  }
}

/** A text field without a column, from the JSON. Names that a JSON path cannot quote are compared as keys. */
function textSql(name: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
  if (/["\\]/.test(name)) return `(select e.atom from json_each(r.data) e where e.key = ${quoted(name)})`
  return `json_extract(r.data, ${quoted(`$."${name}"`)})`
}

export function unionAll(arms: readonly Condition[]): Condition {
  return { sql: arms.map(({ sql }) => sql).join(' union all '), values: arms.flatMap(({ values }) => values) }
}

export function plain<T extends Comparable>(value: T): T | number {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value
}
