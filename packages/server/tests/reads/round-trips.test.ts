import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase, whyNoPostgres } from '../../../../tests/fixtures/postgres-server.ts'
import { mailServer, messages, type TestServer } from '../../../../tests/fixtures/server.ts'

/** The request that a statement belongs to. Statements of background work belong to none. */
const requests = new AsyncLocalStorage<IncomingMessage>()
const enter = (message: unknown) => requests.enterWith((message as { request: IncomingMessage }).request)

type Read = (path: string) => Promise<{ status: number; body: any }>

describe.skipIf(whyNoPostgres() !== undefined)('a read on PostgreSQL', () => {
  let [server, read] = [undefined as unknown as TestServer, undefined as unknown as Read]
  let [token, end] = ['', async () => {}]

  beforeAll(async () => {
    const database = await testDatabase()
    const atEnd = (close: () => Promise<void>) => {
      end = async () => {
        await close()
        database.release()
      }
    }
    server = await mailServer({ databaseUrl: database.url }, {}, { atEnd })
    await server.ingest('messages', 'home', messages(60))
    ;({ get: read, token } = await server.grant({ connections: ['home'] }))
  })
  beforeAll(() => subscribe('http.server.request.start', enter))
  afterAll(() => end())
  afterAll(() => void unsubscribe('http.server.request.start', enter))

  /** The statements of a read. Each one is a round trip. */
  async function statements(path: string): Promise<string[]> {
    for (let warm = 0; warm < 4; warm++) expect((await read(path)).status).toBe(200)
    const texts: string[] = []
    const { query } = pg.Client.prototype as { query: (...args: any[]) => any }
    const counting = function (this: pg.Client, ...args: any[]) {
      if (requests.getStore()?.headers['x-counted']) texts.push(typeof args[0] === 'string' ? args[0] : args[0].text)
      return query.apply(this, args)
    }
    Object.assign(pg.Client.prototype, { query: counting })
    try {
      expect((await server.as(token)('GET', path, undefined, { 'x-counted': 'yes' })).status).toBe(200)
    } finally {
      Object.assign(pg.Client.prototype, { query })
    }
    return texts
  }

  test.each([
    ['of a page', '/v1/streams/messages/records?limit=25'],
    ['of a page that is not the first', '/v1/streams/messages/records?limit=5&order=asc'],
    ['of one record', '/v1/streams/messages/records/m7'],
  ])('%s takes two round trips and one for its receipt', async (_what, path) => {
    const [access, record, receipt, ...others] = await statements(path)
    expect(access).toContain('from token')
    expect(record).toContain('from record')
    expect(receipt).toContain('receipt_head')
    expect(others).toEqual([])
  })

  test('sees sources, connections and grants as they are now', async () => {
    const path = '/v1/streams/messages/records?limit=1'
    await statements(path)
    await server.owner('POST', '/v1/owner/connections', { connector_key: 'mail', connection_id: 'second' })
    await server.ingest('messages', 'second', messages(1))
    const both = await server.grant({ connections: ['home', 'second'] })
    expect((await both.get('/v1/streams/messages/records?connection_id=second')).body.data).toHaveLength(1)
    await server.owner('POST', `/v1/owner/grants/${both.grantId}/revoke`)
    expect((await both.get(path)).body.error.code).toBe('grant_revoked')
    expect((await read(path)).status).toBe(200)
  })
})
