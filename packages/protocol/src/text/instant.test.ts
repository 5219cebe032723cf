import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatInstant, isoTime, parseInstant } from './instant.ts'

const micros = (iso: string): number => new Date(iso).getTime() * 1000
// The range in which a double holds microseconds exactly.
const date = fc.date({
  min: new Date('1700-01-01T00:00:00Z'),
  max: new Date('2250-01-01T00:00:00Z'),
  noInvalidDate: true,
})
// Close together, so that the zones decide how the texts sort.
const apart = fc.integer({ min: -172_800_000, max: 172_800_000 })
const offset = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 })

/** The same instant on a clock that is `minutes` ahead of UTC. */
function localText(at: Date, minutes: number, zoneColon = ':'): string {
  const local = new Date(at.getTime() + minutes * 60_000).toISOString().slice(0, -1)
  const two = (value: number): string => String(value).padStart(2, '0')
  const size = Math.abs(minutes)
  return `${local}${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${zoneColon}${two(size % 60)}`
}

describe('an instant', () => {
  test.each([
    ['1970-01-01T00:00:00Z', 0],
    ['1970-01-01', 0],
    ['1969-12-31T23:59:59.999999Z', -1],
    ['2026-01-31T08:00:00+02:00', micros('2026-01-31T06:00:00Z')],
    ['2026-01-31t08:00:00z', micros('2026-01-31T08:00:00Z')],
    ['2026-01-31 08:00:00Z', micros('2026-01-31T08:00:00Z')],
    ['2026-01-31T08:00:00-0330', micros('2026-01-31T11:30:00Z')],
    ['2026-01-31T08:00:00-00:00', micros('2026-01-31T08:00:00Z')],
    ['2026-01-31T23:59:00-00:01', micros('2026-02-01T00:00:00Z')],
    ['2024-02-29', micros('2024-02-29T00:00:00Z')],
    ['2000-02-29', micros('2000-02-29T00:00:00Z')],
    ['2026-01-01T00:00:00.1Z', micros('2026-01-01T00:00:00Z') + 100_000],
    ['2026-01-01T00:00:00,5Z', micros('2026-01-01T00:00:00Z') + 500_000],
    ['2026-01-01T00:00:00.1234567890123Z', micros('2026-01-01T00:00:00Z') + 123_456],
    ['2026-01-01T00:00:00.000000999Z', micros('2026-01-01T00:00:00Z')],
  ])('%s', (text, expected) => expect(parseInstant(text)).toBe(expected))

  test('of a leap second equals that of the second before', () => {
    expect(parseInstant('2016-12-31T23:59:60Z')).toBe(parseInstant('2016-12-31T23:59:59Z'))
    expect(parseInstant('2017-01-01T08:59:60+09:00')).toBe(parseInstant('2016-12-31T23:59:59Z'))
  })

  test('in the years 0 to 99 is not read as 19xx', () => {
    for (const year of ['0000', '0001', '0050', '0099']) {
      expect(parseInstant(`${year}-06-01T00:00:00Z`)).toBe(micros(`${year}-06-01T00:00:00Z`))
      expect(parseInstant(`${year}-06-01`)!).toBeLessThan(parseInstant('0100-01-01')!)
    }
    expect(parseInstant('0000-02-29')).toBe(micros('0000-02-29T00:00:00Z'))
    expect(parseInstant('0001-02-29')).toBeUndefined()
  })

  test('agrees with Date for any time in any zone', () => {
    fc.assert(
      fc.property(date, offset, (at, minutes) => {
        expect(parseInstant(at.toISOString())).toBe(at.getTime() * 1000)
        expect(parseInstant(localText(at, minutes))).toBe(at.getTime() * 1000)
        expect(parseInstant(localText(at, minutes, ''))).toBe(at.getTime() * 1000)
      }),
    )
  })

  test('orders times by instant, not by text', () => {
    fc.assert(
      fc.property(date, apart, offset, offset, (one, milliseconds, zone, otherZone) => {
        const other = new Date(one.getTime() + milliseconds)
        const difference = parseInstant(localText(one, zone))! - parseInstant(localText(other, otherZone))!
        expect(Math.sign(difference)).toBe(Math.sign(one.getTime() - other.getTime()))
      }),
    )
    expect(parseInstant('2026-01-01T01:00:00+02:00')!).toBeLessThan(parseInstant('2026-01-01T00:00:00Z')!)
  })

  test('distinguishes microseconds', () => {
    const digits = fc.integer({ min: 0, max: 999_999 })
    fc.assert(
      fc.property(digits, digits, (one, other) => {
        const at = (fraction: number) => parseInstant(`2026-05-05T05:05:05.${String(fraction).padStart(6, '0')}Z`)!
        expect(at(one) - at(other)).toBe(one - other)
      }),
    )
  })

  test('is written as UTC with milliseconds', () => {
    fc.assert(
      fc.property(date, (at) => {
        expect(formatInstant(at.getTime() * 1000)).toBe(at.toISOString())
      }),
    )
    expect(formatInstant(-1)).toBe('1969-12-31T23:59:59.999Z')
    expect(formatInstant(1_999)).toBe('1970-01-01T00:00:00.001Z')
  })
})

test.each([
  '',
  'yesterday',
  '2026',
  '2026-01',
  '2026-1-1',
  '20260101',
  '2026-02-30',
  '2026-02-29',
  '1900-02-29',
  '2026-04-31T00:00:00Z',
  '2026-00-10',
  '2026-13-10',
  '2026-01-00',
  '2026-01-32',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:60:00Z',
  '2026-01-01T00:00:61Z',
  '2026-01-01T00:00Z',
  '2026-01-01T00:00:00',
  '2026-01-01T00:00:00.Z',
  '2026-01-01T00:00:00+24:00',
  '2026-01-01T00:00:00+00:60',
  '2026-01-01T00:00:00+01',
  '2026-01-01T00:00:00Zulu',
  ' 2026-01-01',
  '2026-01-01\n',
  '+02026-01-01T00:00:00Z',
  '-0001-01-01T00:00:00Z',
  '1767225600',
])('%j is not an instant', (text) => expect(parseInstant(text)).toBeUndefined())

/** The last millisecond that a date can have. */
const MAX = 8_640_000_000_000_000

test('writes every time as a date writes it', () => {
  fc.assert(
    fc.property(fc.integer({ min: -MAX, max: MAX }), (millis) => {
      expect(isoTime(millis)).toBe(new Date(millis).toISOString())
    }),
  )
  for (const millis of [0, -0, -1, 86_399_999, 86_400_000, -86_400_000, 1.5, -1.5, MAX, -MAX, 253_402_300_800_000])
    expect(isoTime(millis)).toBe(new Date(millis).toISOString())
})

test('refuses what is no time', () => {
  for (const millis of [Number.NaN, Number.POSITIVE_INFINITY, MAX + 1, -MAX - 1])
    expect(() => isoTime(millis)).toThrow(RangeError)
})
