import type { AggregateGroup, TimeDimension } from '../../../aggregates/aggregate-store.ts'
import { bucketIntervals, type Granularity, isInstantBucket, WIDTHS } from '../../../aggregates/time-buckets.ts'
import { type OffsetSegment, offsetSegments, yearStart } from '../../../aggregates/time-zone.ts'
import { fieldOf } from '../../records/layout.ts'
import { indexName } from '../records/stream-table.ts'
import type { OccupiedYears } from './aggregate-occupied.ts'
import type { AggregateRows } from './aggregate-rows.ts'

/** Added before dividing, because division rounds towards zero. Whole weeks, from a Monday before the year 0. */
const BIAS = 719_603 * WIDTHS.day!
const MAX_BORDERS = 1000

/**
 * The bucket (time-buckets.ts) of a time column, as SQL. Minutes to weeks are divisions, with the zone's offset found
 * by binary search over its changes. Months and longer have no fixed width, so their borders are computed here and
 * found by binary search. If there are too many borders (a century of months), SQLite's calendar computes the bucket.
 */
export function bucketSql(
  column: string,
  { granularity, zone }: TimeDimension,
  { years, ranges }: OccupiedYears,
): string {
  if (ranges.length === 0) return 'null'
  const segments = offsetSegments(zone, years)
  const width = WIDTHS[granularity]
  if (width !== undefined) return choose(column, segments, (segment) => divided(column, granularity, width, segment))
  const borders = bucketIntervals(granularity, segments, ranges, MAX_BORDERS)
  if (!borders) return choose(column, segments, ({ offset }) => calendar(column, granularity, offset))
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
  // If the offset changes inside a minute or hour, a new bucket begins there.
  const clean = start === Number.NEGATIVE_INFINITY || (start + offset + BIAS) % width === 0
  return clean ? instant : `max(${start}, ${instant})`
}

/** The calendar repeats every 400 years. Far years are moved by that, because SQLite knows only four-digit years. */
const CYCLE_SECONDS = 146_097 * 86_400

function calendar(column: string, granularity: Granularity, offset: number): string {
  const moved = (by: number) => {
    const seconds = `((${column} + ${offset + BIAS}) / 1000000 + ${by - BIAS / 1_000_000})`
    const modifiers = {
      month: `'start of month'`,
      quarter: `'start of month', '-' || ((strftime('%m', ${seconds}, 'unixepoch') - 1) % 3) || ' months'`,
      year: `'start of year'`,
    }
    return `(unixepoch(${seconds}, 'unixepoch', ${modifiers[granularity as keyof typeof modifiers]}) - (${by})) * 1000000`
  }
  return `case when ${column} < ${yearStart(5000)} then ${moved(CYCLE_SECONDS)} else ${moved(-CYCLE_SECONDS)} end`
}

/** One range costs as much as reading about 40 index entries. Beyond that, one pass over all entries is cheaper. */
const ENTRIES_PER_RANGE = 40
const RANGES = { always: 2000, never: 20_000 }

/** Counts one index range per bucket and feed. Undefined if that is impossible or more expensive. */
export function countRanges(
  of: AggregateRows,
  { years, ranges }: OccupiedYears,
  recordCount: number,
): AggregateGroup[] | undefined {
  const { rows, query } = of
  const { time, metric, groupBy, conditions } = query
  const onTimeOnly = [...conditions, ...(rows.scope.time ? [rows.scope.time] : [])].every(
    ({ field }) => field === time!.field,
  )
  if (metric !== 'count' || groupBy.length > 0 || rows.scope.resources || !onTimeOnly) return
  const worthwhile = Math.min(Math.max(recordCount / ENTRIES_PER_RANGE, RANGES.always), RANGES.never)
  const maxRanges = Math.floor(worthwhile / Math.max(1, rows.feeds.length))
  const intervals = bucketIntervals(time!.granularity, offsetSegments(time!.zone, years), ranges, maxRanges)
  if (!intervals) return
  const { table, layout } = rows.table
  const { column } = fieldOf(layout, time!.field)!
  // Conditions on the time alone form one range, and these are its ends, so everything between them is in scope.
  const [first, last] = [ranges[0]?.from ?? 0, ranges.at(-1)?.to ?? 0]
  const statement = rows.handle
    .prepare(
      `select count(*) n from ${table} r indexed by ${indexName(table, column!)}
        where r.feed = ? and r.${column} >= ? and r.${column} < ?`,
    )
    .safeIntegers(false)
  const counts = new Map<number, number>()
  for (const { feed } of rows.feeds) {
    for (const [index, { start, bucket }] of intervals.entries()) {
      // As bigint, because a double far from 1970 cannot add one microsecond.
      const end = BigInt(intervals[index + 1]?.start ?? last) + (index + 1 < intervals.length ? 0n : 1n)
      const { n } = statement.get(feed, BigInt(Math.max(start, first)), end) as { n: number }
      if (n > 0) counts.set(bucket, (counts.get(bucket) ?? 0) + n)
    }
  }
  const sign = query.order === 'asc' ? 1 : -1
  const groups: AggregateGroup[] = [...counts]
    .sort(([a], [b]) => sign * (a - b))
    .map(([bucket, count]) => ({ keys: [bucket], count, value: count }))
  const withTime = groups.reduce((sum, { count }) => sum + count, 0)
  return withTime < recordCount
    ? [...groups, { keys: [null], count: recordCount - withTime, value: recordCount - withTime }]
    : groups
}
