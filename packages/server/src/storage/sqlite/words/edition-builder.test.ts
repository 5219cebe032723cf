import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { SUBJECT, scopeFor, seed, target, upsert } from '../../contract/contract.fixture.ts'
import { PIECES, renewsOlderTerms, WHOLE } from '../../words/older-terms.cases.ts'
import { openSqliteStorage } from '../storage.ts'
import { indexProblems } from './index-check.fixture.ts'

const RECORDS = 3000
const targets = [{ scope: scopeFor(['home', 'work']), fields: ['title'], conditions: [] }]
const page = { text: 'gull', limit: 5 }

/** A store as the migration leaves it: the editions know no fields, and nothing is indexed. */
async function migratedStore(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'pdpp-build-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const storage = openSqliteStorage(directory)
  await seed(storage, ['home', 'work'])
  const rows = Array.from({ length: RECORDS }, (_, n) => upsert({ id: `k${n}`, title: `gull ${n}` }))
  await storage.writer.write(target('home'), rows)
  await storage.writer.write(target('work'), [upsert({ id: 'w1', title: 'gull at work' })])
  await storage.close()
  const db = new Database(join(directory, 'pdpp.db'))
  db.exec(`update word_edition set spec = '', through = 0; delete from word_segment; delete from word_part;
    delete from word_segment_edition;
    create virtual table f1 using fts5(w0, content=''); insert into old_word_table values (1, '["title"]', null)`)
  db.close()
  return directory
}

test('rebuilds an older index after the start, and says so until then', async () => {
  const directory = await migratedStore()
  const storage = openSqliteStorage(directory)
  const before = await storage.search.search(targets, page)
  expect([before.total, before.building]).toEqual([0, 2])
  const resumed = storage.writer.resume()
  // Records that change meanwhile are found once, in their current version.
  for (let n = 0; n < 40; n++) {
    await storage.writer.write(target('home'), [upsert({ id: `k${n * 70}`, title: `gull again ${n}` })])
    await nextTurn()
  }
  await resumed
  const after = await storage.search.search(targets, page)
  expect([after.total, after.building]).toEqual([RECORDS + 1, 0])
  expect((await storage.search.search(targets, { text: 'again', limit: 1 })).total).toBe(40)
  expect(await storage.upkeep.indexState(SUBJECT)).toMatchObject({ building: 0, waiting: 0 })
  await storage.close()
  const db = new Database(join(directory, 'pdpp.db'), { readonly: true })
  expect(db.prepare("select count(*) from sqlite_master where name glob 'f[0-9]*'").pluck().get()).toBe(0)
  db.close()
  expect(indexProblems(directory)).toEqual([])
})

test('building goes on where it was interrupted', async () => {
  const directory = await migratedStore()
  const progress: (number | null)[] = []
  for (let round = 0; round < 3; round++) {
    const storage = openSqliteStorage(directory, { writing: { thread: 'never' } })
    const resumed = storage.writer.resume().catch(() => {})
    for (let turn = 0; turn < 2 + round; turn++) await nextTurn()
    await storage.close()
    await resumed
    expect(indexProblems(directory)).toEqual([])
    const db = new Database(join(directory, 'pdpp.db'), { readonly: true })
    progress.push(db.prepare('select max(through) from word_edition').pluck().get() as number | null)
    db.close()
  }
  // It was interrupted in the middle at least once.
  expect(progress.some((through) => through !== null && through > 0)).toBe(true)
  const storage = openSqliteStorage(directory)
  await storage.writer.resume()
  expect(await storage.search.search(targets, page)).toMatchObject({ total: RECORDS + 1, building: 0 })
  await storage.close()
  expect(indexProblems(directory)).toEqual([])
})

test('renews terms of an older analyser, and answers with them until then', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'pdpp-build-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const states: unknown[] = []
  await renewsOlderTerms(
    async () => openSqliteStorage(directory, { writing: { thread: 'never' } }),
    async () => {
      const db = new Database(join(directory, 'pdpp.db'))
      const tables = db.prepare("select name from sqlite_master where name glob 'r[0-9]*' and type = 'table'").pluck()
      for (const table of tables.all()) db.exec(`update ${table} set data = replace(data, '${PIECES}', '${WHOLE}')`)
      db.exec("update word_edition set spec = json_remove(spec, '$.analyser')")
      states.push(...db.prepare('select spec from word_edition').pluck().all())
      db.close()
    },
  )
  expect(states).toHaveLength(2)
  expect(indexProblems(directory)).toEqual([])
})
