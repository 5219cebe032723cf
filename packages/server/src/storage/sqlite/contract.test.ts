import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runStorageContract } from '../contract/contract.cases.ts'
import { openSqliteStorage } from './storage.ts'

runStorageContract('sqlite', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'pdpp-store-'))
  const storage = openSqliteStorage(directory)
  const { close } = storage
  return Object.assign(storage, {
    close: async () => {
      await close()
      rmSync(directory, { recursive: true, force: true })
    },
  })
})
