import { countChars } from '@pdpp/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseQuery } from '../query/query.ts'
import { rarity } from '../ranking/weighed-words.ts'
import { anyText } from '../text.fixture.ts'
import { evidenceOf } from './evidence.ts'
import { MatchFinder } from './match-finder.ts'

const BUDGET = 60

function show(text: string, asked: string, budget = BUDGET) {
  const words = parseQuery(asked).words.map((word) => ({
    ...word,
    forms: [{ term: word.term, closeness: 1 }],
    weight: rarity(word.content ? 1 : 50, 100),
  }))
  return evidenceOf([{ path: 'body', text, hits: new MatchFinder(words).scan(text) }], words, budget)[0]
}

const unmarked = (preview: string) => preview.replaceAll(/<\/?mark>/g, '')
const asSource = (text: string) => text.replaceAll(/<(?=\/?mark[\s/>])/gi, '‹')

describe('evidence', () => {
  test('shows a short text whole', () => {
    expect(show('We walked to the Lighthouse.', 'the lighthouse')).toEqual({
      field_path: 'body',
      preview_text: 'We walked to the <mark>Lighthouse</mark>.',
      truncated: false,
      match_start_chars: 17,
      match_end_chars: 27,
      window_start_chars: 0,
      window_end_chars: 28,
      total_chars: 28,
    })
  })

  test('shows context on both sides, cut between words', () => {
    const text = `${'before '.repeat(40)}the lighthouse stands ${'after '.repeat(40)}`
    const excerpt = show(text, 'lighthouse')!
    expect(excerpt.preview_text).toBe('…before before the <mark>lighthouse</mark> stands after after…')
    expect(excerpt.truncated).toBe(true)
  })

  test('prefers the span with different words', () => {
    const text = `ferry ferry ferry ${'filler '.repeat(30)} the ferry left the harbour ${'filler '.repeat(30)} harbour`
    expect(show(text, 'harbour ferry')!.preview_text).toContain('the <mark>ferry</mark> left the <mark>harbour</mark>')
  })

  test('replaces marks in the text itself', () => {
    expect(show('a <mark>ferry</mark> b </MARK > ferry', 'ferry')!.preview_text).toBe(
      'a ‹mark><mark>ferry</mark>‹/mark> b ‹/MARK > <mark>ferry</mark>',
    )
  })

  test('marks a Han run once, far inside a long text', () => {
    expect(show('黒い東京タワーへ行く', '東京タワー')!.preview_text).toBe('黒い<mark>東京タワー</mark>へ行く')
    const text = `${'filler '.repeat(40_000)}lighthouse`
    expect(show(text, 'lighthouse')).toMatchObject({
      match_start_chars: 280_000,
      match_end_chars: 280_010,
      window_end_chars: 280_010,
    })
  })

  test('is absent if nothing matches', () => {
    expect(show('We walked.', 'lighthouse')).toBeUndefined()
  })

  test('is exact, balanced, within budget and keeps graphemes whole', () => {
    const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })
    fc.assert(
      fc.property(anyText, anyText, fc.integer({ min: 10, max: 80 }), (text, asked, budget) => {
        const excerpt = show(text, asked, budget)
        if (!excerpt) return
        const points = [...text]
        const window = points.slice(excerpt.window_start_chars, excerpt.window_end_chars).join('')
        const dots = [excerpt.window_start_chars > 0, excerpt.window_end_chars < points.length].map((cut) =>
          cut ? '…' : '',
        )
        expect(unmarked(excerpt.preview_text)).toBe(dots[0]! + asSource(window) + dots[1]!)
        expect(excerpt.total_chars).toBe(points.length)
        expect(excerpt.truncated).toBe(dots.join('') !== '')
        // Only a text that is shown whole may be longer.
        expect(countChars(unmarked(excerpt.preview_text))).toBeLessThanOrEqual(
          excerpt.truncated ? budget : 1.5 * budget,
        )
        expect(excerpt.preview_text.match(/<\/?mark>/g)?.join('') ?? '').toMatch(/^(<mark><\/mark>)*$/)
        const borders = new Set([...graphemes.segment(text)].map(({ index }) => index).concat(text.length))
        let at = points.slice(0, excerpt.window_start_chars).join('').length
        expect(borders).toContain(at)
        const body = excerpt.preview_text.slice(dots[0]!.length)
        for (const piece of body.split(/<\/?mark>/).slice(0, -1)) {
          at += piece.length
          expect(borders).toContain(at)
        }
        const match = points.slice(excerpt.match_start_chars, excerpt.match_end_chars).join('')
        if (excerpt.preview_text.includes('<mark>'))
          expect(excerpt.preview_text).toContain(`<mark>${asSource(match)}</mark>`)
      }),
      { numRuns: 2000 },
    )
  })
})
