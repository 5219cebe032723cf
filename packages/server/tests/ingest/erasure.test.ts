import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { serverConfig } from '../../../../tests/fixtures/server-config.ts'
import { createContext, OWNER } from '../../src/context.ts'
import { seed, target, upsert } from '../../src/storage/contract/contract.fixture.ts'
import { openSqliteStorage } from '../../src/storage/sqlite/storage.ts'

const MARKER = 'Quetzalpfeffer'

it('finishes at the next start what a crash interrupted', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pdpp-erasure-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const storage = openSqliteStorage(dataDir)
  await seed(storage)
  const rows = Array.from({ length: 500 }, (_, at) => upsert({ id: `r${at}`, title: `${MARKER} ${at}` }))
  await storage.writer.write(target(), rows)
  await storage.writer.wipe(target())
  await storage.saveSetting(OWNER, 'erasure_unfinished', 'yes')
  await storage.close()
  const holds = () =>
    readdirSync(dataDir).filter((name) => readFileSync(join(dataDir, name), 'latin1').includes(MARKER))
  expect(holds()).not.toEqual([])

  const context = await createContext(serverConfig(dataDir, { log: 'none' }))
  expect(holds()).toEqual([])
  expect(await context.storage.setting(OWNER, 'erasure_unfinished')).toBeUndefined()
  await context.close()
})
