import { expect, test } from 'vitest'
import { parseQuery } from '../query/query.ts'
import { rankDocuments } from './ranking.ts'
import { weighWord } from './word-weight.ts'

/** As if both stood in a few of many records: other forms are sought. */
function matches(asked: string, written: string): string {
  const frequencies = (expression: string) => [expression.includes(`"${asked}"`) ? 3 : 5]
  const words = parseQuery(asked).words.map((word) => weighWord(word, { documents: 100_000, frequencies }))
  const document = { fields: [{ key: 'text', text: `before ${written} after` }], authoredAt: null }
  const [ranked] = rankDocuments([document], words)
  if (ranked!.words.length === 0) return 'no'
  return ranked!.tier > 0 ? 'the word' : 'another word'
}

test.each([
  ['boats', 'boat'],
  ['boat', 'boats'],
  ['harbour', 'harbours'],
  ['harbours', 'harbour'],
  ['walk', 'walked'],
  ['walk', 'walking'],
  ['collect', 'collected'],
  ['collected', 'collecting'],
  ['quote', 'quoted'],
  ['tent', 'tents'],
  ['organs', 'organ'],
  ['species', 'specie'],
  ['hunde', 'hund'],
  ['namen', 'name'],
  ['книги', 'книг'],
])('"%s" is found as "%s"', (asked, written) => {
  expect(matches(asked, written)).toBe('the word')
})

test.each([
  ['tent', 'ten'],
  ['news', 'new'],
  ['lens', 'len'],
  ['glass', 'glas'],
  ['plant', 'plan'],
  ['cars', 'care'],
])('"%s" is not "%s"', (asked, written) => {
  expect(matches(asked, written)).toBe('no')
})

test.each([
  ['university', 'universal'],
  ['universal', 'university'],
  ['organ', 'organization'],
  ['species', 'special'],
  ['nation', 'nationalist'],
])('"%s" may be about the same as "%s", but is another word', (asked, written) => {
  expect(matches(asked, written)).toBe('another word')
})
