// A small data directory of each released version is kept as it was written. Every later version opens it.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { startServer } from '@pdpp/server'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../fixtures/processes.ts'
import { serverConfig } from '../fixtures/server-config.ts'

const folder = join(import.meta.dirname, '..', 'fixtures', 'data-directories')

/** The token of the grant in each directory. The data is invented, so the token opens nothing else. */
const RELEASES = [['0.1.0', 'pdpp_eFJ-YV5TcbRHliO64BnngGjHujfgRuTgyjuSQ1UQitw']] as const

test.each(RELEASES)('opens and reads a data directory of version %s', async (version, token) => {
  const dataDir = temporaryDirectory()
  execFileSync('tar', ['-xzf', join(folder, `${version}.tgz`), '-C', dataDir])
  const server = await startServer(serverConfig(dataDir))
  onTestFinished(() => server.close())
  const get = async (path: string) => {
    const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })
    return { status: response.status, body: (await response.json()) as any }
  }
  const page = await get('/v1/streams/orders/records?sort=placed_at')
  expect([page.status, page.body.data.map(({ data }: any) => [data.shop, data.total])]).toEqual([
    200,
    [
      ['Brass & Rope', 12.5],
      ['Brass & Rope', 99.9],
    ],
  ])
  const { body: changes } = await get('/v1/streams/orders/records?changes_since=beginning')
  expect(changes.data.filter(({ deleted }: any) => deleted)).toHaveLength(1)
  const { body: found } = await get('/v1/search?q=lantern')
  expect(found.data).toHaveLength(1)
  const { context } = server
  const { receipts } = await context.receipts.list('owner_local', { limit: 50 })
  expect(receipts.filter(({ operation }) => operation === 'search').length).toBeGreaterThanOrEqual(2)
  const [imported] = await context.storage.imports.list('owner_local', { limit: 5 })
  expect(imported).toMatchObject({ state: 'finished', body: { isClientSide: true } })
})
