// POST /mcp over real HTTP: both protocol eras, and everything that is not a request as it should be.
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifies } from '../fixtures/verifies.ts'
import { type AdapterServer, ENVELOPE, startAdapter } from './adapter-server.ts'
import { smallSource } from './small-data.ts'

let server: AdapterServer
beforeAll(async () => {
  server = await startAdapter([smallSource])
})
afterAll(() => server.close())

const MODERN = '2026-07-28'
const listed = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
const modernList = { ...listed, params: { _meta: ENVELOPE } }
const modernHeaders = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/list' }
const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'host', version: '1' } },
})

interface Sent {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Record<string, string | undefined>
}

async function send({ method = 'POST', body, headers = {} }: Sent) {
  const all = {
    authorization: `Bearer ${server.token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  }
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const response = await fetch(`${server.url}/mcp`, {
    method,
    headers: Object.fromEntries(given),
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

test.each([
  ['2025-11-25', '2025-11-25'],
  ['2025-06-18', '2025-06-18'],
  ['2025-03-26', '2025-03-26'],
  ['2024-11-05', '2024-11-05'],
  [MODERN, '2025-11-25'],
  ['2099-01-01', '2025-11-25'],
])('initialize with %s is answered with %s, without a session', async (asked, answered) => {
  const { status, headers, body } = await send({ body: initialize(asked) })
  expect(status).toBe(200)
  expect(body.result.protocolVersion).toBe(answered)
  expect(body.result.capabilities).toEqual({ tools: { listChanged: false }, resources: { listChanged: false } })
  expect(body.result.instructions).toContain('Call schema first')
  expect(headers.get('mcp-session-id')).toBeNull()
})

verifies('004.1', 'both eras give the same instructions and the same tools', async () => {
  const discovered = await send({
    body: { ...modernList, method: 'server/discover' },
    headers: { ...modernHeaders, 'mcp-method': 'server/discover' },
  })
  const initialized = await send({ body: initialize('2025-11-25') })
  expect(discovered.body.result.instructions).toBe(initialized.body.result.instructions)
  expect(discovered.body.result.supportedVersions).toContain(MODERN)
  const modern = await send({ body: modernList, headers: modernHeaders })
  const legacy = await send({ body: listed, headers: { 'mcp-protocol-version': '2025-11-25' } })
  const bare = await send({ body: listed })
  expect(modern.body.result.tools).toEqual(legacy.body.result.tools)
  expect(bare.body.result.tools).toEqual(legacy.body.result.tools)
})

test.each<[string, Sent, number, number | undefined]>([
  ['modern without _meta', { body: listed, headers: modernHeaders }, 400, -32602],
  [
    'a header that differs from the body',
    { body: modernList, headers: { ...modernHeaders, 'mcp-method': 'tools/call' } },
    400,
    -32020,
  ],
  ['an unknown version', { body: listed, headers: { 'mcp-protocol-version': '1999-01-01' } }, 400, -32000],
  [
    'an unknown modern method',
    {
      body: { ...modernList, method: 'nothing/at-all' },
      headers: { ...modernHeaders, 'mcp-method': 'nothing/at-all' },
    },
    404,
    -32601,
  ],
  [
    'an unknown legacy method',
    { body: { ...listed, method: 'nothing/at-all' }, headers: { 'mcp-protocol-version': '2025-11-25' } },
    200,
    -32601,
  ],
  ['a batch', { body: [listed, listed], headers: { 'mcp-protocol-version': '2025-03-26' } }, 400, -32600],
  ['a modern batch', { body: [modernList], headers: modernHeaders }, 400, -32600],
  ['an empty batch', { body: [] }, 400, -32600],
  ['another content type', { body: listed, headers: { 'content-type': 'text/plain' } }, 415, undefined],
  ['no JSON', { body: '{"jsonrpc":' }, 400, -32700],
  ['an empty body', { body: '' }, 400, -32700],
  ['a body of 300 KB', { body: JSON.stringify({ ...listed, params: { x: 'x'.repeat(300_000) } }) }, 413, -32600],
  ['a body of 5 MB', { body: JSON.stringify({ ...listed, params: { x: 'x'.repeat(5_000_000) } }) }, 413, -32600],
  ['no token', { body: listed, headers: { authorization: undefined } }, 401, -32600],
  ['an unknown token', { body: listed, headers: { authorization: 'Bearer nothing' } }, 401, -32600],
  ['a page of another origin', { body: listed, headers: { origin: 'https://evil.example' } }, 403, undefined],
  ['a page without an origin', { body: listed, headers: { origin: 'null' } }, 403, undefined],
])('%s', async (_name, sent, status, code) => {
  const answer = await send(sent)
  expect(answer.status).toBe(status)
  if (code !== undefined) expect(answer.body.error.code).toBe(code)
  expect(answer.headers.get('content-type')).toContain('application/json')
})

test('a client gets JSON, whatever it accepts', async () => {
  for (const accept of ['*/*', 'application/json', undefined]) {
    for (const sent of [{ body: modernList, headers: modernHeaders }, { body: initialize('2025-11-25') }]) {
      const { status, headers } = await send({
        ...sent,
        headers: { ...('headers' in sent ? sent.headers : {}), accept },
      })
      expect(status).toBe(200)
      expect(headers.get('content-type')).toContain('application/json')
    }
  }
})

test('a notification is accepted without a body', async () => {
  const { status, body } = await send({
    body: { jsonrpc: '2.0', method: 'notifications/initialized' },
    headers: { 'mcp-protocol-version': '2025-11-25' },
  })
  expect(status).toBe(202)
  expect(body).toBe('')
})

test.each(['GET', 'DELETE', 'PUT', 'PATCH'])('%s is not allowed', async (method) => {
  const { status, headers } = await send({ method, ...(method === 'GET' ? {} : { body: listed }) })
  expect(status).toBe(405)
  expect(headers.get('allow')).toBe('POST')
})

test('a 401 says where to begin (RFC 9728)', async () => {
  const { headers, body } = await send({ body: listed, headers: { authorization: undefined } })
  const metadata = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1]
  expect(metadata).toBe(`${server.url}/.well-known/oauth-protected-resource/mcp`)
  expect(body.error.resource_metadata).toBe(metadata)
  expect(((await (await fetch(metadata!)).json()) as any).resource).toBe(`${server.url}/mcp`)
})

verifies('checklist 14', 'another Host is refused before anything else', async () => {
  const { port } = new URL(server.url)
  const status = await new Promise<number>((resolve, reject) => {
    const headers = {
      host: 'rebound.example',
      authorization: `Bearer ${server.token}`,
      'content-type': 'application/json',
    }
    const request = httpRequest({ port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode!)
    })
    request.on('error', reject).end(JSON.stringify(listed))
  })
  expect(status).toBe(421)
})
