import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { remove, scopeFor, seed, target, upsert } from '../../../contract/contract.fixture.ts'
import { planMerge } from '../../../words/merge-plan.ts'
import { openSqliteStorage } from '../../storage.ts'
import { indexProblems } from '../index-check.fixture.ts'

function temporaryStore() {
  const directory = mkdtempSync(join(tmpdir(), 'pdpp-words-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const targets = [{ scope: scopeFor(['home']), fields: ['title'], conditions: [] }]

test('merges single records and large batches, and answers as before', async () => {
  const directory = temporaryStore()
  const storage = openSqliteStorage(directory)
  await seed(storage, ['home'])
  const title = (n: number) => `gull ${n % 3 ? 'rope' : 'salt'} number${n}`
  const answers = async () => {
    const texts = ['gull', 'rope number77', '"gull salt"', 'number1234', 'salt -number3']
    const found = []
    for (const text of texts) {
      const { indexedThrough: _, ...outcome } = await storage.search.search(targets, { text, limit: 20 })
      found.push(outcome)
    }
    return found
  }
  for (let n = 0; n < 200; n++) await storage.writer.write(target('home'), [upsert({ id: `k${n}`, title: title(n) })])
  for (let from = 200; from < 11_000; from += 1200) {
    const rows = Array.from({ length: 1200 }, (_, n) => upsert({ id: `k${from + n}`, title: title(from + n) }))
    await storage.writer.write(target('home'), rows)
  }
  await storage.writer.write(target('home'), [remove('k5'), upsert({ id: 'k6', title: 'gull again' })])
  const before = await answers()
  const db = new Database(join(directory, 'pdpp.db'), { readonly: true })
  onTestFinished(() => void db.close())
  const segments = () => db.prepare('select count(*) from word_segment').pluck().get() as number
  await expect.poll(segments, { timeout: 20_000 }).toBeLessThan(20)
  // One of the segments has its words in several rows.
  const largest = () => db.prepare('select max(id % 65536) from word_part').pluck().get()
  await expect.poll(largest, { timeout: 20_000 }).toBeGreaterThan(3)
  expect(await answers()).toEqual(before)
  await storage.close()
  // An interrupted merge leaves rows behind. The next start removes them.
  expect(indexProblems(directory).filter((problem) => !/state|lacks words/.test(problem))).toEqual([])
}, 60_000)

test.each([
  { what: 'a record', erase: (key: string) => ({ key }) },
  { what: 'a stream', erase: () => undefined },
])(
  'leaves no word of $what that is erased',
  async ({ erase }) => {
    const directory = temporaryStore()
    const storage = openSqliteStorage(directory)
    await seed(storage, ['home', 'work'])
    const rows = Array.from({ length: 9000 }, (_, n) =>
      upsert({ id: `k${n}`, title: n === 4000 ? 'zaubernuss' : 'gull' }),
    )
    for (let from = 0; from < rows.length; from += 1000)
      await storage.writer.write(target('home'), rows.slice(from, from + 1000))
    await storage.writer.write(target('home'), [upsert({ id: 'k4000', title: 'zaubernuss twice' })])
    const erased = erase('k4000')
    if (erased) await storage.writer.erase(target('home'), erased.key)
    else await storage.writer.wipe(target('home'))
    await storage.purge()
    await storage.close()
    const holding = readdirSync(directory).filter((name) =>
      readFileSync(join(directory, name), 'latin1').includes('zaubernuss'),
    )
    expect([holding, indexProblems(directory)]).toEqual([[], []])
  },
  60_000,
)

test('removes at the next start what a crash left of a merge', async () => {
  const directory = temporaryStore()
  const first = openSqliteStorage(directory)
  await seed(first, ['home'])
  await first.writer.write(target('home'), [upsert({ id: 'k1', title: 'gull' })])
  await first.close()
  const db = new Database(join(directory, 'pdpp.db'))
  db.exec(`insert into word_segment (owner, age, state, documents, bytes, parts, columns)
      select owner, 1, 0, 1, bytes, parts, columns from word_segment;
    insert into word_part select (select max(segment) from word_segment) * 65536, terms, postings, places from word_part`)
  db.close()
  const storage = openSqliteStorage(directory)
  expect((await storage.search.search(targets, { text: 'gull', limit: 5 })).total).toBe(1)
  await storage.writer.resume()
  await storage.close()
  expect(indexProblems(directory)).toEqual([])
})

test('plans merges of neighbours of one size, up to a full segment', () => {
  const plan = (...sizes: number[]) =>
    planMerge(sizes.map((documents, segment) => ({ segment, age: segment, documents })))?.map(({ segment }) => segment)
  expect(plan(...Array.from({ length: 63 }, () => 1))).toBeUndefined()
  expect(plan(...Array.from({ length: 64 }, () => 1))).toHaveLength(64)
  expect(plan(40_000, ...Array.from({ length: 8 }, () => 1000))).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(plan(60_000, 30_000, 30_000)).toBeUndefined()
  expect(plan(60_000, 30_000, 30_000, 30_000)).toEqual([1, 2])
  expect(plan(8000, 1, 8000, 8000, 8000, 8000, 8000, 8000, 8000)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
})
