import type { FieldCondition } from '../../../records/filter.ts'
import type { StreamStatistics } from '../../../records/record-store.ts'
import { type Condition, joinConditions } from '../../records/conditions.ts'
import { fieldOf } from '../../records/layout.ts'
import type { Feed } from './feeds.ts'
import type { RecordRows } from './record-rows.ts'
import { filterConditions, recordConditions } from './scope-sql.ts'
import { indexName } from './stream-table.ts'

/** Whether the count needs conditions on single records. */
export function isLimited({ scope, table }: RecordRows, filter: readonly FieldCondition[]): boolean {
  return filter.length > 0 || recordConditions(scope, table.layout).length > 0
}

/** Uses the feeds' own counters if there are no conditions, and counts an index otherwise. */
export function countRecords(rows: RecordRows, filter: readonly FieldCondition[], connectionId?: string): number {
  const { layout } = rows.table
  const limits = [...recordConditions(rows.scope, layout), ...filterConditions(filter, layout)]
  const feeds = rows.feeds.filter((feed) => connectionId === undefined || feed.connectionId === connectionId)
  if (limits.length === 0) return feeds.reduce((sum, feed) => sum + feed.recordCount, 0)
  return feeds.reduce((sum, { feed }) => sum + countFeed(rows, feed, limits), 0)
}

function countFeed(rows: RecordRows, feed: number, conditions: readonly Condition[]): number {
  const limits = joinConditions(conditions)
  const sql = `select count(*) n from ${rows.table.table} r where r.feed = ? and ${limits.sql}`
  return rows.handle.get<{ n: number }>(sql, feed, ...limits.values)?.n ?? 0
}

interface LongReads {
  readonly count: (connectionId: string) => Promise<number>
  /** When the scope last saw the feed change. */
  readonly changedAt: (feed: Feed) => Promise<number | undefined>
}

export async function readStatistics(rows: RecordRows, { count, changedAt }: LongReads): Promise<StreamStatistics[]> {
  const limits = recordConditions(rows.scope, rows.table.layout)
  const { consent_time_field: timeField } = rows.scope.stream
  const time = timeField == null ? undefined : fieldOf(rows.table.layout, timeField)?.column
  const feeds = new Map(rows.feeds.map((feed) => [feed.connectionId, feed]))
  const statistics: StreamStatistics[] = []
  for (const connectionId of rows.scope.connections) {
    const feed = feeds.get(connectionId)
    if (!feed) {
      statistics.push({ connectionId, count: 0, ...UNKNOWN })
      continue
    }
    statistics.push({
      connectionId,
      count: limits.length > 0 ? await count(connectionId) : feed.recordCount,
      earliest: time === undefined ? undefined : edge(rows, feed.feed, time, 'asc'),
      latest: time === undefined ? undefined : edge(rows, feed.feed, time, 'desc'),
      capturedAt: await changedAt(feed),
      // Hidden from clients, because an attempt may be about records outside of their grant.
      attemptedAt: rows.scope.usable === 'all' ? feed.attemptedAt : undefined,
    })
  }
  return statistics
}

const UNKNOWN = { earliest: undefined, latest: undefined, capturedAt: undefined, attemptedAt: undefined }

function edge(rows: RecordRows, feed: number, column: string, direction: 'asc' | 'desc'): number | undefined {
  const limits = joinConditions(recordConditions(rows.scope, rows.table.layout))
  const index = indexName(rows.table.table, column)
  const sql = `select r.${column} at from ${rows.table.table} r indexed by ${index}
    where r.feed = ? and r.${column} is not null and ${limits.sql} order by r.${column} ${direction} limit 1`
  return rows.handle.get<{ at: number }>(sql, feed, ...limits.values)?.at
}
