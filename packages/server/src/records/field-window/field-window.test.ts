import { PdppError, WINDOW_CHARS } from '@pdpp/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type WindowRequest, windowOf } from './field-window.ts'

const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'B', ' ', '\n', 'é', 'e\u0301', '😀', '👩‍👩‍👧‍👦', '.', '*'), maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
)
const limitChars = fc.integer({ min: 1, max: 25 })

/** Borders of graphemes, in code points. */
function borders(value: string): number[] {
  const found = [0]
  for (const { segment } of new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(value))
    found.push(found.at(-1)! + [...segment].length)
  return found
}

function refusal(value: string, request: WindowRequest): PdppError {
  try {
    windowOf(value, request)
  } catch (error) {
    if (error instanceof PdppError) return error
    throw error
  }
  throw new Error('was accepted')
}

describe('windows', () => {
  test('in sequence contain the whole text', () => {
    fc.assert(
      fc.property(text, limitChars, (value, limit) => {
        const parts: string[] = []
        let offsetChars: number | null = 0
        while (offsetChars !== null) {
          const window = windowOf(value, { offsetChars, limitChars: limit })
          expect(window.start_chars).toBe(offsetChars)
          expect([...window.text].length).toBe(window.end_chars - window.start_chars)
          const length = [...window.text].length
          if (length > limit) expect(borders(window.text)).toEqual([0, length])
          expect(borders(value)).toContain(window.end_chars)
          parts.push(window.text)
          offsetChars = window.next_offset_chars
        }
        expect(parts.join('')).toBe(value)
      }),
    )
  })

  test('read backwards from the end reach the start without a gap', () => {
    fc.assert(
      fc.property(text, limitChars, (value, limit) => {
        let window = windowOf(value, { offsetChars: [...value].length, limitChars: limit })
        while (window.previous_offset_chars !== null) {
          const before = windowOf(value, { offsetChars: window.previous_offset_chars, limitChars: limit })
          expect(before.end_chars).toBeGreaterThanOrEqual(window.start_chars)
          expect(before.start_chars).toBeLessThan(window.start_chars)
          window = before
        }
        expect(window.start_chars).toBe(0)
      }),
    )
  })

  test('report their own bounds correctly', () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 60 }), limitChars, (value, offset, limit) => {
        const chars = [...value]
        fc.pre(offset <= chars.length)
        const window = windowOf(value, { offsetChars: offset, limitChars: limit })
        expect(window.text).toBe(chars.slice(window.start_chars, window.end_chars).join(''))
        expect(window.start_chars).toBe(borders(value).findLast((at) => at <= offset))
        expect(window.total_chars).toBe(chars.length)
        expect(window.complete).toBe(window.text === value)
        expect(window.has_more).toBe(window.end_chars < chars.length)
        expect(window.next_offset_chars === null).toBe(!window.has_more)
        expect([window.match_start_chars, window.match_end_chars]).toEqual([null, null])
      }),
    )
  })

  test('count code points, not UTF-16 units', () => {
    expect(windowOf('😀😀ab', { offsetChars: 1, limitChars: 2 })).toMatchObject({
      text: '😀a',
      start_chars: 1,
      end_chars: 3,
      total_chars: 4,
    })
  })

  test('never split a grapheme', () => {
    const value = 'ab👩🏽‍🚀cd👩🏽‍🚀'
    expect(windowOf(value, { q: 'cd', beforeChars: 1, afterChars: 1 })).toMatchObject({
      text: '👩🏽‍🚀cd',
      start_chars: 2,
    })
    expect(windowOf(value, { offsetChars: 4, limitChars: 5 })).toMatchObject({ text: '👩🏽‍🚀cd', end_chars: 8 })
    expect(windowOf(value, { offsetChars: 2, limitChars: 1 })).toMatchObject({ text: '👩🏽‍🚀', next_offset_chars: 6 })
  })

  test('split an endless pile of marks, to stay bounded', () => {
    const window = windowOf(`a${'́'.repeat(5000)}`, { limitChars: 1000 })
    expect(window.end_chars).toBe(1000)
  })

  test('have 4096 characters by default', () => {
    const window = windowOf('x'.repeat(10_000), {})
    expect([window.end_chars, window.limit_chars, window.next_offset_chars]).toEqual([4096, WINDOW_CHARS.default, 4096])
  })

  test('may start at the end, but not beyond', () => {
    expect(windowOf('abc', { offsetChars: 3 })).toMatchObject({ text: '', complete: false, has_more: false })
    expect(windowOf('', {})).toMatchObject({ text: '', complete: true, has_more: false, total_chars: 0 })
    expect(refusal('abc', { offsetChars: 4 })).toMatchObject({
      code: 'invalid_window',
      detail: { param: 'offset_chars' },
      message: 'offset_chars 4 is beyond the end: the field has 3 characters.',
    })
  })
})

