import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { testDatabase, whyNoPostgres } from '../../../../tests/fixtures/postgres-server.ts'
import { mailServer, messages, type TestServer } from '../../../../tests/fixtures/server.ts'

type Read = (path: string) => Promise<{ status: number; body: any }>

describe.skipIf(whyNoPostgres() !== undefined)('a read on PostgreSQL', () => {
  let [server, read] = [undefined as unknown as TestServer, undefined as unknown as Read]
  let end = async () => {}

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
    read = (await server.grant({ connections: ['home'] })).get
  })
  afterAll(() => end())

  /** The statements of a read, of which each is one round trip. Background work is over before. */
  async function statements(path: string): Promise<string[]> {
    for (let warm = 0; warm < 4; warm++) expect((await read(path)).status).toBe(200)
    await new Promise((done) => setTimeout(done, 600))
    const sent = vi.spyOn(pg.Client.prototype, 'query')
    expect((await read(path)).status).toBe(200)
    const texts = sent.mock.calls.map(([query]) => (typeof query === 'string' ? query : (query as any).text) as string)
    sent.mockRestore()
    return texts.map((text) => /\b(from token|receipt_head|begin|commit|rollback|\w+)\b/.exec(text)![1]!)
  }

  test.each([
    ['of a page', '/v1/streams/messages/records?limit=25'],
    ['of a page that is not the first', '/v1/streams/messages/records?limit=5&order=asc'],
    ['of one record', '/v1/streams/messages/records/m7'],
  ])('%s takes two round trips and one for its receipt', { retry: 3 }, async (_what, path) => {
    // Counts every statement of the server, so one in the background can be among them.
    expect(await statements(path)).toHaveLength(3)
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
