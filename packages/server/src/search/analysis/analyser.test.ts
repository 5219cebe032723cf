import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PlacesReader } from '../segments/places-codec.ts'
import { decodePostings } from '../segments/postings-codec.ts'
import { buildSegment } from '../segments/segment-builder.ts'
import { SegmentWords } from '../segments/word-part.ts'
import { anyText } from '../text.fixture.ts'
import { tokenize } from './analyser.ts'

const terms = (text: string) => tokenize(text).map(({ term }) => term)

/** The terms that the real index stores, in order. */
function indexed(text: string): string[] {
  const { columns, parts } = buildSegment([{ edition: 1, number: 1, times: [0, 0], group: null, texts: [text] }])
  const words = new SegmentWords(parts)
  const places = words.terms.flatMap((term, at) => {
    const { postings, places: bytes, entries } = words.termBytes(at)
    const reader = new PlacesReader(bytes, decodePostings(postings, entries, columns))
    const count = reader.read(0)
    return Array.from(reader.places.subarray(0, count), (place) => ({ term, place }))
  })
  return places.sort((a, b) => a.place - b.place).map(({ term }) => term)
}

describe('terms', () => {
  test.each([
    ['é', 'e\u0301'],
    ['Straße', 'STRASSE'],
    ['GROẞ', 'gross'],
    ['İstanbul', 'istanbul'],
    ['ısı', 'ISI'],
    ['ΟΔΌΣ', 'οδος'],
    ['Đà Nẵng', 'da nang'],
    ['Łódź', 'lodz'],
    ['ＦＵＬＬ', 'full'],
    ['ﾊﾞﾅﾅ', 'バナナ'],
    ['ёлка', 'елка'],
    ['٣٤', '34'],
    ['أَحْمَد', 'احمد'],
    ['مكتبة', 'مكتبه'],
    ['والكتاب', 'كتاب'],
    ['क़लम', 'कलम'],
    ['한국어', '한국어'.normalize('NFD')],
    ['Donau\u00addampf', 'donaudampf'],
  ])('%s and %s have the same terms', (one, other) => {
    expect(terms(one)).toEqual(terms(other))
  })

  test.each([
    ['gull-3 v2.1', ['gull', '3', 'v2', '1']],
    ['anna@example.com', ['anna', 'example', 'com']],
    ['1,234.56', ['1', '234', '56']],
    ['東京タワー', ['東京', '京タ', 'タワ', 'ワー', 'ー']],
    ['第3回', ['第', '3', '回']],
    ['ไปโรงเรียน', ['ไป', 'โรงเรียน']],
    ['हिन्दी', ['हिन्दी']],
    ['½', ['1', '2']],
    ['❤️ 🎂', ['❤', '🎂']],
    ['a_b\0c', ['a', 'b', 'c']],
    ['', []],
  ])('of %j', (text, expected) => {
    expect(terms(text)).toEqual(expected)
  })

  test('have correct positions', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let before = 0
        for (const { term, start, end } of tokenize(text)) {
          expect(start).toBeGreaterThanOrEqual(before)
          expect(end).toBeGreaterThan(start)
          // The text at this position alone gives the same term, or a pair or word that contains it.
          expect(terms(text.slice(start, end)).join('')).toContain(term)
          before = start
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('are stored unchanged by the index', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: 'binary-ascii' })), (text) => {
        expect(indexed(text)).toEqual(terms(text))
      }),
      { numRuns: 500 },
    )
  })

  test('of endless words are cut the same way everywhere', () => {
    for (const letter of ['x', 'ж', 'é', '𝔘', 'ß'])
      expect(indexed(letter.repeat(5000))).toEqual(terms(letter.repeat(5000)))
  })

  test('cover the first million characters of a text', () => {
    const text = `${'word '.repeat(200_000)}lighthouse ${'word '.repeat(20_000)}beyond`
    const found = new Set(indexed(text))
    expect([found.has('lighthouse'), found.has('beyond')]).toEqual([true, false])
  })
})
