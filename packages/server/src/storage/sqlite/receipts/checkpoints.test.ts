import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { Checkpoints } from './checkpoints.ts'

test('copies the log in a thread, after some hundred receipts', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'pdpp-checkpoints-'))
  const file = join(directory, 'receipts.db')
  const db = new Database(file)
  const checkpoints = new Checkpoints(file)
  onTestFinished(async () => {
    await checkpoints.close()
    db.close()
    rmSync(directory, { recursive: true, force: true })
  })
  db.pragma('journal_mode = WAL')
  db.pragma('wal_autocheckpoint = 0')
  db.exec('create table receipt (text text)')
  for (let n = 0; n < 100; n++) db.exec(`insert into receipt values ('${'x'.repeat(4000)}')`)
  checkpoints.note(499)
  expect(checkpoints.hasThread).toBe(false)
  // The file grows only when the log is copied into it.
  expect(statSync(file).size).toBeLessThan(50_000)
  checkpoints.note(1)
  expect(checkpoints.hasThread).toBe(true)
  await expect.poll(() => statSync(file).size).toBeGreaterThan(400_000)
  await checkpoints.close()
  expect(checkpoints.hasThread).toBe(false)
})
