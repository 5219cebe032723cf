import { describe, it } from 'vitest'
import { testDatabase, whyNoPostgres } from '../../../../../tests/fixtures/postgres-server.ts'
import { runStorageContract } from '../contract/contract.cases.ts'
import { openPostgresStorage } from './storage.ts'
import { postgresAdmin } from './storage-admin.ts'

const reason = whyNoPostgres()

if (reason === undefined)
  runStorageContract('postgres', async () => {
    const { url, release } = await testDatabase()
    const storage = await openPostgresStorage({ url, maxConnections: 5 })
    const { close } = storage
    return Object.assign(storage, {
      admin: postgresAdmin({ url }),
      close: async () => {
        await close()
        release()
      },
    })
  })
else describe('storage contract: postgres', () => it.skip(reason))
