import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tokenize } from '../analysis/analyser.ts'
import { parseQuery } from '../query/query.ts'
import { anyText } from '../text.fixture.ts'
import { evidenceOf } from './evidence.ts'
import { type Hit, MatchFinder } from './match-finder.ts'

const weighed = ({ content }: { readonly content: boolean }) => ({ content, weight: 1 })

test('finds what the analyser finds, where it finds it', () => {
  fc.assert(
    fc.property(anyText, anyText, fc.constantFrom(1, 1, 1, 100), fc.boolean(), (drawn, asked, times, isAscii) => {
      // Long ASCII texts are scanned by other code.
      const text = (isAscii ? drawn.replace(/[^ -~]/g, '') : drawn).repeat(times)
      const words = parseQuery(asked).words.map((word) => ({ ...word, forms: [{ term: word.term, closeness: 1 }] }))
      const tokens = tokenize(text)
      const expected = tokens.flatMap(({ term, start, end }) =>
        words.flatMap(({ term: sought, isPrefix }, word) =>
          term === sought || (isPrefix && term.startsWith(sought)) ? [{ word, closeness: 1, start, end }] : [],
        ),
      )
      const found = new MatchFinder(words).scan(text)
      // The finder leaves out hits of a single word that lie far after the first shortest one. No excerpt shows the
      // difference.
      expect(found).toEqual(words.length === 1 ? expected.slice(0, found.length) : expected)
      const shown = (hits: readonly Hit[]) => evidenceOf([{ path: 'text', text, hits }], words.map(weighed), 200)
      expect(shown(found)).toEqual(shown(expected))
    }),
    { numRuns: 1000 },
  )
})

const LETTERS = [
  'naive',
  'naïve',
  'NAÏVE',
  'na\u0308ive',
  'Straße',
  'strasse',
  'STRASSE',
  'œuvre',
  'oeuvre',
  'été',
  'e',
  'É',
]
const SCRIPTS = [
  'жёлтый',
  'ЖЕЛТЫЙ',
  'ΟΔΟΣ',
  'οδός',
  '東京',
  '猫',
  'สวัสดี',
  'والكتاب',
  '한국어',
  'ﬁn',
  'fin',
  'Ⅷ',
  'viii',
  'ﷺ',
  '½',
]
const GAPS = [' ', '\n', '’', '…', '-', '_', '=', '?page=3', ' ab12-cd34ef56gh', '\u00a0', '\u00ad', '\u200d', '👍', '']
const words = fc.constantFrom(...LETTERS, ...SCRIPTS)
const gappedText = fc
  .array(fc.tuple(words, fc.constantFrom(...GAPS)), { maxLength: 12 })
  .map((parts) => parts.flat().join(''))

test('finds words of every script in long texts', () => {
  fc.assert(
    fc.property(gappedText, fc.array(words, { minLength: 1, maxLength: 3 }), fc.boolean(), (drawn, asked, isSpaced) => {
      const text = `${drawn}${isSpaced ? ' and then some more words ' : ''}`.repeat(30)
      const sought = parseQuery(asked.join(' ')).words.map((word) => ({
        ...{ ...word, forms: [{ term: word.term, closeness: 1 }] },
      }))
      const expected = tokenize(text).flatMap(({ term, start, end }) =>
        sought.flatMap(({ term: one, isPrefix }, word) =>
          term === one || (isPrefix && term.startsWith(one)) ? [{ word, closeness: 1, start, end }] : [],
        ),
      )
      const found = new MatchFinder(sought).scan(text)
      if (sought.length !== 1) expect(found).toEqual(expected)
      const shown = (hits: readonly Hit[]) => evidenceOf([{ path: 'text', text, hits }], sought.map(weighed), 200)
      expect(shown(found)).toEqual(shown(expected))
    }),
    { numRuns: 500 },
  )
})

test('shows the first shortest form of a single word, wherever it is', () => {
  const filler = 'nothing to see '.repeat(200)
  const forms = [
    { term: 'gulls', closeness: 1 },
    { term: 'gull', closeness: 0.95 },
    { term: 'gul', closeness: 0.4 },
  ]
  const hitsIn = (text: string) =>
    new MatchFinder([{ term: 'gulls', isPrefix: false, forms }])
      .scan(text)
      .map(({ start, end }) => text.slice(start, end))
  expect(hitsIn(`gulls ${filler} gulls ${filler} gull`)).toEqual(['gulls', 'gulls', 'gull'])
  // The shortest form proves no match, so the search for one goes on.
  expect(hitsIn(`gul ${filler} gulls`)).toEqual(['gul', 'gulls'])
})

test('shows all matches around a shorter one with a ligature', () => {
  const text = `fin ${'nothing to see '.repeat(200)} ﬁn fin`
  const hits = new MatchFinder([{ term: 'fin', isPrefix: false, forms: [{ term: 'fin', closeness: 1 }] }]).scan(text)
  expect(hits.map(({ start, end }) => text.slice(start, end))).toEqual(['fin', 'ﬁn', 'fin'])
})
