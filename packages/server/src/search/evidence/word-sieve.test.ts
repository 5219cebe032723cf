import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ROOM_AFTER, WordSieve } from './word-sieve.ts'

const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'n', 'T', '5'), minLength: 1, maxLength: 6 })
const gaps = fc.constantFrom(' ', '  ', '-', '.\n', '"')

test('lets every sought word through, once and in order', () => {
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 5 }), fc.array(fc.tuple(letters, gaps)), (sought, pieces) => {
      const text = pieces.flat().join('')
      const terms = sought.map((term) => term.toLowerCase())
      const expected = [...text.matchAll(/[a-z0-9]+/gi)].filter(([word]) => terms.includes(word.toLowerCase()))
      expect(wordsIn(text, terms).filter(([word]) => terms.includes(word.toLowerCase()))).toEqual(
        expected.map(({ 0: word, index }) => [word, index]),
      )
    }),
    { numRuns: 2000 },
  )
})

test('holds back most other words, and stops where it is told to', () => {
  const text = 'Many gulls, galls and guls; no gull but 1 seagull. '.repeat(20)
  expect(new Set(wordsIn(text, ['gull', 'straße']).map(([word]) => word))).toEqual(new Set(['gulls', 'guls', 'gull']))
  expect(wordsIn(text, ['gulls'], 10)).toEqual([['gulls', 5]])
  expect(wordsIn(text, ['straße'])).toEqual([])
})

function wordsIn(text: string, terms: readonly string[], reach?: number) {
  const found: [string, number][] = []
  const bytes = Buffer.from(` ${text} ${'gull '.repeat(ROOM_AFTER)}`)
  new WordSieve(terms).eachWord(bytes, text.length + 2, reach ?? 0, (start, end) => {
    found.push([bytes.toString('latin1', start, end), start - 1])
    return reach !== undefined
  })
  return found
}
