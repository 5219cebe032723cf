import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStorage } from '../storage.ts'
import { migrate } from './migrate.ts'
import { MAIN_MIGRATIONS, RECEIPT_MIGRATIONS } from './migrations/index.ts'

test('grants and tokens from before there were packages keep working, at both places', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'pdpp-migrate-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const file = join(directory, 'pdpp.db')
  const old = new Database(file)
  migrate(old, MAIN_MIGRATIONS.slice(0, 2), file)
  const hash = createHash('sha256').update('t').digest()
  old.prepare('insert into access_grant values (?, ?, ?, ?, ?, null, 4)').run('o', 'grt_1', 'cli_a', '{"x":1}', 3)
  old.prepare('insert into token values (?, ?, ?, ?, ?, ?, null, null)').run(hash, 'o', 'client', 'cli_a', 'grt_1', 5)
  old.close()
  const receipts = new Database(join(directory, 'receipts.db'))
  migrate(receipts, RECEIPT_MIGRATIONS.slice(0, 1), join(directory, 'receipts.db'))
  receipts.close()
  const storage = openSqliteStorage(directory)
  onTestFinished(() => storage.close())
  const found = await storage.tokens.find(hash)
  expect(found?.token).toMatchObject({
    kind: 'client',
    grantId: 'grt_1',
    audience: ['mcp', 'v1'],
    packageId: undefined,
  })
  expect(found?.grant).toMatchObject({ grant: { x: 1 }, createdAt: 3, consumedAt: 4, pausedAt: undefined })
})
