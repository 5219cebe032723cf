import type { FieldCondition } from '../../../records/filter.ts'
import type { StreamStatistics } from '../../../records/record-store.ts'
import { joinConditions } from '../../records/conditions.ts'
import { fieldOf } from '../../records/layout.ts'
import type { Feed } from './feeds.ts'
import { lastChange } from './last-change.ts'
import type { RecordRows } from './record-rows.ts'
import { filterConditions, recordConditions } from './scope-sql.ts'

/** Uses the feeds' own counters if there are no conditions, and counts an index otherwise. */
export async function countRecords(
  rows: RecordRows,
  filter: readonly FieldCondition[],
  connectionId?: string,
): Promise<number> {
  const conditions = [...recordConditions(rows.scope, rows.layout), ...filterConditions(filter, rows.layout)]
  const feeds = rows.feeds.filter((feed) => connectionId === undefined || feed.connectionId === connectionId)
  if (conditions.length === 0) return feeds.reduce((sum, feed) => sum + feed.recordCount, 0)
  if (feeds.length === 0) return 0
  const limits = joinConditions(conditions)
  const sql = `select count(*) from record r where r.subject = ? and r.feed = any(?::bigint[]) and ${limits.sql}`
  const list = feeds.map(({ feed }) => feed)
  return (await rows.session.column<number>(sql, rows.subject, list, ...limits.values))[0]!
}

export async function readStatistics(rows: RecordRows): Promise<StreamStatistics[]> {
  const { consent_time_field: timeField } = rows.scope.stream
  const time = timeField == null ? undefined : fieldOf(rows.layout, timeField)?.column
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
      count: await countRecords(rows, [], connectionId),
      earliest: await edge(rows, feed, time, 'asc'),
      latest: await edge(rows, feed, time, 'desc'),
      capturedAt: await lastChange(rows, feed),
      // Hidden from clients, because an attempt may be about records outside of their grant.
      attemptedAt: rows.scope.usable === 'all' ? feed.attemptedAt : undefined,
    })
  }
  return statistics
}

const UNKNOWN = { earliest: undefined, latest: undefined, capturedAt: undefined, attemptedAt: undefined }

async function edge(
  { session, subject, limits }: RecordRows,
  { feed }: Feed,
  column: string | undefined,
  direction: 'asc' | 'desc',
): Promise<number | undefined> {
  if (column === undefined) return
  const sql = `select r.${column} at from record r where r.subject = ? and r.feed = ? and r.${column} is not null
    and ${limits.sql} order by r.${column} ${direction} limit 1`
  return (await session.column<number>(sql, subject, feed, ...limits.values))[0]
}
