import type { AggregateQuery, AggregateReader, AggregateResult } from '../../../aggregates/aggregate-store.ts'
import type { ReadScope } from '../../../grants/read-scope.ts'
import type { RequestSignal } from '../../../lib/request-signal.ts'
import { bucketSql } from '../../aggregates/bucket-sql.ts'
import type { Database } from '../engine/database.ts'
import type { ReadPool } from '../engine/read-pool.ts'
import type { Session } from '../engine/session.ts'
import type { Owners } from '../installation/owners.ts'
import type { Streams } from '../records/feeds.ts'
import { RecordRows } from '../records/record-rows.ts'
import { countRecords } from '../records/record-statistics.ts'
import { readGroups } from './aggregate-groups.ts'
import { measured, measureSql } from './aggregate-measure.ts'
import { AggregateRows } from './aggregate-rows.ts'
import { countRanges, DIALECT, findOccupiedYears } from './aggregate-time.ts'

export class PostgresAggregateReader implements AggregateReader {
  readonly #database: Database
  readonly #owners: Owners
  readonly #streams: Streams
  readonly #pool: ReadPool

  constructor(database: Database, owners: Owners, streams: Streams, pool: ReadPool) {
    this.#database = database
    this.#owners = owners
    this.#streams = streams
    this.#pool = pool
  }

  /** Uses one snapshot, so that counts and groups are of the same moment. */
  aggregate(scope: ReadScope, query: AggregateQuery, signal?: RequestSignal): Promise<AggregateResult> {
    const read = () => this.#database.cancellable(signal, (session) => this.#read(session, scope, query))
    return this.#pool.long(read, signal)
  }

  async #read(session: Session, scope: ReadScope, query: AggregateQuery): Promise<AggregateResult> {
    const subject = await this.#owners.find(scope.subjectId)
    const found = subject === undefined ? undefined : await this.#streams.inScope(session, subject, scope)
    if (!found) return { recordCount: 0, value: query.metric.startsWith('count') ? 0 : null, groups: [], groupCount: 0 }
    const rows = new RecordRows(session, scope, found)
    const of = new AggregateRows(rows, query)
    if (query.time) return { ...(await readTimeGroups(of)), value: null }
    if (query.groupBy.length > 0) return { ...(await readGroups(of)), value: null }
    const recordCount = await countRecords(rows, query.conditions)
    return { recordCount, value: await readTotal(of, recordCount), groups: [], groupCount: 0 }
  }
}

async function readTotal(of: AggregateRows, recordCount: number): Promise<AggregateResult['value']> {
  if (of.query.metric === 'count') return recordCount
  const sql = `select (${measureSql(of)})::text ${of.from.sql}`
  return measured(of, (await of.rows.session.column<string | null>(sql, ...of.from.values))[0]!)
}

async function readTimeGroups(of: AggregateRows): Promise<Omit<AggregateResult, 'value'>> {
  const { query, rows } = of
  const time = query.time!
  const occupied = await findOccupiedYears(of, time.field)
  const recordCount = await countRecords(rows, query.conditions)
  const counted = await countRanges(of, occupied, recordCount)
  if (counted) return { recordCount, groupCount: counted.length, groups: counted.slice(0, query.limit) }
  return readGroups(of, bucketSql(of.valueSql(time.field), time, occupied, DIALECT))
}
