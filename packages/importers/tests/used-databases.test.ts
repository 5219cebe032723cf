// Databases that another program has open.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { DatabaseCopies } from '../src/files/database-copy.ts'
import { findFiles } from '../src/files/files.ts'
import { openDatabase } from '../src/reading/database.ts'

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-used-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function opened(path: string) {
  const copies = new DatabaseCopies(tmpdir())
  onTestFinished(() => copies.remove())
  const [input] = await findFiles([path], copies, () => {})
  return openDatabase(input!)
}

const sums = (database: Database.Database) =>
  database.prepare('select (select sum(n) from a) a, (select sum(n) from b) b').get() as { a: number; b: number }

describe('a database that another program writes to', () => {
  it.each(['wal', 'delete'])('in %s mode is read in one state', async (mode) => {
    const path = join(place(), 'used.db')
    const writer = new Database(path)
    onTestFinished(() => void writer.close())
    writer.pragma(`journal_mode = ${mode}`)
    writer.exec('create table a (n integer); create table b (n integer)')
    const both = writer.transaction((n: number) => {
      writer.prepare('insert into a values (?)').run(n)
      writer.prepare('insert into b values (?)').run(-n)
    })
    for (let n = 0; n < 2000; n++) both(n)
    const before = readdirSync(join(path, '..'))
    const reader = await opened(path)
    for (let n = 0; n < 500; n++) both(1)
    const { a, b } = sums(reader)
    reader.close()
    expect([a, b]).toEqual([1_999_000, -1_999_000])
    expect(readdirSync(join(path, '..'))).toEqual(before)
  })

  it('and lets nobody read it is refused with a sentence', { timeout: 30_000 }, async () => {
    const path = join(place(), 'locked.db')
    const writer = new Database(path)
    onTestFinished(() => void writer.close())
    writer.exec('create table a (n integer); begin exclusive; insert into a values (1)')
    await expect(opened(path)).rejects.toMatchObject({
      refusal: { code: 'database_in_use', data: { file: 'locked.db' } },
    })
  })
})
