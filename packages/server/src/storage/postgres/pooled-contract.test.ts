import { afterAll, beforeAll, describe, it } from 'vitest'
import { type TestPooler, testPooler, whyNoPooler } from '../../../../../tests/fixtures/pooler.ts'
import { testDatabase } from '../../../../../tests/fixtures/postgres-server.ts'
import { runStorageContract } from '../contract/contract.cases.ts'
import { openPostgresStorage } from './storage.ts'
import { postgresAdmin } from './storage-admin.ts'

// Runs the contract behind a pooler, which gives a connection to another client after every transaction.
describe.each([
  ['PgBouncer without prepared statements', false],
  ['PgBouncer with prepared statements', true],
])('%s', (name, prepares) => {
  const reason = whyNoPooler(prepares)
  if (reason !== undefined) {
    it.skip(reason)
    return
  }
  let pooler: TestPooler | undefined
  beforeAll(async () => {
    pooler = await testPooler(prepares)
  })
  afterAll(() => pooler?.end())

  runStorageContract(name, async () => {
    const database = await testDatabase()
    const url = pooler!.url(database.name)
    const storage = await openPostgresStorage({ url, prepares, maxConnections: 5 })
    const { close } = storage
    return Object.assign(storage, {
      admin: postgresAdmin({ url, prepares }),
      close: async () => {
        await close()
        database.release()
      },
    })
  })
})
