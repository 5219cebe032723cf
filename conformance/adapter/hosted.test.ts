import { MCP_BODY_BYTES } from '@pdpp/protocol'
import { expect, test } from 'vitest'
import { verifies } from '../../tests/fixtures/verifies.ts'
import { onEveryTransport } from './fixtures/agent.ts'
import { openWorld } from './fixtures/world.ts'

const PUBLIC = 'data.example.org'
const world = openWorld({ PDPP_TRUSTED_PROXIES: '127.0.0.1', PDPP_TRUSTED_HOSTS: PUBLIC })
const METADATA = '/.well-known/oauth-protected-resource/mcp'

const legacy = (method: string, params: object = {}) => ({
  headers: { 'mcp-protocol-version': '2025-11-25' },
  body: { jsonrpc: '2.0', id: 1, method, params },
})
const modern = (method: string, params: object = {}) => ({
  headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
  body: {
    jsonrpc: '2.0',
    id: 1,
    method,
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      },
    },
  },
})
const initialize = legacy('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
})

interface Message {
  headers?: Record<string, string>
  body: unknown
}

async function post({ headers = {}, body }: Message, token?: string) {
  const response = await world.get('/mcp', token, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text }
}

const token = async () => (await world.grant('mail')).token

verifies.each(
  ['003.6.1', '003.17.2', '003.18.1', 'point 11', 'point 16'],
  [
    ['2025-11-25', initialize],
    ['2026-07-28', modern('server/discover')],
    ['2026-07-28', modern('tools/call', { name: 'schema', arguments: {} })],
  ],
)('a request without a token is challenged with the metadata URL (%s)', async (_, message) => {
  const metadata = world.server.url + METADATA
  for (const bearer of [undefined, 'pdpp_unknown_token_that_is_long_enough_to_be_one_x', 'nonsense']) {
    const answer = await post(message, bearer)
    expect(answer.status).toBe(401)
    const challenge = answer.headers.get('www-authenticate')!
    expect(challenge).toMatch(/^Bearer /)
    expect(challenge).toContain(`resource_metadata="${metadata}"`)
    expect(challenge.includes('error="invalid_token"')).toBe(bearer !== undefined)
    expect(answer.body).toMatchObject({
      jsonrpc: '2.0',
      error: { resource_metadata: metadata, type: expect.any(String), next_step: expect.any(String) },
    })
    expect(answer.headers.get('link')).toBe(`<${world.server.url}/icon.svg>; rel="icon"; type="image/svg+xml"`)
    expect(JSON.stringify(answer.body)).not.toMatch(/"result"/)
  }
})

verifies(['003.6.2', '000.3.1', 'point 4'], 'an owner token gets 403 and is never processed', async () => {
  for (const message of [
    initialize,
    legacy('tools/list'),
    legacy('tools/call', { name: 'schema', arguments: {} }),
    modern('server/discover'),
    modern('tools/call', { name: 'query_records', arguments: { stream: 'messages' } }),
  ]) {
    const routes = await world.routes(async () => {
      const answer = await post(message, world.ownerToken)
      expect(answer.status).toBe(403)
      expect(answer.headers.get('www-authenticate')).toBeNull()
      expect(answer.body.result).toBeUndefined()
      expect(answer.body.error).toMatchObject({
        pdpp_code: 'permission_error',
        next_step: expect.stringMatching(/grant/),
      })
    })
    expect(routes).toEqual(['/mcp'])
  }
})

verifies('003.9.1', "the server's metadata names the adapter and keeps /v1", async () => {
  const document = await (await world.get('/.well-known/oauth-protected-resource')).json()
  expect(document).toMatchObject({
    resource: world.server.url,
    pdpp_core_query_base: `${world.server.url}/v1`,
    pdpp_agent_discovery: {
      mcp: {
        endpoint: `${world.server.url}/mcp`,
        no_owner_token: true,
        description: expect.stringMatching(/^An adapter over the PDPP reads of pdpp_core_query_base/),
      },
    },
  })
})

verifies('003.9', 'the metadata has the members that other clients require', async () => {
  const document: any = await (await world.get('/.well-known/oauth-protected-resource')).json()
  expect(document.pdpp_provider_connect_version).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect(document.pdpp_self_export_supported).toBe(true)
  expect(document.capabilities.lexical_retrieval).toMatchObject({
    supported: true,
    endpoint: '/v1/search',
    default_limit: 25,
    max_limit: 100,
  })
  const hints = document.pdpp_discovery_hints
  expect(hints.blob_indirection).toBe('data.blob_ref.fetch_url')
  expect(hints.search.filter_requires_single_stream).toBe(false)
  // Point 41: modes of search are advertised only if there is more than one.
  expect(hints.search).not.toHaveProperty('modes')
  const { token: mail } = await world.grant('mail')
  const filtered = await world.rest('/v1/search?q=kestrel&filter[sent_at][gte]=2020-01-01', mail)
  expect(filtered.data.length).toBeGreaterThan(0)
  const own: any = await (await world.get(METADATA)).json()
  expect([own.pdpp_provider_connect_version, own.pdpp_self_export_supported]).toEqual([
    document.pdpp_provider_connect_version,
    false,
  ])
  const [row] = (await world.rest('/v1/schema?view=compact&stream=messages', mail)).connectors[0].streams
  expect(row.object).toBe('stream')
  const stream = await world.rest('/v1/streams/messages', mail)
  expect(stream.field_capabilities.body.semantic_search).toEqual({ declared: false, usable: false })
  expect(stream.expand_capabilities[0].child_parent_key_field).toBe('message_id')
})

