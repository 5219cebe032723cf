import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokenize } from '../analysis/analyser.ts'
import { parseQuery, soughtWords } from '../query/query.ts'
import { anyText } from '../text.fixture.ts'
import { MatchFinder } from './match-finder.ts'
import { rankDocuments } from './ranking.ts'
import { rarity, type WeightedWord, weighWord } from './word-weight.ts'

const COMMON = new Map([
  ['the', 900],
  ['meeting', 300],
  ['ferry', 40],
  ['harbour', 10],
  ['lighthouse', 2],
])
const scope = {
  documents: 1000,
  frequencies: (expression: string) => [COMMON.get(expression.replaceAll(/[" *]/g, '')) ?? 5],
}
const weigh = (text: string): WeightedWord[] => soughtWords(parseQuery(text)).map((word) => weighWord(word, scope))
const document = (text: string, authoredAt = 0, title?: string) => ({
  text,
  authoredAt,
  fields: [
    { key: 'body', text },
    ...(title === undefined ? [] : [{ key: 'title', text: title, role: 'primary-title' }]),
  ],
})
const order = (query: string, texts: readonly string[]) =>
  rankDocuments(
    texts.map((text) => document(text)),
    weigh(query),
  ).map((ranked) => ranked.document.text)

describe('ranking', () => {
  test('puts rare words above common ones, and the word itself above its other forms', () => {
    expect(order('ferry meeting', ['a long meeting', 'a long ferry'])).toEqual(['a long ferry', 'a long meeting'])
    expect(order('lighthouse', ['two lighthouses there', 'one lighthouse there'])[0]).toBe('one lighthouse there')
  })

  test('puts words that stand together above words far apart', () => {
    const filler = 'word '.repeat(20)
    const [near, far] = [`harbour ferry ${filler}${filler}`, `harbour ${filler}ferry ${filler}`]
    expect(order('harbour ferry', [far, near])).toEqual([near, far])
  })

  test('counts a title above a body', () => {
    const [inTitle, inBody] = [document('some words here', 0, 'The ferry'), document('some ferry here', 0, 'The boat')]
    expect(rankDocuments([inBody, inTitle], weigh('ferry'))[0]!.document).toBe(inTitle)
  })

  test('puts the newer first among equals', () => {
    const ranked = rankDocuments(
      [document('a ferry', 1), document('a ferry', 3), document('a ferry', 2)],
      weigh('ferry'),
    )
    expect(ranked.map(({ document }) => document.authoredAt)).toEqual([3, 2, 1])
  })

  test('puts a document with all words above every one with fewer', () => {
    const word = fc.constantFrom('the', 'meeting', 'ferry', 'harbour', 'lighthouse', 'word', 'gull')
    const text = fc.array(word, { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { minLength: 1, maxLength: 5 }),
        fc.array(text, { maxLength: 8 }),
        (asked, texts) => {
          const hasAll = (words: string) => asked.every((term) => words.split(' ').includes(term))
          const ranked = order(
            asked.join(' '),
            texts.map((words) => words.join(' ')),
          ).map(hasAll)
          expect(ranked).toEqual([...ranked].sort((a, b) => Number(b) - Number(a)))
        },
      ),
    )
  })

  test('scores more for one more of the sought words in the same place', () => {
    fc.assert(
      fc.property(fc.nat({ max: 5 }), (at) => {
        const words = ['a', 'long', 'day', 'at', 'sea', 'again']
        const [less, more] = [words.join(' '), words.with(at, 'lighthouse').join(' ')]
        const [first, second] = rankDocuments([document(less), document(more)], weigh('lighthouse sea'))
        if (at !== 4) expect([first!.document.text, first!.score > second!.score]).toEqual([more, true])
      }),
    )
  })

  test('never gives a word a negative weight', () => {
    expect(rarity(1000, 1000)).toBeGreaterThan(0)
    expect(rarity(1001, 1000)).toBeGreaterThanOrEqual(0)
  })
})

describe('a scan', () => {
  test('finds what the analyser finds, where it finds it', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, asked) => {
        const words = parseQuery(asked).words.map((word) => ({ ...word, prefix: null, seeksForms: false }))
        const tokens = tokenize(text)
        const expected = tokens.flatMap(({ term, start, end }, position) =>
          words.flatMap(({ term: sought, isPrefix }, word) =>
            term === sought || (isPrefix && term.startsWith(sought))
              ? [{ word, closeness: 1, position, start, end }]
              : [],
          ),
        )
        expect(new MatchFinder(words).scan(text)).toEqual({ length: tokens.length, hits: expected })
      }),
      { numRuns: 1000 },
    )
  })
})
