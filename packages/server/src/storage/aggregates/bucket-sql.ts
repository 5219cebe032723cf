import type { TimeDimension } from '../../aggregates/aggregate-store.ts'
import { bucketIntervals, type Granularity, isInstantBucket, WIDTHS } from '../../aggregates/time-buckets.ts'
import { type OffsetSegment, offsetSegments } from '../../aggregates/time-zone.ts'
import type { OccupiedYears } from './occupied-years.ts'

/**
 * Added to a time before a division and subtracted afterwards, because the division rounds towards zero and times
 * before 1970 are negative. It reaches back to a Monday before the year 0, so that weeks begin on Mondays.
 */
export const BIAS = 719_603 * WIDTHS.day!
const MAX_BORDERS = 1000

export interface BucketDialect {
  /** The larger of two numbers, or null if either is null. */
  readonly larger: (a: string, b: string) => string
  /** The first instant of a local month, quarter or year, by the calendar of the database. */
  readonly calendar: (column: string, granularity: Granularity, offset: number) => string
}

/**
 * The bucket (time-buckets.ts) of a time column, as SQL. Minutes to weeks are divisions, with the zone's offset found
 * by binary search over its changes. Months and longer have no fixed width, so their borders are computed here and
 * found by binary search. If there are too many borders (a century of months), the calendar of the database computes
 * the bucket.
 */
export function bucketSql(
  column: string,
  { granularity, zone }: TimeDimension,
  { years, ranges }: OccupiedYears,
  dialect: BucketDialect,
): string {
  if (ranges.length === 0) return 'null'
  const segments = offsetSegments(zone, years)
  const width = WIDTHS[granularity]
  if (width !== undefined)
    return choose(column, segments, (segment) => divided(column, granularity, width, segment, dialect))
  const borders = bucketIntervals(granularity, segments, ranges, MAX_BORDERS)
  if (!borders) return choose(column, segments, ({ offset }) => dialect.calendar(column, granularity, offset))
  return `case when ${column} is null then null else ${choose(column, borders, ({ bucket }) => String(bucket))} end`
}

function choose<T extends { start: number }>(column: string, parts: readonly T[], leaf: (part: T) => string): string {
  if (parts.length === 1) return leaf(parts[0]!)
  const half = parts.length >> 1
  const [below, above] = [parts.slice(0, half), parts.slice(half)]
  return `case when ${column} < ${above[0]!.start} then ${choose(column, below, leaf)} else ${choose(column, above, leaf)} end`
}

function divided(
  column: string,
  granularity: Granularity,
  width: number,
  { start, offset }: OffsetSegment,
  { larger }: BucketDialect,
): string {
  const local = `(${column} + ${offset + BIAS}) / ${width} * ${width} - ${BIAS}`
  if (!isInstantBucket(granularity)) return local
  const instant = `${local} - ${offset}`
  // If the zone's offset changes inside a minute or hour, a new bucket begins there.
  const clean = start === Number.NEGATIVE_INFINITY || (start + offset + BIAS) % width === 0
  return clean ? instant : larger(String(start), instant)
}
