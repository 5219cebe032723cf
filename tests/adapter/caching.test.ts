// Answers under a grant are cached by nobody: neither a client nor anything in between.
import { afterAll, beforeAll, expect } from 'vitest'
import { verifies } from '../fixtures/verifies.ts'
import { type AdapterServer, ENVELOPE, startAdapter } from './adapter-server.ts'
import { smallSource } from './small-data.ts'

let server: AdapterServer
beforeAll(async () => {
  server = await startAdapter([smallSource])
})
afterAll(() => server.close())

const tool = (name: string, args: object): [string, object] => ['tools/call', { name, arguments: args }]

async function post(method: string, params: { name?: string; uri?: string }) {
  const name = params.name ?? params.uri
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: ENVELOPE } }),
  })
  return { kept: response.headers.get('cache-control'), body: (await response.json()) as any }
}

verifies.each('checklist 21', [
  tool('schema', {}),
  tool('query_records', { stream: 'messages', connection_id: 'home' }),
  tool('search', { query: 'lighthouse' }),
  tool('fetch', { id: 'home/messages:m4' }),
  tool('aggregate', { stream: 'messages', metric: 'count', connection_id: 'home' }),
  tool('read_record_field', { id: 'home/messages:m4', field_path: 'text' }),
  tool('fetch', { id: 'home/messages:nothing' }),
])('the result of %s %j is never public, and not to be kept', async (method, params) => {
  const { kept, body } = await post(method, params)
  expect(body.result.content).toHaveLength(1)
  expect([body.result.cacheScope, body.result.ttlMs]).toEqual([undefined, undefined])
  expect(kept).toMatch(/\bno-store\b/)
})

verifies('checklist 21', 'a resource is read for its holder alone', async () => {
  const uri = `pdpp://record/${encodeURIComponent('home/messages:m4')}`
  const { kept, body } = await post('resources/read', { uri })
  expect(JSON.stringify(body)).toContain('lighthouse')
  expect([body.result.cacheScope, body.result.ttlMs]).toEqual(['private', 0])
  expect(kept).toMatch(/\bno-store\b/)
})

verifies('checklist 21', 'only lists that are the same for everybody may be shared', async () => {
  for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'server/discover']) {
    const { kept, body } = await post(method, {})
    expect([method, body.result.cacheScope]).toEqual([method, 'public'])
    expect(JSON.stringify(body)).not.toMatch(/Family|Team chat|lighthouse|"home"/)
    // The request has a bearer token, so caches in between keep nothing.
    expect(kept).toMatch(/\bno-store\b/)
  }
})
