import Database from 'better-sqlite3'
import { afterAll, describe, expect, test } from 'vitest'
import { Handle } from '../engine/database.ts'
import { RecordSet } from '../records/record-set.ts'
import { AllMatches, MatchesInSet } from './index-matches.ts'

const DOCUMENTS = 6000
const handle = new Handle(new Database(':memory:'))
afterAll(() => handle.db.close())

handle.db.exec(`create virtual table f using fts5(w0, content='', contentless_delete=1, tokenize='ascii')`)
handle.db.transaction(() => {
  for (let id = 1; id <= DOCUMENTS; id++) handle.run('insert into f (rowid, w0) values (?, ?)', id, textOf(id))
})()

/** "rope" in every second document, "gull" in every seventh. */
function textOf(id: number): string {
  return [id % 2 === 0 ? 'rope' : 'fog', id % 7 === 0 ? 'gull' : 'tide'].join(' ')
}

const all = Array.from({ length: DOCUMENTS }, (_, index) => index + 1)
const matching = (ids: readonly number[], words: readonly string[]) =>
  ids.filter((id) => words.every((word) => textOf(id).includes(word))).toReversed()

const SETS = {
  'a few, far apart': all.filter((id) => id % 500 === 0),
  'the oldest': all.slice(0, 300),
  'the newest': all.slice(-2500),
  'every third': all.filter((id) => id % 3 === 0),
  one: [7 * 2 * 11],
  none: [],
}

describe.each(Object.entries(SETS))('of a set with %s', (_name, ids) => {
  const matches = new MatchesInSet(handle, 'f', new RecordSet(ids.toReversed()))
  test.each([['rope'], ['gull'], ['rope', 'gull'], ['oar']])(
    'what has %s %s is found as if nothing else were there',
    (...words) => {
      const expression = words.map((word) => `"${word}"`).join(' AND ')
      const expected = matching(ids, words)
      for (const limit of [1, 32, 400, DOCUMENTS]) {
        const newest = matches.newest(expression, limit, 1)
        expect(newest.ids.slice(0, limit)).toEqual(expected.slice(0, limit))
        if (newest.complete) expect(newest.ids).toEqual(expected)
        else expect(newest.ids.length).toBeGreaterThanOrEqual(limit)
        expect(matches.count(expression, limit)).toBe(Math.min(limit, expected.length))
      }
      expect(matches.count(expression, Number.POSITIVE_INFINITY)).toBe(expected.length)
      const newer = ids.slice(Math.floor(ids.length * 0.75))
      expect(matches.newest(expression, DOCUMENTS, 0.25).ids).toEqual(matching(newer, words))
    },
  )

  test('how many match is carried on from the newest, whatever lies between', () => {
    const expected = matching(ids, ['rope'])
    const estimate = matches.frequency(matches.newest('"rope"', 32, 1).ids.slice(0, 32))
    if (expected.length < 32) expect(estimate).toBe(expected.length)
    else expect(Math.abs(estimate - expected.length)).toBeLessThan(expected.length * 0.1)
  })
})

test('of all records the newest share is looked at', () => {
  const matches = new AllMatches(handle, 'f', DOCUMENTS, { oldestId: 1, newestId: DOCUMENTS })
  const half = matching(all.slice(DOCUMENTS / 2 - 1), ['rope'])
  expect(matches.newest('"rope"', DOCUMENTS, 0.5)).toEqual({ ids: half, complete: true })
  expect(matches.newest('"rope"', 10, 1)).toEqual({ ids: matching(all, ['rope']).slice(0, 10), complete: false })
  expect(matches.count('"gull"', 100)).toBe(100)
})
