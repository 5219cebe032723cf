import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import type { Receipt } from '../../../receipts/receipt-store.ts'
import { openSqliteStorage } from '../storage.ts'
import { openSnapshot } from '../upkeep/snapshot.ts'
import { findFileProblem } from './file-check.ts'
import { adjustLastReceipts } from './installation.ts'

const receipt = (at: number): Receipt => ({
  at,
  subjectId: 'owner',
  clientId: 'cli_a',
  grantId: 'grt_a',
  surface: 'rest',
  operation: 'records',
  connectorKey: 'mail',
  stream: 'messages',
  connections: ['home'],
  fields: ['id'],
  records: [1],
  bytes: 10,
  outcome: 'ok',
  requestId: `req_${at}`,
})

async function withReceipts(count: number): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'pdpp-file-check-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const storage = openSqliteStorage(directory)
  for (let at = 1; at <= count; at++) await storage.receipts.append(receipt(at))
  await storage.close()
  return directory
}

function change(directory: string, sql: string): void {
  const db = new Database(join(directory, 'receipts.db'))
  db.exec(sql)
  db.close()
}

test('notices receipts removed from the end, but not those of retention', async () => {
  const directory = await withReceipts(10)
  expect(findFileProblem(directory)).toBeUndefined()
  const storage = openSqliteStorage(directory)
  expect(await storage.receipts.prune('owner', 100)).toBe(10)
  await storage.close()
  expect(findFileProblem(directory)).toBeUndefined()
  const shortened = await withReceipts(10)
  change(shortened, 'delete from receipt where sequence = 10')
  expect(findFileProblem(shortened)).toMatchObject({
    file: 'receipts.db',
    message: expect.stringContaining('lacks receipts'),
  })
  // A rewritten chain is valid in itself, but the main file knows another hash.
  const rewritten = await withReceipts(10)
  change(rewritten, "update receipt set hash = x'00' where sequence = 10")
  expect(findFileProblem(rewritten)?.file).toBe('receipts.db')
})

test('recognises receipts of another installation, even without any', async () => {
  const [directory, other] = [await withReceipts(0), await withReceipts(0)]
  expect([findFileProblem(directory), findFileProblem(other)]).toEqual([undefined, undefined])
  copyFileSync(join(other, 'receipts.db'), join(directory, 'receipts.db'))
  expect(findFileProblem(directory)).toMatchObject({
    file: 'receipts.db',
    message: expect.stringContaining('different installations'),
  })
})

test('accepts a copy whose receipts are older than its records', async () => {
  const directory = await withReceipts(10)
  change(directory, 'delete from receipt where sequence > 7')
  expect(findFileProblem(directory)).toBeDefined()
  adjustLastReceipts(directory)
  expect(findFileProblem(directory)).toBeUndefined()
  const storage = openSqliteStorage(directory)
  await storage.receipts.append(receipt(20))
  const snapshot = await openSnapshot(directory)
  expect(findFileProblem(snapshot.copy)).toBeUndefined()
  snapshot.remove()
  await storage.close()
})
