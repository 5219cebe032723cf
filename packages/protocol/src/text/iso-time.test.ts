import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoTime } from './iso-time.ts'

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
