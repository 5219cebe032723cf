import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { testDatabase, whyNoPostgres } from '../../../../../../tests/fixtures/postgres-server.ts'
import { seed, target, upsert } from '../../contract/contract.fixture.ts'
import { StoreLost } from '../engine/fault.ts'
import { openPostgresStorage } from '../storage.ts'

const reason = whyNoPostgres()
const times = { leaseMs: 1500, renewMs: 200 }

async function sql(url: string, statement: string): Promise<any[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}

test.skipIf(reason !== undefined)('one server at a time uses a database', async () => {
  const { url, release } = await testDatabase()
  const open = (place: string) => openPostgresStorage({ url, lease: { place, onLost: () => {}, times } })
  const first = await open('north 1')
  await expect(open('south 2')).rejects.toThrow(
    'Another pdpp server (north) is using this database. Stop it first, or name another database in PDPP_DATABASE_URL.',
  )
  // Commands that write a token or a link next to a running server need no lease.
  await (await openPostgresStorage({ url })).close()
  expect(await first.secret('cursor')).toHaveLength(32)
  await first.close()
  const second = await open('south 2')
  await second.close()
  expect(await sql(url, 'select * from pdpp_server')).toEqual([])
  release()
})

test.skipIf(reason !== undefined)('the lease of a server that ended without a word can be taken over', async () => {
  const { url, release } = await testDatabase()
  await (await openPostgresStorage({ url, lease: { place: 'north 1', onLost: () => {}, times } })).close()
  const crashed = (left: string) => `insert into pdpp_server values (1, 'gone', 'north 1', now() + interval '${left}')`
  await sql(url, crashed('1 hour'))
  // The data directory is locked, so a process with the same directory knows that the other one has ended.
  await (await openPostgresStorage({ url, lease: { place: 'north 1', onLost: () => {} } })).close()
  await sql(url, crashed('2 seconds'))
  const started = performance.now()
  await (await openPostgresStorage({ url, lease: { place: 'south 2', onLost: () => {} } })).close()
  expect(performance.now() - started).toBeGreaterThan(1000)
  release()
})

test.skipIf(reason !== undefined)('a server need not wait for merges of one that was killed', async () => {
  const { url, release } = await testDatabase()
  const lease = { place: 'north 1', onLost: () => {} }
  const first = await openPostgresStorage({ url, lease })
  await seed(first)
  await first.writer.write(target(), [upsert({ id: 'a', title: 'One' })])
  await first.close()
  const killed = `update word_owner set lease_holder = 'gone', lease_until = ${Date.now() + 3_600_000}`
  await sql(url, killed)
  const second = await openPostgresStorage({ url, lease })
  const started = performance.now()
  await second.writer.erase(target(), 'a')
  expect(performance.now() - started).toBeLessThan(10_000)
  await second.close()
  release()
})

test.skipIf(reason !== undefined)('a server that has lost the lease reads and writes nothing more', async () => {
  const { url, release } = await testDatabase()
  const onLost = vi.fn<(error: Error) => void>()
  const storage = await openPostgresStorage({ url, lease: { place: 'north 1', onLost, times } })
  await storage.saveSetting('anna', 'colour', 'red')
  await sql(url, `update pdpp_server set server = 'another', place = 'south 2'`)
  await vi.waitFor(() => expect(onLost).toHaveBeenCalledOnce(), { timeout: 10_000 })
  const refused = await storage.saveSetting('anna', 'colour', 'blue').catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(StoreLost)
  expect(storage.fault(refused)).toBe('unavailable')
  await expect(storage.setting('anna', 'colour')).rejects.toBeInstanceOf(StoreLost)
  expect(await sql(url, 'select value from setting')).toEqual([{ value: 'red' }])
  // The other process keeps the lease.
  await storage.close()
  expect(await sql(url, 'select server from pdpp_server')).toEqual([{ server: 'another' }])
  release()
})

test.skipIf(reason !== undefined)('a server that was suspended asks before it writes', async () => {
  const { url, release } = await testDatabase()
  const lease = { place: 'north 1', onLost: () => {}, times: { leaseMs: 300, renewMs: 60_000 } }
  const storage = await openPostgresStorage({ url, lease })
  await pause(400)
  // No other process took over meanwhile, so this one continues.
  await storage.saveSetting('anna', 'colour', 'red')
  await pause(400)
  await sql(url, `update pdpp_server set server = 'another'`)
  await expect(storage.saveSetting('anna', 'colour', 'blue')).rejects.toBeInstanceOf(StoreLost)
  await storage.close()
  release()
})
