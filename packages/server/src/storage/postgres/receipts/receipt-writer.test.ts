import { expect, test } from 'vitest'
import { testDatabase, whyNoPostgres } from '../../../../../../tests/fixtures/postgres-server.ts'
import type { Receipt } from '../../../receipts/receipt-store.ts'
import { openPostgresStorage } from '../storage.ts'

const receipt = (n: number): Receipt => ({
  ...{ at: 1000 + n, subjectId: 'anna', clientId: 'cli', grantId: 'grt', surface: 'v1', operation: 'list' },
  ...{ connectorKey: 'mail', stream: 'messages', connections: ['home'], fields: ['id'], records: [n], bytes: n },
  ...{ outcome: 'ok', requestId: `req_${n}` },
})

test.skipIf(whyNoPostgres() !== undefined)('receipts of two processes at a time make one chain', async () => {
  const { url, release } = await testDatabase()
  const stores = await Promise.all([openPostgresStorage({ url }), openPostgresStorage({ url })])
  for (let round = 0; round < 15; round++) {
    const numbers = Array.from({ length: 6 }, (_, n) => round * 6 + n)
    await Promise.all(numbers.map((n) => stores[n % 2]!.receipts.append(receipt(n))))
  }
  const { receipts } = await stores[0]!.receipts.list('anna', { limit: 200 })
  expect(receipts.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 90 }, (_, n) => 90 - n))
  expect(new Set(receipts.map(({ requestId }) => requestId)).size).toBe(90)
  expect(await stores[1]!.receipts.verify('anna')).toMatchObject({ checked: 90, brokenAt: undefined })
  for (const storage of stores) await storage.close()
  release()
})
