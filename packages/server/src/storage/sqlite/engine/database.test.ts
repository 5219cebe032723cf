import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SqliteTokenStore } from '../access/token-store.ts'
import { type Databases, openDatabases } from './database.ts'

let directory: string
let databases: Databases
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pdpp-database-'))
})
afterEach(async () => {
  await databases.close()
  rmSync(directory, { recursive: true, force: true })
})

test('a cached token is read again after a write by any process', async () => {
  databases = openDatabases(directory)
  const tokens = new SqliteTokenStore(databases)
  const whose = { subjectId: 'owner_local', kind: 'owner', clientId: undefined, audience: ['v1'] } as const
  const made = { ...whose, grantId: undefined, packageId: undefined }
  const [ours, other] = [Buffer.from('ours'), Buffer.from('other')]
  const times = { createdAt: 1, expiresAt: undefined, revokedAt: undefined }
  for (const hash of [ours, other]) await tokens.create({ hash, ...made, ...times })
  const revokedAt = async (hash: Buffer) => (await tokens.find(hash))?.token.revokedAt
  expect([await revokedAt(ours), await revokedAt(other)]).toEqual([undefined, undefined])
  // A write by this process is visible at once, in the same turn of the event loop.
  await tokens.revoke(ours, 7)
  expect(await revokedAt(ours)).toBe(7)
  const second = new Database(join(directory, 'pdpp.db'))
  second.prepare('update token set revoked_at = 8 where hash = ?').run(other)
  second.close()
  await nextTurn()
  expect(await revokedAt(other)).toBe(8)
})

test('reads ahead after a write of this process, in all threads', async () => {
  databases = openDatabases(directory)
  const [inThreads, here] = [vi.spyOn(databases.pool, 'readAhead'), vi.spyOn(databases.reader, 'readAhead')]
  databases.quietWriter.run("insert into setting values ('owner', 'some', 'value')")
  await expect.poll(() => [inThreads, here].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
  // Another thread of this process wrote.
  databases.noteWrite({ isReported: false, isAltered: false })
  await expect.poll(() => [inThreads, here].map(({ mock }) => mock.calls.length)).toEqual([2, 2])
})
