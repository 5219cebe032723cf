// The developer entrypoint is a server of its own: its name, its address, its token checks, and its command.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CredentialCache } from '@pdpp/mcp-server'
import { DEVELOPER } from '@pdpp/mcp-server/developer'
import { expect, onTestFinished, test } from 'vitest'
import { verifies } from '../../tests/fixtures/verifies.ts'
import { call, INITIALIZE, INITIALIZED, runStdioAdapter, startStdioAdapter } from './fixtures/adapter-process.ts'
import { DEVELOPER_ADAPTER, onEveryTransport } from './fixtures/agent.ts'
import { cachedCredential } from './fixtures/cached-credential.ts'
import { openWorld } from './fixtures/world.ts'

const PUBLIC = 'data.example.org'
const world = openWorld({ PDPP_TRUSTED_PROXIES: '127.0.0.1', PDPP_TRUSTED_HOSTS: PUBLIC })
const METADATA = '/.well-known/oauth-protected-resource/mcp/developer'

async function post(path: string, token?: string, headers: Record<string, string> = {}, body: object = INITIALIZE) {
  const response = await world.get(path, token, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

onEveryTransport((kind) => {
  verifies(['003.8.3', 'point 2', 'point 44'], 'it has its own name, tool list and instructions', async () => {
    const agent = await world.agent(kind, await world.grant('mail'), 'developer')
    const { name, icons } = agent.client.getServerVersion()!
    expect([name, icons?.length]).toEqual(['pdpp-mcp-server-developer', agent.isStdio ? undefined : 1])
    expect(agent.client.getInstructions()).toBe(DEVELOPER.instructions)
    const { tools } = await agent.client.listTools()
    expect(JSON.parse(JSON.stringify(tools))).toEqual(JSON.parse(JSON.stringify(DEVELOPER.definitions)))
    await expect(agent.client.callTool({ name: 'delete_stream', arguments: {} })).rejects.toThrow(
      /There is no tool.*list_streams, fetch_blob/,
    )
    const { contents } = await agent.client.readResource({ uri: 'pdpp://stream/messages' })
    expect(JSON.stringify(contents)).toContain('messages')
  })

  verifies(['000.2.1', 'point 1', 'point 2', 'point 44'], 'the normal server has none of its tools', async () => {
    const agent = await world.agent(kind, await world.grant('mail'))
    const { tools } = await agent.client.listTools()
    expect(tools).toHaveLength(6)
    for (const name of ['list_streams', 'fetch_blob'])
      await expect(agent.client.callTool({ name, arguments: {} })).rejects.toThrow(/There is no tool/)
  })
})

test('it has its own metadata, and no other document names it', async () => {
  const forwarded = { 'x-forwarded-host': PUBLIC, 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' }
  for (const [headers, origin] of [
    [{}, world.server.url],
    [forwarded, `https://${PUBLIC}`],
  ] as const) {
    const document: any = await (await world.get(METADATA, undefined, { headers })).json()
    expect(document).toMatchObject({
      resource: `${origin}/mcp/developer`,
      authorization_servers: [origin],
      pdpp_token_kinds_supported: ['client', 'mcp_package'],
      pdpp_core_query_base: `${origin}/v1`,
      pdpp_agent_discovery: { mcp: { endpoint: `${origin}/mcp/developer`, no_owner_token: true } },
    })
  }
  for (const path of ['/', '', '/mcp'].map((end) => `/.well-known/oauth-protected-resource${end}`).slice(1))
    expect(await (await world.get(path)).text()).not.toContain('developer')
  expect(await (await world.get('/.well-known/oauth-authorization-server')).text()).not.toContain('developer')
})

test('it challenges with its own metadata and refuses owner tokens', async () => {
  const metadata = world.server.url + METADATA
  for (const bearer of [undefined, 'pdpp_unknown_token_that_is_long_enough_to_be_one_x']) {
    const { status, headers, body } = await post('/mcp/developer', bearer)
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toContain(`resource_metadata="${metadata}"`)
    expect(headers.get('link')).toContain('/icon.svg')
    expect(body.error).toMatchObject({ resource_metadata: metadata, next_step: expect.any(String) })
  }
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_streams', arguments: {} } }
  const routes = await world.routes(async () => {
    for (const message of [INITIALIZE, list]) {
      const { status, headers, body } = await post('/mcp/developer', world.ownerToken, {}, message)
      expect([status, headers.get('www-authenticate')]).toEqual([403, null])
      expect(body.error.pdpp_code).toBe('permission_error')
    }
  })
  expect(routes).toEqual(['/mcp/developer', '/mcp/developer'])
})

test('other methods, hosts and origins are refused as at the normal address', async () => {
  const { token } = await world.grant('mail')
  for (const method of ['GET', 'DELETE', 'PUT'])
    expect((await world.get('/mcp/developer', token, { method })).status).toBe(405)
  expect((await post('/mcp/developer', token, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await post('/mcp/developer', token, { 'content-type': 'text/plain' })).status).toBe(415)
  expect((await post('/mcp/developer/', token)).status).toBe(404)
  const evil = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' }
  expect((await post('/mcp/developer', token, evil)).status).toBe(421)
  const preflight = await world.get('/mcp/developer', undefined, {
    method: 'OPTIONS',
    headers: { origin: 'https://page.example', 'access-control-request-method': 'POST' },
  })
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
})

test('a direct answer equals the answer of the SDK', async () => {
  const { token } = await world.grant('mail')
  for (const [method, params] of [
    ['tools/list', {}],
    ['tools/call', { name: 'list_streams', arguments: {} }],
    ['tools/call', { name: 'fetch_blob', arguments: { blob_id: 'blob_x' } }],
  ] as const) {
    const message = { jsonrpc: '2.0', id: 1, method, params }
    const quick = await post('/mcp/developer', token, { 'mcp-protocol-version': '2025-11-25' }, message)
    const slow = await post('/mcp/developer', token, {}, message)
    const withoutRequestIds = ({ result }: any) => JSON.stringify(result).replaceAll(/req_\w+/g, '')
    expect([slow.status, withoutRequestIds(slow.body)]).toEqual([quick.status, withoutRequestIds(quick.body)])
  }
})

test('the call after a revocation is refused and leaves a receipt', async () => {
  const { id, token } = await world.grant('notes revoked')
  expect((await post('/mcp/developer', token)).status).toBe(200)
  await world.owner('POST', `/v1/owner/grants/${id}/revoke`)
  const { status, body } = await post('/mcp/developer', token)
  expect([status, body.error.pdpp_code]).toEqual([403, 'grant_revoked'])
  const { data } = await world.owner('GET', `/v1/owner/receipts?grant_id=${id}&limit=1`)
  expect(data[0]).toMatchObject({ surface: 'mcp-developer', outcome: 'grant_revoked' })
})

verifies(['003.4.1', '000.3.1', 'point 4'], 'its command follows the rules of the normal command', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-developer-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const options = { cwd: folder, program: DEVELOPER_ADAPTER }
  const root = join(folder, 'cache')
  const flags = ['--provider-url', world.proxy.url, '--cache-root', root]
  const help = await runStdioAdapter(['--help'], options)
  expect([help.code, help.stdout]).toEqual([0, ''])
  expect(help.stderr).toMatch(/^Usage: pdpp-mcp-server-developer --provider-url/)
  expect((await runStdioAdapter(['--profile', 'x'], options)).code).toBe(64)
  expect((await runStdioAdapter(flags, options)).code).toBe(78)
  new CredentialCache(root).save(cachedCredential(world.proxy.url, await world.grant('mail')))
  const refused = await runStdioAdapter(flags, { ...options, env: { PDPP_OWNER_TOKEN: 'secret-value' } })
  expect([refused.code, refused.stdout]).toEqual([77, ''])
  expect(refused.stderr).not.toContain('secret-value')

  const adapter = startStdioAdapter(flags, options)
  adapter.send(INITIALIZE)
  expect((await adapter.receive()).result.serverInfo.name).toBe('pdpp-mcp-server-developer')
  adapter.send(INITIALIZED)
  adapter.send(call(2, 'list_streams'))
  expect((await adapter.receive()).result.content[0].text).toContain('messages')
  adapter.closeInput()
  const result = await adapter.exited
  expect(result.code).toBe(0)
  for (const line of result.stdout.trimEnd().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
  expect(result.stderr).toContain(`pdpp-mcp-server-developer reads ${world.proxy.url}`)
})

verifies('000.3.1', 'an unmarked owner token reads no file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-developer-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  new CredentialCache(folder).save(cachedCredential(world.proxy.url, { id: 'grt_x', token: world.ownerToken }))
  const flags = ['--provider-url', world.proxy.url, '--cache-root', folder]
  const adapter = startStdioAdapter(flags, { cwd: folder, program: DEVELOPER_ADAPTER })
  adapter.send(INITIALIZE)
  await adapter.receive()
  adapter.send(INITIALIZED)
  for (const [tool, args] of [
    ['list_streams', {}],
    ['fetch_blob', { blob_id: `blob_${'0'.repeat(64)}` }],
  ] as const) {
    adapter.send(call(2, tool, args))
    const { result } = await adapter.receive()
    expect([tool, result.structuredContent.error.code]).toEqual([tool, 'permission_error'])
  }
})
