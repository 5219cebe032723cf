import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bucketIntervals, describeBucket, GRANULARITIES, type Granularity } from './time-buckets.ts'
import { isTimeZone, offsetSegments, yearOf } from './time-zone.ts'

const HOUR = 3_600_000
/** Days on which clocks change, a date is skipped (Apia), or a date occurs twice (St. John's, São Paulo). */
const ZONES: Record<string, string[]> = {
  UTC: ['2026-01-01', '2024-02-29'],
  'America/New_York': ['2026-03-08', '2026-11-01', '1883-11-18', '2025-12-31'],
  'Europe/Berlin': ['2026-03-29', '2026-10-25', '1945-05-24'],
  'Asia/Kathmandu': ['2026-06-01', '1985-12-31'],
  'Australia/Lord_Howe': ['2026-04-04', '2026-10-03'],
  'Pacific/Apia': ['2011-12-29', '2011-12-31', '2012-03-31'],
  'America/St_Johns': ['2009-11-01', '2009-03-08'],
  'America/Sao_Paulo': ['2017-02-18', '2017-10-15'],
}

/** Slow reference: formats the instant in the zone and reads the bucket from that text. */
function shown(zone: string, granularity: Granularity, ms: number): { key: string; offset: string } {
  const part = Object.fromEntries(
    formatFor(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  ) as Record<string, string>
  const date = `${part['year']!.padStart(4, '0')}-${part['month']}-${part['day']}`
  const offset = part['timeZoneName']!
  const month = Number(part['month'])
  const day = new Date(`${date}T00:00:00Z`)
  switch (granularity) {
    case 'minute':
      return { key: `${date}T${part['hour']}:${part['minute']}`, offset }
    case 'hour':
      return { key: `${date}T${part['hour']}:00`, offset }
    case 'day':
      return { key: date, offset }
    case 'week':
      while (day.getUTCDay() !== 1) day.setUTCDate(day.getUTCDate() - 1)
      return { key: day.toISOString().slice(0, 10), offset }
    case 'month':
      return { key: `${date.slice(0, 7)}-01`, offset }
    case 'quarter':
      return { key: `${date.slice(0, 5)}${String(month - ((month - 1) % 3)).padStart(2, '0')}-01`, offset }
    case 'year':
      return { key: `${date.slice(0, 4)}-01-01`, offset }
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()
function formatFor(zone: string): Intl.DateTimeFormat {
  const two = '2-digit' as const
  const options = {
    year: 'numeric',
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
    hourCycle: 'h23',
  } as const
  const known =
    formats.get(zone) ?? new Intl.DateTimeFormat('en-CA', { timeZone: zone, timeZoneName: 'longOffset', ...options })
  formats.set(zone, known)
  return known
}

function bucketAt(zone: string, granularity: Granularity, ms: number) {
  const range = { from: (ms - 30 * HOUR) * 1000, to: (ms + 30 * HOUR) * 1000 }
  const intervals = bucketIntervals(
    granularity,
    offsetSegments(zone, [yearOf(range.from), yearOf(range.to)]),
    [range],
    1e6,
  )!
  const { bucket } = intervals.findLast(({ start }) => start <= ms * 1000)!
  return { bucket, ...describeBucket(granularity, zone, bucket) }
}

const isFine = (granularity: Granularity) => granularity === 'minute' || granularity === 'hour'
const place = fc.constantFrom(...Object.keys(ZONES)).chain((zone) =>
  fc.record({
    zone: fc.constant(zone),
    day: fc.constantFrom(...ZONES[zone]!),
    granularity: fc.constantFrom(...GRANULARITIES),
    ms: fc.integer({ min: -30 * HOUR, max: 54 * HOUR }),
    later: fc.integer({ min: 0, max: 3 * HOUR }),
  }),
)

describe('a bucket', () => {
  test('is named by local time and starts when clocks show it', () => {
    fc.assert(
      fc.property(place, ({ zone, day, granularity, ms: from }) => {
        const ms = Date.parse(day) + from
        const { key, startsAt } = bucketAt(zone, granularity, ms)
        const truth = shown(zone, granularity, ms)
        expect(key).toBe(truth.key)
        expect(startsAt).toBeLessThanOrEqual(ms * 1000)
        const first = shown(zone, granularity, startsAt / 1000)
        const before = shown(zone, granularity, startsAt / 1000 - 1)
        expect(first.key).toBe(key)
        expect(before.key !== key || (isFine(granularity) && before.offset !== first.offset)).toBe(true)
      }),
      { numRuns: 4000, seed: 3 },
    )
  })

  test('contains two instants exactly if the clocks agree', () => {
    fc.assert(
      fc.property(place, ({ zone, day, granularity, ms, later }) => {
        const at = [Date.parse(day) + ms, Date.parse(day) + ms + later] as const
        const [a, b] = at.map((instant) => bucketAt(zone, granularity, instant).bucket)
        const [seenA, seenB] = at.map((instant) => shown(zone, granularity, instant))
        const same = seenA!.key === seenB!.key && (!isFine(granularity) || seenA!.offset === seenB!.offset)
        expect(a === b).toBe(same)
      }),
      { numRuns: 4000, seed: 4 },
    )
  })
})

test('an hour that occurs twice is two buckets of one name', () => {
  const at = (zone: string, text: string) => bucketAt(zone, 'hour', Date.parse(text))
  const [first, second] = [
    at('America/New_York', '2026-11-01T05:30:00Z'),
    at('America/New_York', '2026-11-01T06:30:00Z'),
  ]
  expect([first.key, second.key]).toEqual(['2026-11-01T01:00', '2026-11-01T01:00'])
  expect(second.startsAt - first.startsAt).toBe(HOUR * 1000)
  const [long, short] = [
    at('Australia/Lord_Howe', '2026-04-04T14:59:00Z'),
    at('Australia/Lord_Howe', '2026-04-04T15:01:00Z'),
  ]
  expect([long.key, short.key]).toEqual(['2026-04-05T01:00', '2026-04-05T01:00'])
  expect(short.startsAt).toBe(Date.parse('2026-04-04T15:00:00Z') * 1000)
})

test('returns nothing if there are too many buckets', () => {
  const range = { from: 0, to: 10 * 24 * HOUR * 1000 }
  expect(bucketIntervals('day', offsetSegments('UTC', []), [range], 10)).toBeUndefined()
  expect(bucketIntervals('day', offsetSegments('UTC', []), [range], 11)).toHaveLength(11)
})

test.each([
  ['Europe/Berlin', true],
  ['UTC', true],
  ['Mars/Olympus', false],
  ['+02:00', false],
  ['', false],
  ['Europe/Berlin\0', false],
])('%s is a time zone: %s', (name, known) => expect(isTimeZone(name)).toBe(known))
