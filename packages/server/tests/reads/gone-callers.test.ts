import { type ClientRequest, get } from 'node:http'
import pg from 'pg'
import { expect, onTestFinished, vi } from 'vitest'
import { testDatabase } from '../../../../tests/fixtures/postgres-server.ts'
import { mailDeclaration, mailServer, messages, type TestServer } from '../../../../tests/fixtures/server.ts'
import { isOnPostgres } from '../../../../tests/fixtures/test-store.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'

/** More records than are read in the event loop. */
const MANY = 12_000
const AGGREGATE = '/v1/streams/messages/aggregate?metric=count_distinct&field=size'
const SEARCH_COUNT = '/v1/search?q=subject&count=exact&limit=1'

async function largeServer(...options: Parameters<typeof mailServer>): Promise<TestServer> {
  const test = await mailServer(...options)
  const declaration = structuredClone(mailDeclaration)
  Object.assign(declaration.streams[0]!.query!, { aggregations: { count_distinct: ['size'] } })
  const declared = await test.owner('POST', '/connectors', { ...declaration, declaration_version: '2' })
  const ingested = await test.ingest('messages', 'home', messages(MANY))
  expect([declared.status, ingested.status]).toEqual([200, 200])
  return test
}

/** Sends reads until some have to wait, because on a busy machine the threads may keep up with the first dozen. */
async function untilSomeWait({ server }: TestServer, call: () => void): Promise<void> {
  const { storage } = server.context
  for (let round = 0; storage.readLoad().waiting <= 5; round++) {
    if (round === 20) throw new Error(`Nothing waits: ${JSON.stringify(storage.readLoad())}`)
    for (let n = 0; n < 12; n++) call()
    const isFull = () => storage.readLoad().waiting > 5
    await vi.waitUntil(isFull, { timeout: 1000, interval: 1 }).catch(() => {})
  }
}

/** Sends on its own connection, which can be cut. */
function send(test: TestServer, token: string, path: string): ClientRequest {
  const request = get(test.server.url + path, { agent: false, headers: { authorization: `Bearer ${token}` } })
  return request.on('error', () => {})
}

verifies.each('checklist 19', [
  ['aggregates', AGGREGATE],
  ['exact counts of a search', SEARCH_COUNT],
])('%s stop when their callers hang up, and the next one is answered', async (_what, path) => {
  const test = await largeServer()
  const { storage } = test.server.context
  const { token, get: read } = await test.grant({ connections: ['home'] })
  const requests: ClientRequest[] = []
  await untilSomeWait(test, () => requests.push(send(test, token, path)))
  for (const request of requests) request.destroy()
  await vi.waitFor(() => expect(storage.readLoad()).toMatchObject({ running: 0, waiting: 0 }), { timeout: 20_000 })
  const { givenUp } = storage.readLoad()
  expect(givenUp).toBeGreaterThan(5)
  expect((await read(path)).status).toBe(200)
  expect(storage.readLoad().givenUp).toBe(givenUp)
})

verifies('checklist 19', 'a tool call at /mcp stops as well when its host hangs up', async () => {
  const test = await largeServer()
  const { storage } = test.server.context
  const { token } = await test.grant({ connections: ['home'] })
  const hangUp = new AbortController()
  const args = { stream: 'messages', metric: 'count_distinct', field: 'size' }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'aggregate', arguments: args } }
  const calls: Promise<unknown>[] = []
  const send = () =>
    fetch(`${test.server.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify(call),
      signal: hangUp.signal,
    }).catch(() => 'cut')
  await untilSomeWait(test, () => calls.push(send()))
  hangUp.abort()
  await Promise.all(calls)
  await vi.waitFor(() => expect(storage.readLoad()).toMatchObject({ running: 0, waiting: 0 }), { timeout: 20_000 })
  expect(storage.readLoad().givenUp).toBeGreaterThan(5)
})

verifies('checklist 19', 'a read that takes longer than the limit is refused', async () => {
  const test = await mailServer({}, { requestMs: 0 })
  await test.ingest('messages', 'home', messages(3))
  const { get: read, grantId } = await test.grant({ connections: ['home'] })
  for (const path of ['/v1/search?q=subject', '/v1/schema', '/v1/streams', '/v1/connectors']) {
    const { status, body } = await read(path)
    expect([path, status, body.error?.code]).toEqual([path, 503, 'request_timeout'])
    expect(body.error.message).toBe('This took longer than 0 seconds.')
  }
  const { body } = await test.owner('GET', `/v1/owner/receipts?grant_id=${grantId}`)
  expect(body.data.map(({ outcome }: { outcome: string }) => outcome)).toEqual(Array(4).fill('request_timeout'))
})

/** Holds every read of records until the test is over. */
async function holdRecords(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('begin')
  await client.query('lock table record in access exclusive mode')
}

async function heldByALock(): Promise<void> {
  const { url, release } = await testDatabase()
  // Long enough for the token and the schema on a busy machine: only the read of records is held.
  const test = await largeServer({ databaseUrl: url }, { requestMs: 1500 })
  const { get: read } = await test.grant({ connections: ['home'] })
  await holdRecords(url)
  const { status, body } = await read(AGGREGATE)
  expect([status, body.error.code]).toEqual([503, 'request_timeout'])
  const { storage } = test.server.context
  await vi.waitFor(() => expect(storage.readLoad()).toMatchObject({ givenUp: 1, running: 0 }), { timeout: 20_000 })
  release()
}

async function heldByEachOther(): Promise<void> {
  const test = await largeServer({}, { requestMs: 10 })
  const { get: read } = await test.grant({ connections: ['home'] })
  const { storage } = test.server.context
  const outcomes = new Set<string>()
  // SQLite has no way to hold a read, but if many come at once some have to wait. On a busy machine the time can be
  // over before a thread gets the task.
  for (let round = 0; round < 20 && storage.readLoad().givenUp === 0; round++) {
    const answers = await Promise.all(Array.from({ length: 40 }, () => read(AGGREGATE)))
    for (const { status, body } of answers) outcomes.add(status === 200 ? '200' : body.error.code)
  }
  expect(storage.readLoad().givenUp).toBeGreaterThan(0)
  expect(outcomes).toContain('request_timeout')
  for (const outcome of outcomes) expect(['200', 'request_timeout', 'server_busy']).toContain(outcome)
}

verifies('checklist 19', 'long reads end with the time of their request', () =>
  isOnPostgres() ? heldByALock() : heldByEachOther(),
)
