import Database from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { RecordSet } from '../../records/record-set.ts'
import { Handle } from '../engine/database.ts'
import type { Feed } from './feeds.ts'
import type { RecordRows } from './record-rows.ts'
import { RecordSets } from './record-set.ts'

const db = new Database(':memory:')
afterAll(() => db.close())
db.exec('create table r1 (id integer primary key, feed integer, size integer); create index r1_feed on r1 (feed, id)')
for (let id = 1; id <= 25_000; id++) db.prepare('insert into r1 values (?, ?, ?)').run(id, 1 + (id % 2), id % 100)

const rows = { table: { table: 'r1' } } as RecordRows
const feed = (version: number) => ({ feed: 1, version }) as Feed
const smallerThan = (size: number, isIndexed: boolean) => [{ sql: 'r.size < ?', values: [size], isIndexed }]

test('a set knows its numbers', () => {
  const far = new RecordSet([5e9, 2])
  expect([far.has(5e9), far.has(5e9 - 2 ** 32), far.has(2)]).toEqual([true, false, true])
  const set = new RecordSet([9, 4, 7])
  expect([3, 4, 5, 7, 9, 10].map((number) => set.has(number))).toEqual([false, true, false, true, true, false])
  expect([new RecordSet([]).size, new RecordSet([]).has(0)]).toEqual([0, false])
})

test('sets are read once per version of a feed while they fit', () => {
  let reads = 0
  const sets = new RecordSets(new Handle(db, { beforeStatement: () => void reads++ }), 1500)
  const sizes = (version: number, ...limits: Parameters<typeof smallerThan>[]) => {
    const before = reads
    const found = limits.map((limit) => sets.get(rows, feed(version), smallerThan(...limit)))
    return [...found.map(({ size }) => size), reads - before > 0 ? 'read' : 'known']
  }
  const expected = (size: number) =>
    Array.from({ length: 25_000 }, (_, at) => at + 1).filter((id) => id % 2 === 0 && id % 100 < size).length
  expect(sizes(1, [4, true], [4, false])).toEqual([expected(4), expected(4), 'read'])
  expect(sizes(1, [4, true], [4, false])).toEqual([expected(4), expected(4), 'known'])
  expect(sizes(2, [4, true])).toEqual([expected(4), 'read'])
  expect(sizes(2, [10, false])).toEqual([expected(10), 'read'])
  expect(sizes(2, [10, false])).toEqual([expected(10), 'known'])
  expect(sizes(2, [4, true])).toEqual([expected(4), 'read'])
})
