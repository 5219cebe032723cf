import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { dataOf, remove, scopeFor, seed, target, upsert } from '../../contract/contract.fixture.ts'
import { openSqliteStorage } from '../storage.ts'

const LONG = 'x'.repeat(100_000)

test('pages of short fields do not read large records', async () => {
  const { storage, file } = await open()
  await storage.writer.write(target(), [upsert({ id: 'a', score: 1, title: LONG })])
  const page = async (fields: string[]) => {
    const query = { sort: undefined, order: 'asc', after: undefined, limit: 5, maxBytes: 1e7 } as const
    return (await storage.records.page(scopeFor(['home'], { fields }), query)).records.map(dataOf)
  }
  // A page that reads this brief form shows another score.
  file.exec(`update record_brief set data = '{"id":"a","score":2}'`)
  expect(await page(['id', 'score'])).toEqual([{ id: 'a', score: 2 }])
  expect(await page(['id', 'score', 'title'])).toEqual([{ id: 'a', score: 1, title: LONG }])
  // Older versions stored none.
  file.exec('delete from record_brief')
  expect(await page(['id', 'score'])).toEqual([{ id: 'a', score: 1 }])
})

test('the brief form of a record is replaced and removed with it', async () => {
  const { storage, file } = await open()
  const briefs = () => file.prepare('select data, left_out from record_brief order by record').raw().all()
  const write = (...records: Parameters<typeof storage.writer.write>[1]) => storage.writer.write(target(), records)
  await write(upsert({ id: 'a', title: LONG, score: 1 }), upsert({ id: 'b', title: 'short' }))
  expect(briefs()).toEqual([['{"id":"a","score":1}', '["title"]']])
  await write(upsert({ id: 'a', title: LONG, score: 2, secret: LONG }), upsert({ id: 'b', title: LONG }))
  expect(briefs()).toEqual([
    ['{"id":"a","score":2}', '["title","secret"]'],
    ['{"id":"b"}', '["title"]'],
  ])
  await write(upsert({ id: 'a', title: 'short' }))
  expect(briefs()).toEqual([['{"id":"b"}', '["title"]']])
  await write(remove('b'), upsert({ id: 'c', title: LONG }))
  expect(briefs()).toEqual([['{"id":"c"}', '["title"]']])
  await storage.writer.wipe(target())
  expect(briefs()).toEqual([])
})

async function open() {
  const directory = mkdtempSync(join(tmpdir(), 'pdpp-brief-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const storage = openSqliteStorage(directory)
  await seed(storage)
  const file = new Database(join(directory, 'pdpp.db'))
  onTestFinished(async () => {
    file.close()
    await storage.close()
  })
  return { storage, file }
}
