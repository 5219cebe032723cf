import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { remove, seed, target, upsert } from '../../../contract/contract.fixture.ts'
import { Handle } from '../../engine/database.ts'
import { openSqliteStorage } from '../../storage.ts'
import { keptPlans } from './kept-plans.ts'

async function filledStore() {
  const directory = mkdtempSync(join(tmpdir(), 'pdpp-plans-'))
  const storage = openSqliteStorage(directory)
  await seed(storage)
  await storage.writer.write(target(), [upsert({ id: 'e1', title: 'gull' })])
  const file = join(directory, 'pdpp.db')
  const [db, other] = [new Database(file), new Database(file, { readonly: true })]
  const reader = new Handle(other)
  onTestFinished(async () => {
    for (const one of [db, other]) one.close()
    await storage.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const plans = () => {
    reader.noteWrite()
    return keptPlans(reader)
  }
  return { storage, db, plans }
}

test.each([
  "update source set declaration = declaration || ' '",
  'update source set revision = revision + 1',
  'delete from source',
  'update stream set revision = revision + 1',
  'delete from stream',
  "update connection set display_name = 'Journal'",
  "insert into connection values ('owner_local', 'work', 'journal', null, 1, 1)",
  'delete from connection',
  'update feed set erased = 1',
  "insert into feed (subject_id, connection_id, stream_no) values ('owner_local', 'work', 1)",
  'delete from feed',
  'update word_edition set through = 0',
  "update word_edition set spec = ''",
  'insert into word_edition (owner, feed, spec) values (1, 99, 7)',
  'delete from word_edition',
  "insert into search_cut values (1, 1, 'title')",
])('plans are forgotten after: %s', async (sql) => {
  const { db, plans } = await filledStore()
  const before = plans()
  db.exec(sql)
  expect(plans()).not.toBe(before)
})

test('plans are kept while only records are written', async () => {
  const { storage, db, plans } = await filledStore()
  db.exec("insert into search_cut values (1, 9, 'title')")
  const before = plans()
  await storage.writer.write(target(), [upsert({ id: 'e2', title: 'rope' }), remove('e1')])
  await storage.writer.noteSync(target(), 5, true)
  db.exec("insert into search_cut values (1, 2, 'title')")
  db.exec('delete from search_cut')
  expect(plans()).toBe(before)
})
