import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { scopeFor, seed, target, upsert } from '../../contract/contract.fixture.ts'
import { openSqliteStorage } from '../storage.ts'

test('finds the long texts of an older index at start', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'pdpp-long-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const targets = [{ scope: scopeFor(['home']), fields: ['title'], conditions: [] }]
  const first = openSqliteStorage(directory)
  await seed(first)
  await first.writer.write(target(), [upsert({ id: 'long', title: 'word '.repeat(220_000) }), upsert({ id: 'short' })])
  expect((await first.search.search(targets, { text: 'word', limit: 5 })).longFields).toHaveLength(1)
  await first.close()
  const old = new Database(join(directory, 'pdpp.db'))
  old.exec('delete from search_cut; insert into search_cut_unknown select feed, 0 from word_edition')
  old.close()
  const storage = openSqliteStorage(directory)
  onTestFinished(() => storage.close())
  const { stream } = targets[0]!.scope
  const known = async () => (await storage.search.search(targets, { text: 'word', limit: 5 })).longFields
  expect(await known()).toEqual([])
  await storage.writer.resume()
  expect(await known()).toEqual([{ stream: stream.name, field: 'title' }])
})

test('rebuilds an index with texts longer than is indexed', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'pdpp-long-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const targets = [{ scope: scopeFor(['home']), fields: ['title'], conditions: [] }]
  const first = openSqliteStorage(directory)
  await seed(first)
  const long = (id: string) => upsert({ id, title: 'word '.repeat(220_000) })
  await first.writer.write(target(), [long('a'), upsert({ id: 'b', title: 'word' }), long('c')])
  await first.close()
  const old = new Database(join(directory, 'pdpp.db'))
  old.exec(`delete from search_cut; update word_edition set spec = '', through = 0; delete from word_segment;
    delete from word_part; delete from word_segment_edition`)
  old.close()
  const storage = openSqliteStorage(directory)
  onTestFinished(() => storage.close())
  await storage.writer.resume()
  const found = await storage.search.search(targets, { text: 'word', limit: 5 })
  expect([found.total, found.building, found.longFields.length]).toEqual([3, 0, 1])
})
