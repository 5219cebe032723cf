import { expect, it } from 'vitest'
import { mailServer, messages, type TestServer } from '../../../../tests/fixtures/server.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'

const PAGE = '/v1/streams/messages/records'
const DEFAULTS = {
  event_delivery: true,
  event_private_addresses: false,
  object: 'settings',
  receipt_retention_days: null,
  grant_requests_per_minute: 6000,
  grant_rows_per_minute: 600_000,
  grant_bytes_per_minute: 500_000_000,
}

async function limitedServer(settings: Record<string, number>): Promise<TestServer> {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(20))
  expect((await test.owner('PATCH', '/v1/owner/settings', settings)).status).toBe(200)
  return test
}

const refusals = async (test: TestServer, grantId: string) =>
  (await test.owner('GET', `/v1/owner/receipts?grant_id=${grantId}&limit=100`)).body.data.filter(
    ({ outcome }: { outcome: string }) => outcome === 'rate_limit_exceeded',
  )

verifies('checklist 19', 'a grant that asks too often must wait, and others need not', async () => {
  const test = await limitedServer({ grant_requests_per_minute: 3 })
  const [busy, calm] = [await test.grant({ connections: ['home'] }), await test.grant({ connections: ['home'] })]
  for (let n = 0; n < 3; n++) expect((await busy.get(PAGE)).status).toBe(200)
  const { status, headers, body } = await busy.get(PAGE)
  expect([status, body.error.code, body.error.type]).toEqual([429, 'rate_limit_exceeded', 'rate_limit_error'])
  const wait = Number(headers.get('retry-after'))
  expect(wait).toBeGreaterThanOrEqual(1)
  expect(wait).toBeLessThanOrEqual(20)
  expect(body.error.message).toBe(`This grant has used up its 3 requests a minute; it can continue in ${wait} seconds.`)
  expect(body.error.next_step).toBe(`Wait ${wait} seconds, then send the same request again.`)
  expect((await calm.get(PAGE)).status).toBe(200)
  for (let n = 0; n < 5; n++) expect((await test.owner('GET', `${PAGE}?connection_id=home`)).status).toBe(200)
})

verifies('checklist 19', 'hammering leaves a receipt a second, not one for each refusal', async () => {
  const test = await limitedServer({ grant_requests_per_minute: 1 })
  const { grantId, get } = await test.grant({ connections: ['home'] })
  await get(PAGE)
  const began = performance.now()
  const answers = await Promise.all(Array.from({ length: 50 }, () => get(PAGE)))
  const seconds = (performance.now() - began) / 1000
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]))
  const told = await refusals(test, grantId)
  expect(told.length).toBeGreaterThanOrEqual(1)
  expect(told.length).toBeLessThanOrEqual(Math.ceil(seconds) + 1)
  expect(told[0]).toMatchObject({ operation: 'records', surface: 'rest', record_count: 0, bytes: 0 })
})

verifies.each('checklist 19', [
  ['rows', { grant_rows_per_minute: 10 }, 12, /10 rows a minute/],
  ['bytes', { grant_bytes_per_minute: 1500 }, 12, /1,500 bytes a minute/],
] as const)('%s of an answer are counted, and the next request waits', async (_what, settings, limit, text) => {
  const test = await limitedServer(settings)
  const { get } = await test.grant({ connections: ['home'] })
  const first = await get(`${PAGE}?limit=${limit}`)
  expect([first.status, first.body.data.length]).toEqual([200, limit])
  const second = await get('/v1/streams')
  expect([second.status, second.body.error.code]).toEqual([429, 'rate_limit_exceeded'])
  expect(second.body.error.message).toMatch(text)
  expect(Number(second.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  // The owner raises the limit, and the client continues at once.
  await test.owner('PATCH', '/v1/owner/settings', { grant_rows_per_minute: null, grant_bytes_per_minute: 0 })
  expect((await get('/v1/streams')).status).toBe(200)
})

verifies('checklist 19', 'a tool call at /mcp gets the wait as a result that a model can read', async () => {
  const test = await limitedServer({ grant_requests_per_minute: 2 })
  const { token, grantId, get } = await test.grant({ connections: ['home'] })
  await get(PAGE)
  await get(PAGE)
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'schema', arguments: {} } }
  const { status, text } = await test.as(token)('POST', '/mcp', call, {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-06-18',
  })
  expect(status).toBe(200)
  const { result } = JSON.parse(text.slice(text.indexOf('{')))
  expect(result.isError).toBe(true)
  expect(JSON.stringify(result)).toMatch(/used up its 2 requests a minute; it can continue in \d+ seconds/)
  expect((await refusals(test, grantId))[0]).toMatchObject({ surface: 'mcp', operation: 'schema' })
})

it('a package has one allowance, whichever of its grants are read', async () => {
  const test = await limitedServer({ grant_requests_per_minute: 2 })
  const members = [await test.grant({ connections: ['home'] }), await test.grant({ connections: ['work'] })]
  const { body } = await test.owner('POST', '/v1/owner/packages', { grants: members.map(({ grantId }) => grantId) })
  const read = (connection: string) => test.as(body.access_token)('GET', `${PAGE}?connection_id=${connection}`)
  expect([(await read('home')).status, (await read('work')).status]).toEqual([200, 200])
  const { status, body: refused } = await read('home')
  expect([status, refused.error.message]).toEqual([429, expect.stringMatching(/^This package has used up/)])
  expect((await refusals(test, body.package_id)).length).toBe(1)
})

it('the owner sets limits, and invalid ones change nothing', async () => {
  const test = await mailServer()
  const read = async () => (await test.owner('GET', '/v1/owner/settings')).body
  expect(await read()).toEqual(DEFAULTS)
  const change = { grant_rows_per_minute: 5000, grant_bytes_per_minute: 0 }
  const after = { ...DEFAULTS, grant_rows_per_minute: 5000, grant_bytes_per_minute: null }
  expect((await test.owner('PATCH', '/v1/owner/settings', change)).body).toEqual(after)
  for (const bad of [{ grant_rows_per_minute: -1 }, { grant_requests_per_minute: 1.5 }, { requests: 1 }])
    expect((await test.owner('PATCH', '/v1/owner/settings', bad)).status).toBe(400)
  expect(await read()).toEqual(after)
})
