import { LruCache } from '../lib/caches/lru-cache.ts'

/** From `start` until the start of the next segment, the zone is ahead of UTC by `offset`. Both in microseconds. */
export interface OffsetSegment {
  readonly start: number
  readonly offset: number
}

const DAY_MS = 86_400_000
/** No zone changes its clock and changes back within this time (checked for every zone from 1900 to 2040). */
const PROBE_MS = 4 * DAY_MS
/** Every zone used its local mean time before this date. Earlier years would make Intl return eras. */
const FIRST_CHANGE_MS = Date.UTC(1800, 0, 1)

const formats = new LruCache<string, Intl.DateTimeFormat>(100)
const years = new LruCache<string, readonly OffsetSegment[]>(20_000)

export function isTimeZone(name: string): boolean {
  if (name.length > 64 || !/^[A-Za-z]/.test(name)) return false
  try {
    return formatOf(name) !== undefined
  } catch {
    return false
  }
}

/**
 * Returns the offsets of the given years and of the year before each, so that no instant is close to a gap between
 * years. The first segment has no start.
 */
export function offsetSegments(zone: string, yearsUsed: Iterable<number>): OffsetSegment[] {
  const yearSet = new Set<number>()
  for (const year of yearsUsed) yearSet.add(year - 1).add(year)
  const segments: OffsetSegment[] = []
  for (const year of [...yearSet].sort((a, b) => a - b)) {
    for (const segment of segmentsOfYear(zone, year)) {
      if (segments.length === 0) segments.push({ start: Number.NEGATIVE_INFINITY, offset: segment.offset })
      else if (segments.at(-1)!.offset !== segment.offset) segments.push(segment)
    }
  }
  return segments.length > 0 ? segments : [{ start: Number.NEGATIVE_INFINITY, offset: 0 }]
}

export const yearOf = (micros: number): number => new Date(Math.floor(micros / 1000)).getUTCFullYear()
export const yearStart = (year: number): number => new Date(0).setUTCFullYear(year, 0, 1) * 1000

function segmentsOfYear(zone: string, year: number): readonly OffsetSegment[] {
  const name = `${zone} ${year}`
  return years.get(name) ?? years.set(name, findSegments(zone, year))
}

function findSegments(zone: string, year: number): OffsetSegment[] {
  const [from, to] = [yearStart(year) / 1000, yearStart(year + 1) / 1000]
  const segments = [{ start: from * 1000, offset: offsetAt(zone, from) * 1000 }]
  if (zone === 'UTC' || to <= FIRST_CHANGE_MS) return segments
  let [at, offset] = [from, segments[0]!.offset / 1000]
  while (at < to - 1000) {
    const next = Math.min(at + PROBE_MS, to - 1000)
    if (offsetAt(zone, next) !== offset) {
      at = firstChange(zone, at, next)
      offset = offsetAt(zone, at)
      segments.push({ start: at * 1000, offset: offset * 1000 })
    } else at = next
  }
  return segments
}

/** The first second in (from, to] with another offset than `from`, found by bisection. */
function firstChange(zone: string, from: number, to: number): number {
  const offset = offsetAt(zone, from)
  let [low, high] = [from / 1000, to / 1000]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(zone, middle * 1000) === offset) low = middle
    else high = middle
  }
  return high * 1000
}

/** Offset from UTC in milliseconds, computed from the local time that Intl shows. */
function offsetAt(zone: string, ms: number): number {
  if (zone === 'UTC') return 0
  const at = Math.max(ms, FIRST_CHANGE_MS)
  const part: Record<string, number> = {}
  for (const { type, value } of formatOf(zone).formatToParts(at)) part[type] = Number(value)
  const { year, month, day, hour, minute, second } = part as Record<
    'year' | 'month' | 'day' | 'hour' | 'minute' | 'second',
    number
  >
  return Date.UTC(year, month - 1, day, hour, minute, second) - at
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const numeric = 'numeric' as const
  const clock = { hour: numeric, minute: numeric, second: numeric, hourCycle: 'h23' as const }
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    year: numeric,
    month: numeric,
    day: numeric,
    ...clock,
  })
  return formats.set(zone, format)
}
