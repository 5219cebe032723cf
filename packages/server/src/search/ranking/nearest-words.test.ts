import { expect, test } from 'vitest'
import { parseQuery } from '../query/query.ts'
import { MemoryIndex } from '../segments/memory-index.fixture.ts'
import { nearestWords } from './nearest-words.ts'
import { OpenScope } from './open-scope.ts'
import { rankMatches } from './rank-matches.ts'

/** One edition is granted, the other is hidden. */
const [GRANTED, HIDDEN] = [1, 2]

function nearest(shown: readonly string[], hidden: readonly string[], text: string) {
  const index = new MemoryIndex()
  const documents = (edition: number, texts: readonly string[]) =>
    texts.map((one, number) => ({ edition, number, times: [number, number] as const, group: null, texts: [one] }))
  index.write([...documents(GRANTED, shown), ...documents(HIDDEN, hidden)])
  const part = { feed: 1, order: 1, slots: [0], orderedBy: 0, isGrouped: false, names: new Set<string>() } as const
  const editions = new Map([[GRANTED, { ...part, times: [], only: undefined }]])
  const scope = new OpenScope({ name: '', classes: [{ field: 'text', role: undefined }], editions }).update(index)
  const request = { query: parseQuery(text), filter: undefined, limit: 5, after: undefined, check: () => {} }
  const { words } = rankMatches(index, scope, request)
  return words.map((word) => nearestWords(word, index, scope))
}

test('an unknown word names the nearest known ones, with exact numbers', () => {
  const shown = ['campsite by the tarn', 'campsite again', 'a campanile', 'cambium']
  expect(nearest(shown, [], 'campsites')).toEqual([[]])
  expect(nearest(shown, [], 'campfire tarn')).toEqual([[{ term: 'campsite', records: 2 }], []])
})

test('words of hidden records are not named and change nothing', () => {
  const hidden = ['campfires', 'campfir', 'campfiret', 'campsite', 'camphor']
  expect(nearest(['campsite', 'moss'], hidden, 'campfire')).toEqual(nearest(['campsite', 'moss'], [], 'campfire'))
})
