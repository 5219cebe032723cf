import type { AggregateGroup, AggregateQuery } from '../../aggregates/aggregate-store.ts'
import { bucketIntervals } from '../../aggregates/time-buckets.ts'
import { offsetSegments } from '../../aggregates/time-zone.ts'
import type { ReadScope } from '../../grants/read-scope.ts'
import type { OccupiedYears } from './occupied-years.ts'

/** One range costs as much as reading about 40 index entries. Beyond that, one pass over all entries is cheaper. */
const ENTRIES_PER_RANGE = 40
const RANGES = { always: 2000, never: 20_000 }

interface CountedRange {
  readonly bucket: number
  /** A bigint, because a double far from 1970 cannot add one microsecond. */
  readonly from: bigint
  /** Exclusive. */
  readonly to: bigint
}

/** The ranges of time that are counted, one per bucket. Undefined if that is impossible or more expensive. */
export function rangesOf(
  { time, metric, groupBy, conditions }: AggregateQuery,
  scope: ReadScope,
  { years, ranges }: OccupiedYears,
  recordCount: number,
  feeds: number,
): CountedRange[] | undefined {
  const limits = [...conditions, ...(scope.time ? [scope.time] : [])]
  const onTimeOnly = limits.every(({ field }) => field === time!.field)
  if (metric !== 'count' || groupBy.length > 0 || scope.resources || !onTimeOnly) return
  const worthwhile = Math.min(Math.max(recordCount / ENTRIES_PER_RANGE, RANGES.always), RANGES.never)
  const maxRanges = Math.floor(worthwhile / Math.max(1, feeds))
  const intervals = bucketIntervals(time!.granularity, offsetSegments(time!.zone, years), ranges, maxRanges)
  // All conditions are on the time, so together they allow one range. It begins and ends with the occupied years, so
  // every record between these two ends is in scope.
  const [first, last] = [ranges[0]?.from ?? 0, ranges.at(-1)?.to ?? 0]
  return intervals?.map(({ start, bucket }, index) => ({
    bucket,
    from: BigInt(Math.max(start, first)),
    to: BigInt(intervals[index + 1]?.start ?? last) + (index + 1 < intervals.length ? 0n : 1n),
  }))
}

/** The groups of these counts, and one more group for the records without a time. */
export function countedGroups(
  counts: ReadonlyMap<number, number>,
  { order }: AggregateQuery,
  recordCount: number,
): AggregateGroup[] {
  const sign = order === 'asc' ? 1 : -1
  const groups: AggregateGroup[] = [...counts]
    .sort(([a], [b]) => sign * (a - b))
    .map(([bucket, count]) => ({ keys: [bucket], count, value: count }))
  const without = recordCount - groups.reduce((sum, { count }) => sum + count, 0)
  return without > 0 ? [...groups, { keys: [null], count: without, value: without }] : groups
}
