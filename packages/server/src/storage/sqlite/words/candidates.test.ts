import Database from 'better-sqlite3'
import { afterAll, describe, expect, test } from 'vitest'
import { parseQuery } from '../../../search/query/query.ts'
import { chooseCandidates } from '../../../search/ranking/candidates.ts'
import type { Candidate } from '../../../search/ranking/collect-candidates.ts'
import type { SearchedIndex } from '../../../search/ranking/searched-index.ts'
import { weighWord } from '../../../search/ranking/word-weight.ts'
import { Handle } from '../engine/database.ts'
import { occurrencesOf } from './occurrences.ts'

/** Small, so that a few documents are many. */
const LIMITS = { cap: 10, read: 20, enough: 5, occurrences: 60, scanned: 1000 }
const PADDING = 'salt tide wind '.repeat(20)

const handle = new Handle(new Database(':memory:'))
afterAll(() => handle.db.close())

/** 200 documents: "rope" in all of them, "gull" in every fifth, "oar" in 3; the 15th has both rare words, briefly. */
function textOf(id: number): string {
  if (id === 15) return 'gull oar rope'
  return [id % 5 === 0 ? 'gull' : 'fog', id === 40 || id === 80 ? 'oar' : '', 'rope', PADDING].join(' ')
}

function openIndex(): SearchedIndex {
  handle.db.exec(`create virtual table f using fts5(w0, content='', contentless_delete=1, tokenize='ascii')`)
  for (let id = 1; id <= 200; id++) handle.run('insert into f (rowid, w0) values (?, ?)', id, textOf(id))
  const newest = (asked: string | null, limit: number) =>
    handle.column<number>('select rowid from f where f match ? order by rowid desc limit ?', asked, limit)
  const searched = { index: 'f', fields: [0] }
  return {
    documents: 200,
    fields: [{ key: 'text' }],
    newest,
    frequency: (asked) => newest(asked, 1000).length,
    countUpTo: (asked, most) => newest(asked, most).length,
    occurrences: (word, within) => occurrencesOf(handle, { ...searched, within }, word),
  }
}

const index = openIndex()

function choose(text: string, times: (id: number) => number | null = (id) => id) {
  const query = parseQuery(text)
  const scope = { documents: 200, frequencies: (asked: string) => [index.frequency(asked)] }
  const words = query.words.map((word) => weighWord(word, scope))
  const timesOf = <Place extends Candidate>(places: readonly Place[]) =>
    new Map(places.map((place) => [place, times(place.id)]))
  return chooseCandidates(query, words, [index], timesOf, LIMITS)
}

const ids = (list: readonly Candidate[]): number[] => list.map(({ id }) => id)

describe('candidates', () => {
  test('with rare words only are ranked by the index: all words first, the shorter text, then the newer', () => {
    const { ranking, complete } = choose('gull oar')
    expect(ids(ranking!)).toEqual([15, 80, 40, 200, 195, 190, 185, 180, 175, 170])
    expect(ranking!.map(({ tier }) => tier)).toEqual([2, 2, 2, 0, 0, 0, 0, 0, 0, 0])
    expect(complete).toBe(false)
    expect(choose('oar').complete).toBe(true)
  })

  test('that score the same are told apart by when they were written, not by when they came', () => {
    expect(ids(choose('gull').ranking!).slice(0, 3)).toEqual([15, 200, 195])
    expect(ids(choose('gull', (id) => -id).ranking!).slice(0, 3)).toEqual([15, 160, 165])
  })

  test('are those with every word, where these are enough, and the best of them', () => {
    const { list, ranking } = choose('gull rope')
    expect(ranking).toBeUndefined()
    expect(list).toHaveLength(LIMITS.read)
    expect(ids(list)[0]).toBe(15)
    expect(ids(list).every((id) => id % 5 === 0)).toBe(true)
  })
})
