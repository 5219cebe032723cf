import type { AggregateGroup, TimeDimension } from '../../aggregates/aggregate-store.ts'
import { bucketIntervals, type Granularity, isInstantBucket, WIDTHS } from '../../aggregates/time-buckets.ts'
import { type OffsetSegment, offsetSegments, yearOf, yearStart } from '../../aggregates/time-zone.ts'
import type { AggregateRows } from './aggregate-rows.ts'
import { fieldOf, indexName } from './layout.ts'
import { filterConditions, joinConditions, recordConditions } from './scope-sql.ts'

/** Where there is anything: the first and last instant, and the years in which some lie. */
export interface Occupied {
  readonly from: number
  readonly to: number
  readonly years: ReadonlySet<number>
}

/** Steps over the index year by year, so that one record of the year 9999 does not make us look at all until then. */
export function occupied(of: AggregateRows, { field }: TimeDimension): Occupied | undefined {
  const { rows, query } = of
  const column = fieldOf(rows.table.layout, field)!.column!
  const own = filterConditions(
    query.conditions.filter((condition) => condition.field === field),
    rows.table.layout,
  )
  const granted =
    rows.scope.time?.field === field && !rows.scope.resources ? recordConditions(rows.scope, rows.table.layout) : []
  const limits = joinConditions([...own, ...granted])
  const next = (beyond: string, order: string) => `select r.${column} at from ${rows.table.table} r
    indexed by ${indexName(rows.table.table, column)}
    where r.feed = ? and r.${column} ${beyond} ? and ${limits.sql} order by r.${column} ${order} limit 1`
  const seek = (sql: string, feed: number, at: number) =>
    rows.handle.get<{ at: number }>(sql, feed, BigInt(at), ...limits.values)?.at
  const years = new Set<number>()
  const ends: number[] = []
  for (const { feed } of rows.feeds) {
    for (let at = seek(next('>=', 'asc'), feed, yearStart(-1)); at !== undefined; ) {
      ends.push(at)
      years.add(yearOf(at))
      at = seek(next('>=', 'asc'), feed, yearStart(yearOf(at) + 1))
    }
    const last = seek(next('<', 'desc'), feed, yearStart(10_001))
    if (last !== undefined) ends.push(last)
  }
  if (ends.length === 0) return
  const order = ends.sort((a, b) => a - b)
  return { from: order[0]!, to: order.at(-1)!, years }
}

/** A day count before the year 0 that keeps sums positive (division rounds towards zero); whole weeks and a Monday. */
const BIAS = 719_603 * WIDTHS.day!
const MAX_BORDERS = 1000

/**
 * The bucket (time-buckets.ts) of a time column, as SQL. Minutes to weeks are divisions, with the offset chosen by
 * halving over the changes of the zone. Months and longer have no width: their borders are found here and the
 * bucket chosen by halving over them. More borders than that (a century of months) are left to SQLite's calendar.
 */
export function bucketSql(column: string, { granularity, zone }: TimeDimension, range: Occupied | undefined): string {
  const segments = offsetSegments(zone, range?.years ?? [])
  const width = WIDTHS[granularity]
  if (width !== undefined) return choose(column, segments, (segment) => divided(column, granularity, width, segment))
  const borders = range ? bucketIntervals(granularity, segments, range, MAX_BORDERS) : []
  if (!borders) return choose(column, segments, ({ offset }) => calendar(column, granularity, offset))
  if (borders.length === 0) return 'null'
  return `case when ${column} is null then null else ${choose(column, borders, ({ bucket }) => String(bucket))} end`
}

function choose<T extends { start: number }>(column: string, parts: readonly T[], leaf: (part: T) => string): string {
  if (parts.length === 1) return leaf(parts[0]!)
  const half = parts.length >> 1
  const [below, above] = [parts.slice(0, half), parts.slice(half)]
  return `case when ${column} < ${above[0]!.start} then ${choose(column, below, leaf)} else ${choose(column, above, leaf)} end`
}

function divided(column: string, granularity: Granularity, width: number, { start, offset }: OffsetSegment): string {
  const local = `(${column} + ${offset + BIAS}) / ${width} * ${width} - ${BIAS}`
  if (!isInstantBucket(granularity)) return local
  const instant = `${local} - ${offset}`
  // A change within a minute or hour begins a bucket of its own.
  const clean = start === Number.NEGATIVE_INFINITY || (start + offset + BIAS) % width === 0
  return clean ? instant : `max(${start}, ${instant})`
}

function calendar(column: string, granularity: Granularity, offset: number): string {
  const seconds = `((${column} + ${offset + BIAS}) / 1000000 - ${BIAS / 1_000_000})`
  const modifiers = {
    month: `'start of month'`,
    quarter: `'start of month', '-' || ((strftime('%m', ${seconds}, 'unixepoch') - 1) % 3) || ' months'`,
    year: `'start of year'`,
  }
  return `(unixepoch(${seconds}, 'unixepoch', ${modifiers[granularity as 'month']}) * 1000000)`
}

/** Above this many (bucket, feed) pairs one pass over the index is cheaper than a range for each. */
const MAX_RANGES = 2000

/** Counts one index range for each bucket and feed. Undefined where that is not possible or not the cheaper way. */
export function countRanges(
  of: AggregateRows,
  range: Occupied | undefined,
  recordCount: number,
): AggregateGroup[] | undefined {
  const { rows, query } = of
  const { time, metric, groupBy, conditions } = query
  const onTimeOnly = [...conditions, ...(rows.scope.time ? [rows.scope.time] : [])].every(
    ({ field }) => field === time!.field,
  )
  if (metric !== 'count' || groupBy.length > 0 || rows.scope.resources || !onTimeOnly) return
  const most = Math.floor(MAX_RANGES / Math.max(1, rows.feeds.length))
  const intervals = range
    ? bucketIntervals(time!.granularity, offsetSegments(time!.zone, range.years), range, most)
    : []
  if (!intervals) return
  const column = of.valueSql(time!.field)
  const counts = new Map<number, number>()
  for (const arm of of.arms('count(*) n', `and ${column} >= ? and ${column} < ?`)) {
    const statement = rows.handle.prepare(arm.sql).safeIntegers(false)
    for (const [index, { start, bucket }] of intervals.entries()) {
      const end = intervals[index + 1]?.start ?? range!.to + 1
      const { n } = statement.get(...arm.values, BigInt(start), BigInt(end)) as { n: number }
      if (n > 0) counts.set(bucket, (counts.get(bucket) ?? 0) + n)
    }
  }
  const sign = query.order === 'asc' ? 1 : -1
  const groups: AggregateGroup[] = [...counts]
    .sort(([a], [b]) => sign * (a - b))
    .map(([bucket, count]) => ({ keys: [bucket], count, value: count }))
  const placed = groups.reduce((sum, { count }) => sum + count, 0)
  return placed < recordCount
    ? [...groups, { keys: [null], count: recordCount - placed, value: recordCount - placed }]
    : groups
}
