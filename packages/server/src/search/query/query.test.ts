import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { indexText } from '../analysis/analyser.ts'
import { feedExpression } from '../ranking/feed-expression.ts'
import { matchIn, matchTerm } from '../ranking/match-expression.ts'
import { planCandidates } from '../ranking/tiers.ts'
import { weighWord } from '../ranking/word-weight.ts'
import { anyText } from '../text.fixture.ts'
import { parseQuery, soughtWords } from './query.ts'

const FIELDS = ['title', 'body', 'from.name']
const COLUMNS = new Map(FIELDS.map((field, index) => [field, `c${index}`]))
const words = (text: string) => parseQuery(text, FIELDS).words.map(({ term }) => term)
const phrases = (list: readonly { terms: readonly string[] }[]) => list.map(({ terms }) => terms.join(' '))

describe('a query', () => {
  test('distinguishes content words of a question', () => {
    const { words } = parseQuery('Who did Anna meet at the lighthouse?')
    expect(words.filter(({ content }) => content).map(({ term }) => term)).toEqual(['anna', 'meet', 'lighthouse'])
    expect(words).toHaveLength(7)
  })

  test('ignores verbs of asking only in a sentence', () => {
    const meaning = (text: string) =>
      parseQuery(text)
        .words.filter(({ content }) => content)
        .map(({ term }) => term)
    expect(meaning('What did Anna say about the roof?')).toEqual(['anna', 'roof'])
    expect(meaning('Was hat Anna über das Dach gesagt?')).toEqual(['anna', 'dach'])
    expect(meaning('safety talk')).toEqual(['safety', 'talk'])
  })

  test('has phrases, exclusions and fields', () => {
    const query = parseQuery(
      'ferry "blue door" -rain -"old pier" title:harbour -body:fog from.name:"Anna Lund"',
      FIELDS,
    )
    expect(query.words.map(({ term }) => term)).toEqual(['ferry'])
    expect(phrases(query.phrases)).toEqual(['blue door'])
    expect(query.exclusions).toMatchObject([
      { terms: ['rain'] },
      { terms: ['old', 'pier'] },
      { terms: ['fog'], field: 'body' },
    ])
    expect(query.fieldTerms).toMatchObject([
      { terms: ['harbour'], field: 'title' },
      { terms: ['anna', 'lund'], field: 'from.name' },
    ])
  })

  test.each([
    ['colour:red', ['colour', 'red']],
    ['http://example.com/a', ['http', 'example', 'com', 'a']],
    ['title: ferry', ['title', 'ferry']],
    ['5" pipe', ['5', 'pipe']],
    ['well-known - and --verbose', ['well', 'known', 'and', 'verbose']],
    ['-5', ['5']],
    ['東京タワー', ['東京', '京タ', 'タワ', 'ワー']],
    ['"', []],
  ])('%j is read as words', (text, expected) => {
    expect(words(text)).toEqual(expected)
    expect(parseQuery(text, FIELDS).exclusions).toEqual([])
  })

  test('recognises words joined by punctuation', () => {
    expect(phrases(parseQuery('see gull-3, v2.1 and anna@example.com now').compounds)).toEqual([
      'gull 3',
      'v2 1',
      'anna example com',
    ])
    expect(parseQuery("Anna's don't 東京-京都").compounds).toEqual([])
  })

  test('of one Han character matches every term beginning with it', () => {
    expect(parseQuery('猫').words).toMatchObject([{ term: '猫', isPrefix: true }])
    expect(parseQuery('"黒 猫"').phrases).toMatchObject([{ terms: ['黒', '猫'], isPrefix: true }])
  })

  test('of a pasted page is cut to the max. number of words', () => {
    const page = Array.from({ length: 3000 }, (_, index) => `w${index}`).join(' ')
    expect(parseQuery(`the of and ${page}`).words).toHaveLength(48)
    expect(words(`the of and ${page}`)).not.toContain('the')
  })
})

describe('the index', () => {
  const db = new Database(':memory:')
  db.exec(`create virtual table f using fts5(c0, c1, c2, content='', contentless_delete=1, tokenize='ascii')`)
  const texts = ['the harbour ferry NEAR a gull-3', '東京タワー 猫 สวัสดีครับ', 'AND OR NOT "lighthouse" meeting']
  for (const text of texts)
    db.prepare('insert into f(c0, c1, c2) values (?, ?, ?)').run(...texts.map(() => indexText(text)))
  const find = db.prepare('select rowid from f where f match ?').pluck()

  test('accepts every expression built from a text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const query = parseQuery(text, FIELDS)
        const frequencies = (expression: string) => [find.all(matchIn([...COLUMNS.values()], expression)).length]
        const weighed = soughtWords(query).map((word) => weighWord(word, { documents: 3, frequencies }))
        for (const { expression } of planCandidates(weighed, [3], query.compounds)) {
          const whole = feedExpression(query, expression, COLUMNS)
          if (whole !== null) find.all(whole)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('finds a required field, a phrase and an exclusion', () => {
    const ask = (text: string) => {
      const whole = feedExpression(parseQuery(text, FIELDS), null, COLUMNS)
      return whole === null ? null : find.all(whole)
    }
    expect(ask('title:ferry')).toEqual([1])
    expect(ask('"harbour ferry"')).toEqual([1])
    expect(ask('"ferry harbour"')).toEqual([])
    expect(ask('"gull-3" -near')).toEqual([])
    expect(ask('"猫"')).toEqual([2])
    expect(ask('plain words')).toBeNull()
    expect(feedExpression(parseQuery('title:ferry', FIELDS), null, new Map([['body', 'c1']]))).toBeNull()
  })

  test('is asked for terms only', () => {
    expect(() => matchTerm('a" OR "b')).toThrow(TypeError)
    expect(() => matchTerm('')).toThrow(TypeError)
    expect(() => matchIn(['c0} : (x'], matchTerm('a'))).toThrow(TypeError)
    expect(() => matchIn([], matchTerm('a'))).toThrow(TypeError)
  })
})
