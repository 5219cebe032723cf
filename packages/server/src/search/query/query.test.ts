import { describe, expect, test } from 'vitest'
import { parseQuery } from './query.ts'

const FIELDS = ['title', 'body', 'from.name']
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
