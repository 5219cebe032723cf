import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { mailServer, messages, type TestServer } from '../../../../tests/fixtures/server.ts'

const STREAM = '/v1/streams/messages'
/** Served directly, or by Hono because a URL parser would change the path first. */
const TARGETS = [
  `${STREAM}/records?limit=3`,
  `${STREAM}/records?limit=3&order=asc&fields=id,subject&count=exact`,
  `${STREAM}/records/m1`,
  `${STREAM}/records/m1?label=true&fields=subject`,
  `${STREAM}/records/m%31`,
  `${STREAM}/records/%E0%A4%A`,
  `${STREAM}/records/a%2Fb`,
  `${STREAM}/records/missing`,
  `${STREAM}/records/.m1`,
  `${STREAM}/records/`,
  `${STREAM}//records/m1`,
  `${STREAM}/../messages/records/m1`,
  `${STREAM}/records?limit=0`,
  `${STREAM}/records?colour=red`,
  `${STREAM}/records?sort=nothing`,
  `${STREAM}/records?cursor=forged`,
  `${STREAM}/aggregate?metric=count`,
  `${STREAM}/aggregate?metric=sum&field=subject`,
  '/v1/streams/nothing/records',
  '/v1/search?q=body&limit=2',
  '/v1/search?q=body&mode=semantic',
  '/v1/search',
]
const HEADERS: readonly Record<string, string>[] = [
  {},
  { accept: 'text/html' },
  { 'pdpp-version': '1999-01-01' },
  { origin: 'https://elsewhere.example' },
  { 'request-id': 'req_of_the_client' },
]

/** Headers that depend on the connection. */
const TRANSPORT = ['date', 'connection', 'keep-alive', 'transfer-encoding']

/** The answer without the values that differ between two equal requests. */
function comparable(status: number, headers: Headers, text: string) {
  const id = headers.get('request-id') ?? ''
  const names = [...headers.keys()].filter((name) => !TRANSPORT.includes(name))
  const shown = names.map((name) => [name, headers.get(name)!.replaceAll(id, 'ID')])
  // Cursors are sealed with a new random number each time.
  const body = text.replaceAll(id, 'ID').replaceAll(/(cursor["=]:?"?)[\w-]{20,}/g, '$1CURSOR')
  return { status, headers: Object.fromEntries(shown.filter(([name]) => name !== 'content-length')), body }
}

async function bothWays(test: TestServer, target: string, headers: Record<string, string>, body?: string) {
  const { app, url } = test.server
  const { host } = new URL(url)
  const init = body === undefined ? {} : { method: 'POST', body }
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const viaHono = await app.request(`http://${host}${target}`, { ...init, headers: { host, ...length, ...headers } })
  const direct = await fetch(url + target, { ...init, headers })
  return [
    comparable(viaHono.status, viaHono.headers, await viaHono.text()),
    comparable(direct.status, direct.headers, await direct.text()),
  ]
}

test('answers frequent reads directly exactly as Hono would', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(5))
  const { token } = await test.grant({ connections: ['home'] })
  const authorization = `Bearer ${token}`
  const statuses = new Set<number>()
  for (const target of TARGETS)
    for (const headers of target === TARGETS[2] ? HEADERS : [{}]) {
      const [viaHono, direct] = await bothWays(test, target, { authorization, ...headers })
      expect(direct, `${target} ${JSON.stringify(headers)}`).toEqual(viaHono)
      statuses.add(direct!.status)
    }
  expect([...statuses].sort()).toEqual([200, 400, 403, 404])
  for (const headers of [{}, { authorization: 'Bearer of-nothing-that-we-know' }, { authorization: 'Basic eA==' }]) {
    const [viaHono, direct] = await bothWays(test, TARGETS[2]!, headers)
    expect(direct!.status).toBe(401)
    expect(direct).toEqual(viaHono)
  }
})

const call = (method: string, params: object = {}, id: number | undefined = 7) =>
  JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, params })
/** Messages of the fast path, messages that only the SDK answers, and bodies that are no message. */
const MESSAGES = [
  call('tools/list'),
  call('tools/call', { name: 'search', arguments: { query: 'body' } }),
  call('tools/call', { name: 'search', arguments: { query: 'bödy 🐟', limit: 0 } }),
  `\ufeff${call('tools/list')}`,
  call('tools/call', { name: 'nothing' }),
  call('ping'),
  call('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  }),
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
  '[]',
  '{',
  '',
]

test('answers tool calls directly exactly as Hono would', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(5))
  const { token } = await test.grant({ connections: ['home'] })
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const modern = { ...json, 'mcp-protocol-version': '2025-11-25' }
  const authorization = `Bearer ${token}`
  const statuses = new Set<number>()
  for (const message of MESSAGES)
    for (const headers of [{ ...modern, authorization }, { ...json, authorization }, modern]) {
      const [viaHono, direct] = await bothWays(test, '/mcp', headers, message)
      expect(direct, `${message} ${JSON.stringify(headers)}`).toEqual(viaHono)
      statuses.add(direct!.status)
    }
  expect([...statuses].sort()).toEqual([200, 202, 400, 401])
  const large = await bothWays(test, '/mcp', { ...modern, authorization }, ' '.repeat(5_000_000))
  expect(large[1]).toEqual(large[0])
  expect(large[1]!.status).toBe(413)
  const foreign = await bothWays(
    test,
    '/mcp',
    { ...modern, authorization, origin: 'https://elsewhere.example' },
    MESSAGES[0],
  )
  expect(foreign[1]).toEqual(foreign[0])
})

test('reads a body that arrives in parts', async () => {
  const test = await mailServer()
  const { token } = await test.grant({ connections: ['home'] })
  const message = Buffer.from(call('tools/call', { name: 'search', arguments: { query: '🐟' } }))
  const parts = [message.subarray(0, 10), message.subarray(10, -9), message.subarray(-9)]
  const answer = await fetch(`${test.server.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'mcp-protocol-version': '2025-11-25',
    },
    body: ReadableStream.from(parts),
    duplex: 'half',
  } as RequestInit)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('search \\"🐟\\"')
})

test('refuses another host directly, and answers the next request', async () => {
  const test = await mailServer()
  const socket = connect(Number(new URL(test.server.url).port), '127.0.0.1').setEncoding('utf8')
  let received = ''
  socket.on('data', (text) => {
    received += text
  })
  const get = (host: string) => `GET ${STREAM}/records/m1 HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  socket.write(get('evil.example') + get('localhost'))
  await expect.poll(() => received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 421', 'HTTP/1.1 401'])
  socket.destroy()
})
