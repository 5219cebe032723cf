import type { AggregateQuery, AggregateReader, AggregateResult } from '../../../aggregates/aggregate-store.ts'
import type { ReadScope } from '../../../grants/read-scope.ts'
import type { RequestSignal } from '../../../lib/request-signal.ts'
import { bucketSql } from '../../aggregates/bucket-sql.ts'
import type { Handle, ReadDatabases } from '../engine/database.ts'
import type { ReadPool } from '../engine/read-pool.ts'
import { MAX_INLINE_INDEX_ROWS, MAX_INLINE_ROWS } from '../engine/read-task.ts'
import { feedsInScope, streamTable } from '../records/feeds.ts'
import { RecordRows } from '../records/record-rows.ts'
import { countRecords, isLimited } from '../records/record-statistics.ts'
import { readGroups } from './aggregate-groups.ts'
import { findOccupiedYears } from './aggregate-occupied.ts'
import { AggregateRows } from './aggregate-rows.ts'
import { countRanges, DIALECT } from './aggregate-time.ts'
import { readTotal } from './aggregate-total.ts'

/** Reads through a connection that cannot write. */
export class SqliteAggregateReader implements AggregateReader {
  readonly #reader: Handle
  readonly #pool: ReadPool | undefined

  constructor({ reader, pool }: ReadDatabases) {
    this.#reader = reader
    this.#pool = pool
  }

  /** Uses one transaction, so that counts and groups are of the same moment. */
  async aggregate(scope: ReadScope, query: AggregateQuery, signal?: RequestSignal): Promise<AggregateResult> {
    if (this.#pool && this.#isLong(scope, query)) return this.#pool.run({ kind: 'aggregate', scope, query }, signal)
    return this.#reader.db.transaction(() => this.#read(scope, query)).deferred()
  }

  #isLong(scope: ReadScope, { metric, groupBy, time, conditions }: AggregateQuery): boolean {
    const table = streamTable(this.#reader, scope.subjectId, scope.connectorKey, scope.stream.name)
    if (!table) return false
    const rows = new RecordRows(this.#reader, scope, table, feedsInScope(this.#reader, scope, table))
    const records = rows.feeds.reduce((sum, feed) => sum + feed.recordCount, 0)
    const countsOnly = metric === 'count' && groupBy.length === 0 && !time
    // The number of all records is stored.
    if (countsOnly && !isLimited(rows, conditions)) return false
    return records > (countsOnly ? MAX_INLINE_INDEX_ROWS : MAX_INLINE_ROWS)
  }

  #read(scope: ReadScope, query: AggregateQuery): AggregateResult {
    const table = streamTable(this.#reader, scope.subjectId, scope.connectorKey, scope.stream.name)
    if (!table) return { recordCount: 0, value: query.metric.startsWith('count') ? 0 : null, groups: [], groupCount: 0 }
    const rows = new RecordRows(this.#reader, scope, table, feedsInScope(this.#reader, scope, table))
    const of = new AggregateRows(rows, query)
    if (query.time) return { ...readTimeGroups(of), value: null }
    if (query.groupBy.length > 0)
      return {
        ...readGroups(
          of,
          query.groupBy.map((name) => of.valueSql(name)),
          false,
        ),
        value: null,
      }
    const recordCount = countRecords(rows, query.conditions)
    return { recordCount, value: readTotal(of, recordCount), groups: [], groupCount: 0 }
  }
}

function readTimeGroups(of: AggregateRows): Omit<AggregateResult, 'value'> {
  const { query, rows } = of
  const time = query.time!
  const range = findOccupiedYears(of, time.field)
  const recordCount = countRecords(rows, query.conditions)
  const counted = countRanges(of, range, recordCount)
  if (counted) return { recordCount, groupCount: counted.length, groups: counted.slice(0, query.limit) }
  const bucket = bucketSql(of.valueSql(time.field), time, range, DIALECT)
  return readGroups(of, [...query.groupBy.map((name) => of.valueSql(name)), bucket], true)
}
