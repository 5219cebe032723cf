import { type OffsetSegment, offsetSegments, yearOf } from './time-zone.ts'

export const GRANULARITIES = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const
export type Granularity = (typeof GRANULARITIES)[number]

/**
 * Assigns instants to buckets of a zone's calendar. All values are whole microseconds. "Local" time is the time on the
 * zone's clocks, written as if it were UTC. One number names a bucket:
 * - day and larger: its first local time. So each date is one bucket, even if the clocks changed.
 * - minute and hour: its first instant. So an hour that occurs twice is two buckets, and no bucket spans a clock
 *   change.
 */
export type Bucket = number

export interface BucketInterval {
  readonly start: number
  readonly bucket: Bucket
}

const MINUTE = 60_000_000
const DAY = 1440 * MINUTE
export const WIDTHS: Partial<Record<Granularity, number>> = {
  minute: MINUTE,
  hour: 60 * MINUTE,
  day: DAY,
  week: 7 * DAY,
}
const MONTHS: Partial<Record<Granularity, number>> = { month: 1, quarter: 3, year: 12 }
/** The Monday before 1970, the origin of all weeks. */
const MONDAY = -3 * DAY

export const isInstantBucket = (granularity: Granularity): boolean => granularity === 'minute' || granularity === 'hour'

function periodStart(granularity: Granularity, local: number): number {
  const width = WIDTHS[granularity]
  if (width !== undefined) {
    const origin = granularity === 'week' ? MONDAY : 0
    return Math.floor((local - origin) / width) * width + origin
  }
  const months = MONTHS[granularity]!
  const date = new Date(Math.floor(local / 1000))
  return monthStart(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / months) * months)
}

function nextPeriod(granularity: Granularity, start: number): number {
  const width = WIDTHS[granularity]
  if (width !== undefined) return start + width
  const date = new Date(start / 1000)
  return monthStart(date.getUTCFullYear(), date.getUTCMonth() + MONTHS[granularity]!)
}

const monthStart = (year: number, month: number): number => new Date(0).setUTCFullYear(year, month, 1) * 1000

export interface TimeRange {
  readonly from: number
  readonly to: number
}

/**
 * Lists the buckets that the ranges touch, in order. A bucket lasts until the next one starts. A date occurs twice if
 * clocks went back over midnight. Returns undefined if there are more than `maxIntervals`.
 */
export function bucketIntervals(
  granularity: Granularity,
  segments: readonly OffsetSegment[],
  ranges: readonly TimeRange[],
  maxIntervals: number,
): BucketInterval[] | undefined {
  const intervals: BucketInterval[] = []
  for (const range of ranges) {
    for (const interval of intervalsIn(granularity, segments, range)) {
      if (intervals.at(-1)?.bucket === interval.bucket) continue
      if (intervals.length === maxIntervals) return
      intervals.push(interval)
    }
  }
  return intervals
}

function* intervalsIn(
  granularity: Granularity,
  segments: readonly OffsetSegment[],
  range: TimeRange,
): Iterable<BucketInterval> {
  for (const [index, { start: since, offset }] of segments.entries()) {
    const until = segments[index + 1]?.start ?? Number.POSITIVE_INFINITY
    const from = Math.max(since, range.from)
    if (from >= until || from > range.to) continue
    let local = periodStart(granularity, from + offset)
    for (let start = Math.max(local - offset, since); start < until && start <= range.to; start = local - offset) {
      yield { start, bucket: isInstantBucket(granularity) ? start : local }
      local = nextPeriod(granularity, local)
    }
  }
}

/** Returns the local time at the start of the bucket's period, and the bucket's first instant. */
export function describeBucket(
  granularity: Granularity,
  zone: string,
  bucket: Bucket,
): { key: string; startsAt: number } {
  const segments = offsetSegments(zone, [yearOf(bucket - 2 * DAY), yearOf(bucket + 2 * DAY)])
  if (!isInstantBucket(granularity))
    return { key: localText(bucket).slice(0, -6), startsAt: firstInstant(segments, bucket) }
  const { offset } = segments.findLast(({ start }) => start <= bucket)!
  return { key: localText(periodStart(granularity, bucket + offset)), startsAt: bucket }
}

const localText = (local: number): string => new Date(Math.floor(local / 1000)).toISOString().slice(0, -8)

/** The instant at which clocks first show this local time, or skip over it. */
function firstInstant(segments: readonly OffsetSegment[], local: number): number {
  for (const [index, { start, offset }] of segments.entries()) {
    const at = Math.max(start, local - offset)
    if (at < (segments[index + 1]?.start ?? Number.POSITIVE_INFINITY)) return at
  }
  return local
}