describe('the window around a match', () => {
  const matched = (value: string, request: WindowRequest) => {
    const window = windowOf(value, request)
    const [start, end] = [window.match_start_chars!, window.match_end_chars!]
    return { ...window, match: [...value].slice(start, end).join('') }
  }

  test('finds any part of the text literally, at its first place', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 1, max: 10 }), (value, at, length) => {
        const chars = [...value]
        fc.pre(chars.length > 0)
        const from = at % chars.length
        const q = chars.slice(from, from + length).join('')
        const found = matched(value, { q })
        expect(found.match.toLowerCase()).toBe(q.toLowerCase())
        expect(found.match_start_chars!).toBeLessThanOrEqual(from)
      }),
    )
  })

  test.each([
    ['Grüße aus KÖLN', 'köln', 'KÖLN', 10],
    ['😀😀 Needle', 'nEEDLE', 'Needle', 3],
    ['İstanbul then ankara', 'ANKARA', 'ankara', 14],
    ['Ελλάς', 'ΕΛΛΆΣ', 'Ελλάς', 0],
    ['a.b axb', 'A.B', 'a.b', 0],
    ['axb a.b', 'a.b', 'a.b', 4],
    [
      'cost (in $): 5*5^2 [x] {y} a|b \\d+ c-d e/f?',
      '5*5^2 [X] {Y} A|B \\D+ C-D E/F?',
      '5*5^2 [x] {y} a|b \\d+ c-d e/f?',
      13,
    ],
    ['one\ntwo', 'E\nT', 'e\nt', 2],
    ['first FIRST', 'First', 'first', 0],
  ])('of %j contains %j', (value, q, match, start) => {
    expect(matched(value, { q })).toMatchObject({ match, match_start_chars: start })
  })

  test('is refused if nothing matches, without repeating the query', () => {
    for (const q of ['x.z', '.*', 'a|b', '^a', '\ud83d']) {
      const error = refusal('a 😀 line', { q })
      expect([error.code, error.status, error.detail.param]).toEqual(['query_not_found', 404, 'q'])
      expect(error.message).not.toContain(q)
    }
  })

  const long = `${'.'.repeat(5000)}needle${'.'.repeat(5000)}`
  test.each<[WindowRequest, number, number]>([
    [{}, 5000 - 512, 5000 - 512 + 4096],
    [{ beforeChars: 10, afterChars: 20 }, 4990, 5026],
    [{ beforeChars: 10 }, 4990, 5006],
    [{ afterChars: 20 }, 5000, 5026],
    [{ beforeChars: 0, afterChars: 0 }, 5000, 5006],
    [{ limitChars: 100 }, 4953, 5053],
    [{ limitChars: 6 }, 5000, 5006],
    [{ limitChars: 3 }, 5000, 5003],
    [{ limitChars: 2000 }, 5000 - 512, 5000 - 512 + 2000],
    [{ limitChars: 50, beforeChars: 8000 }, 4956, 5006],
    [{ beforeChars: 8192, afterChars: 8192 }, 0, 10_006],
  ])('for %j has the right bounds', (request, start, end) => {
    const window = windowOf(long, { q: 'NEEDLE', ...request })
    expect([window.start_chars, window.end_chars]).toEqual([start, end])
    expect([window.match_start_chars, window.match_end_chars]).toEqual([5000, 5006])
  })

  test('always contains the match if the limit allows', () => {
    const around = fc.record(
      { beforeChars: fc.nat({ max: 80 }), afterChars: fc.nat({ max: 80 }), limitChars },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(
        fc.nat({ max: 700 }),
        fc.integer({ min: 1, max: 30 }),
        fc.nat({ max: 700 }),
        around,
        (before, size, after, request) => {
          const value = `${'😀'.repeat(before)}${'n'.repeat(size)}${'.'.repeat(after)}`
          const window = windowOf(value, { q: 'N'.repeat(size), ...request })
          const shown = Math.min(size, window.limit_chars)
          expect(window.start_chars).toBeLessThanOrEqual(before)
          expect(window.end_chars).toBeGreaterThanOrEqual(before + shown)
          expect(window.text).toContain('n'.repeat(shown))
          if (request.limitChars !== undefined) expect(window.limit_chars).toBe(request.limitChars)
        },
      ),
    )
  })
})
