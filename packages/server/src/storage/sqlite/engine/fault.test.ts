import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { isDamage } from './fault.ts'

function thrown(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return
}

test('a broken word index is damage, a wrong statement is not', () => {
  const db = new Database(':memory:')
  db.exec('create virtual table words using fts5(text)')
  db.unsafeMode()
  db.exec('drop table words_config')
  db.exec('create table words_config (k, v)')
  db.exec("insert into words_config values ('version', 99)")
  const error = thrown(() => db.prepare("select * from words where words match 'storm'").all())
  expect([isDamage(error), (error as { code: string }).code]).toEqual([true, 'SQLITE_ERROR'])
  expect(isDamage(thrown(() => db.prepare('select * from nothing')))).toBe(false)
  expect(isDamage(Object.assign(new Error('x'), { code: 'SQLITE_CORRUPT_VTAB' }))).toBe(true)
  db.close()
})
