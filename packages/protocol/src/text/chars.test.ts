import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { charOffset, countChars, previewChars, sliceChars } from './chars.ts'

/** Graphemes of one to seven code points, plain letters, and halves of surrogate pairs. */
const pieces = [
  'a',
  ' ',
  'é',
  'e\u0301',
  '中',
  '😀',
  '👩‍👩‍👧‍👦',
  '🇩🇪',
  '👍🏽',
  'क्षि',
  '\r\n',
  '\ud83d',
  '\ude00',
  '\u200d',
  '각',
]
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...pieces), maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ maxLength: 60 }),
)
const slow = (value: string): string[] => [...value]

describe('code points', () => {
  test('are counted like string iteration does', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(countChars(value)).toBe(slow(value).length)
      }),
    )
  })

  test('are sliced like string iteration does', () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 70 }), fc.nat({ max: 70 }), (value, start, end) => {
        expect(sliceChars(value, start, end)).toBe(slow(value).slice(start, end).join(''))
      }),
      { numRuns: 500 },
    )
  })

  test('are counted up to a UTF-16 offset', () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 130 }), (value, unit) => {
        expect(charOffset(value, unit)).toBe(slow(value.slice(0, unit)).length)
      }),
    )
  })

  test.each([
    ['', 0],
    ['abc', 3],
    ['😀', 1],
    ['👩‍👩‍👧‍👦', 7],
    ['e\u0301', 2],
    ['\ud83d', 1],
    ['\ude00\ud83d', 2],
  ])('of %j are %i', (value, count) => expect(countChars(value)).toBe(count))
})

describe('a preview', () => {
  const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })

  /** The ends of all graphemes, in code points. */
  function boundaries(value: string): number[] {
    const ends = [0]
    for (const { segment } of segmenter.segment(value)) ends.push(ends.at(-1)! + slow(segment).length)
    return ends
  }

  test('is the whole text if it fits', () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 20 }), (value, more) => {
        expect(previewChars(value, slow(value).length + more)).toBe(value)
      }),
    )
  })

  test('is otherwise cut after a grapheme and ends in …', () => {
    const long = fc.array(text, { maxLength: 6 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(long, fc.nat({ max: 100 }), (value, limit) => {
        fc.pre(slow(value).length > limit)
        const fitting = boundaries(value).filter((end) => end <= limit)
        expect(previewChars(value, limit)).toBe(`${slow(value).slice(0, fitting.at(-1)).join('')}…`)
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 7, '👩‍👩‍👧‍👦…'],
    ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 13, '👩‍👩‍👧‍👦…'],
    ['e\u0301e\u0301', 3, 'e\u0301…'],
    ['🇩🇪🇫🇷', 3, '🇩🇪…'],
    ['abc', 2, 'ab…'],
    ['abc', 0, '…'],
    [`a${'\u0301'.repeat(500)}`, 10, '…'],
  ])('of %j within %i', (value, limit, expected) => expect(previewChars(value, limit)).toBe(expected))
})
