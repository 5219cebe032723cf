import { expect, test } from 'vitest'
import type { DocumentColumns } from '../../../search/segments/document-columns.ts'
import { BeginningCache } from './beginning-cache.ts'
import type { LoadedSegment } from './loaded-segment.ts'
import { PostingCache } from './posting-cache.ts'

const DOCUMENTS = 2000

/** A segment in which a term named by a number has that many entries, each once in the next document. */
function segment(number: number, reads: string[]): LoadedSegment {
  const lengths = Uint8Array.from({ length: DOCUMENTS }, (_, doc) => doc % 100)
  const runs = [{ edition: 1, start: 0, end: DOCUMENTS, slots: 1, lengthsAt: 0 }]
  const words = {
    postings(term: string) {
      reads.push(`${number} ${term}`)
      const entries = Number(term)
      return entries === 0 ? undefined : { entries, bytes: new Uint8Array(entries).fill(8) }
    },
    termsFrom(beginning: string) {
      reads.push(`${number} ${beginning}`)
      return [beginning, `${beginning}${number}`]
    },
  }
  const columns = { count: DOCUMENTS, runs, lengths } as unknown as DocumentColumns
  return { segment: number, age: number, dead: new Set(), columns, words } as unknown as LoadedSegment
}

test.each(['3', '1500'])('reads a list of %s entries once, and only of new segments', (term) => {
  const reads: string[] = []
  const cache = new PostingCache()
  const [one, two, three] = [1, 2, 3].map((number) => segment(number, reads))
  const before = [1, 2]
  const [first] = cache.get(term, [one!, two!], before)
  expect(cache.get(term, [one!, two!], before)[0]).toBe(first)
  expect(reads).toEqual([`1 ${term}`, `2 ${term}`])
  const entries = Number(term)
  const lists = cache.get(term, [two!, three!], [2, 3])
  expect(reads.slice(2)).toEqual([`3 ${term}`])
  for (const list of lists) {
    const { docs, lengths, counts, from, to, documents } = list!
    expect([...docs.subarray(from, to)]).toEqual(Array.from({ length: entries }, (_, at) => at))
    expect([...lengths.subarray(from, to)]).toEqual(Array.from({ length: entries }, (_, at) => at % 100))
    expect([documents, ...new Set(counts)]).toEqual([entries, 1])
  }
  expect(cache.get('0', [two!, three!], [2, 3])).toEqual([undefined, undefined])
})

test.each(['0', '3', '1500'])('keeps lists of %s entries if segments follow', (term) => {
  const reads: string[] = []
  const cache = new PostingCache()
  const segments = [1, 2, 3, 4].map((number) => segment(number, reads))
  const before = cache.get(term, segments.slice(0, 2), [1, 2])
  const after = cache.get(term, segments, [1, 2, 3, 4])
  expect(reads).toEqual([1, 2, 3, 4].map((number) => `${number} ${term}`))
  expect(after).toHaveLength(4)
  for (const [at, list] of before.entries()) expect(after[at]).toBe(list)
  expect(after[3]?.documents).toBe(term === '0' ? undefined : Number(term))
})

test('drops lists even if they grew with their segments', () => {
  const reads: string[] = []
  const segments = Array.from({ length: 40 }, (_, number) => segment(number, reads))
  const cache = new PostingCache(400_000)
  const all = segments.map((_, number) => number)
  for (let count = 1; count <= 40; count++) cache.get('1500', segments.slice(0, count), all.slice(0, count))
  cache.get('1499', segments, all)
  reads.length = 0
  cache.get('1500', segments, all)
  expect(reads).toHaveLength(40)
})

test('drops the lists that were not used for longest', () => {
  const reads: string[] = []
  const segments = [segment(1, reads)]
  const numbers = [1]
  const cache = new PostingCache(28_000)
  for (const term of ['1000', '1001', '1000', '1002', '1003']) cache.get(term, segments, numbers)
  expect(reads.splice(0)).toHaveLength(4)
  cache.get('1000', segments, numbers)
  expect(reads).toEqual([])
  cache.get('1001', segments, numbers)
  expect(reads).toEqual(['1 1001'])
})

test('reads the terms with a beginning once, and drops the oldest', () => {
  const reads: string[] = []
  const [one, two] = [1, 2].map((number) => segment(number, reads))
  const cache = new BeginningCache(1000)
  expect(cache.get('ab', [one!], [1])).toEqual(['ab', 'ab1'])
  expect(cache.get('ab', [one!, two!], [1, 2])).toEqual(['ab', 'ab1', 'ab2'])
  expect(reads.splice(0)).toEqual(['1 ab', '2 ab'])
  for (let n = 0; n < 10; n++) cache.get(`b${n}`, [one!], [1])
  reads.splice(0)
  cache.get('ab', [one!], [1])
  expect(reads).toEqual(['1 ab'])
})
