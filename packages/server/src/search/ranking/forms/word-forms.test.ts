import { expect, test } from 'vitest'
import { parseQuery } from '../../query/query.ts'
import { formsOf, SAME_WORD } from './word-forms.ts'

/** How a term of the index relates to a rare word of the query. */
function relation(asked: string, written: string): string {
  const [word] = parseQuery(asked).words
  const termsFrom = (prefix: string) => [asked, written].filter((term) => term.startsWith(prefix))
  const form = formsOf(word!, true, termsFrom).find(({ term }) => term === written)
  if (!form) return 'no'
  return form.closeness >= SAME_WORD ? 'the word' : 'another word'
}

test.each([
  ['boats', 'boat'],
  ['boat', 'boats'],
  ['harbour', 'harbours'],
  ['walk', 'walked'],
  ['walk', 'walking'],
  ['collected', 'collecting'],
  ['quote', 'quoted'],
  ['tent', 'tents'],
  ['organs', 'organ'],
  ['species', 'specie'],
  ['hunde', 'hund'],
  ['namen', 'name'],
  ['книги', 'книг'],
  ['camped', 'camping'],
  ['studies', 'study'],
  ['planned', 'plans'],
  ['buying', 'buys'],
  ['went', 'go'],
  ['sold', 'selling'],
  ['children', 'child'],
  ['kilograms', 'kg'],
  ['zentimeter', 'centimetres'],
  ['a8f5f16', 'a8f5f167f44f4964e6c998dee827110c'],
])('"%s" is found as "%s"', (asked, written) => {
  expect(relation(asked, written)).toBe('the word')
})

test.each([
  ['tent', 'ten'],
  ['news', 'new'],
  ['lens', 'len'],
  ['glass', 'glas'],
  ['plant', 'plan'],
  ['cars', 'care'],
  ['pain', 'paint'],
  ['fame', 'fam'],
  ['care', 'car'],
  ['2041', '2041f167f44f4964e6c998de'],
  ['a8f5', 'a8f5f167f44f4964e6c998dee827110c'],
  ['iphone15', 'iphone15pro'],
])('"%s" is not "%s"', (asked, written) => {
  expect(relation(asked, written)).toBe('no')
})

test.each([
  ['university', 'universal'],
  ['universal', 'university'],
  ['organ', 'organization'],
  ['species', 'special'],
  ['nation', 'nationalist'],
  ['problems', 'problem'],
  ['worried', 'worries'],
])('"%s" may be about the same as "%s", but is another word', (asked, written) => {
  expect(relation(asked, written)).toBe('another word')
})

test('a quoted word has no other forms, and the word itself goes first', () => {
  const terms = (text: string) => formsOf(parseQuery(text).words[0]!, true, () => ['walked', 'walking', 'walk'])
  expect(terms('walk').map(({ term }) => term)[0]).toBe('walk')
  expect(terms('walk').every(({ closeness }, at) => (at === 0 ? closeness === 1 : closeness < 1))).toBe(true)
})