verifies(['003.9.2', '003.17.3', '003.18.2'], 'the adapter has its own metadata, with client tokens only', async () => {
  const response = await world.get(METADATA)
  const document: any = await response.json()
  expect(document).toMatchObject({
    resource: `${world.server.url}/mcp`,
    pdpp_token_kinds_supported: ['client', 'mcp_package'],
    pdpp_core_query_base: `${world.server.url}/v1`,
    pdpp_agent_discovery: { mcp: { endpoint: `${world.server.url}/mcp` } },
  })
  const standard = [
    'resource',
    'resource_name',
    'authorization_servers',
    'bearer_methods_supported',
    'scopes_supported',
  ]
  const other = Object.keys(document).filter((name) => !standard.includes(name) && !name.startsWith('pdpp_'))
  expect(other).toEqual([])
  expect(JSON.stringify(document)).not.toMatch(/logo_uri|icon/)
})

verifies('003.9.3', 'behind a trusted proxy every URL has the public origin', async () => {
  const headers = { 'x-forwarded-host': PUBLIC, 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' }
  for (const path of [METADATA, '/.well-known/oauth-protected-resource']) {
    const document: any = await (await world.get(path, undefined, { headers })).json()
    expect(document.pdpp_agent_discovery.mcp.endpoint).toBe(`https://${PUBLIC}/mcp`)
    expect(JSON.stringify(document)).not.toContain('127.0.0.1')
  }
  const challenged = await post({ ...initialize, headers }, undefined)
  expect(challenged.headers.get('www-authenticate')).toContain(`resource_metadata="https://${PUBLIC}${METADATA}"`)
  expect(challenged.body.error.resource_metadata).toBe(`https://${PUBLIC}${METADATA}`)
  const { body } = await post({ ...initialize, headers: { ...initialize.headers, ...headers } }, await token())
  expect(body.result.serverInfo.icons[0].src).toBe(`https://${PUBLIC}/icon.svg`)
  const call = legacy('tools/call', { name: 'search', arguments: { query: 'kestrel' } })
  const found = await post({ ...call, headers: { ...call.headers, ...headers } }, await token())
  for (const { url } of found.body.result.structuredContent.results) expect(url).toMatch(`https://${PUBLIC}/r/`)
})

verifies('003.5.1', 'one POST gets one JSON answer in both protocol revisions', async () => {
  for (const message of [initialize, legacy('tools/list'), modern('server/discover'), modern('tools/list')]) {
    const answer = await post(
      { ...message, headers: { ...message.headers, accept: 'application/json' } },
      await token(),
    )
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(answer.headers.get('mcp-session-id')).toBeNull()
    expect(answer.body.result).toBeDefined()
  }
})

test('wrong methods, origins, bodies and sizes have their own status', async () => {
  const bearer = await token()
  for (const method of ['GET', 'DELETE', 'PUT']) expect((await world.get('/mcp', bearer, { method })).status).toBe(405)
  const list = legacy('tools/list')
  const status = async (message: Message) => (await post(message, bearer)).status
  expect(await status({ ...list, headers: { ...list.headers, origin: 'https://evil.example' } })).toBe(403)
  expect(await status({ ...list, headers: { ...list.headers, 'content-type': 'text/plain' } })).toBe(415)
  expect(await status({ body: '{' })).toBe(400)
  expect(await status({ body: '' })).toBe(400)
  expect(await status({ body: [list.body, list.body] })).toBe(400)
  expect(await status({ body: [] })).toBe(400)
  expect(await status({ ...list, headers: { 'mcp-protocol-version': '1999-01-01' } })).toBe(400)
  expect(await status({ body: { ...list.body, params: { pad: 'x'.repeat(MCP_BODY_BYTES) } } })).toBe(413)
  const mismatch = modern('tools/call', { name: 'schema', arguments: {} })
  expect(await status({ ...mismatch, headers: { ...mismatch.headers, 'mcp-name': 'search' } })).toBe(400)
  for (const [name, args] of [
    ['schema', null],
    ['schema', []],
    ['nothing', {}],
  ] as const) {
    const answer = await post(legacy('tools/call', { name, arguments: args }), bearer)
    expect([answer.status, answer.body.error.code]).toEqual([200, -32602])
  }
})

test('a direct answer equals the answer of the SDK', async () => {
  const bearer = await token()
  // Without the version header, a call of revision 2025 gets no direct answer. The SDK answers it.
  for (const [method, params] of [
    ['tools/list', {}],
    ['tools/call', { name: 'schema', arguments: {} }],
    ['tools/call', { name: 'aggregate', arguments: { stream: 'messages', metric: 'count' } }],
    ['tools/call', { name: 'search', arguments: { query: 'x', filter: 'y' } }],
  ] as const) {
    const quick = await post(legacy(method, params), bearer)
    const slow = await post({ body: legacy(method, params).body }, bearer)
    expect([slow.status, slow.body]).toEqual([quick.status, quick.body])
    expect(slow.headers.get('content-type')).toBe(quick.headers.get('content-type'))
  }
})

onEveryTransport((kind) => {
  verifies(['003.6.3', 'point 42'], 'the receipt of a read names the tool and the surface', async () => {
    const agent = await world.agent(kind, await world.grant('chat'))
    await agent.use('query_records', { stream: 'messages', limit: 2 })
    const { data } = await world.owner('GET', `/v1/owner/receipts?grant_id=${agent.access.id}&limit=1`)
    expect(data[0]).toMatchObject({ record_count: 2, stream: 'messages', outcome: 'ok' })
    expect(data[0].surface).toBe(agent.isStdio ? 'stdio' : 'mcp')
    expect(data[0].operation).toBe(agent.isStdio ? 'records' : 'query_records')
  })
})
