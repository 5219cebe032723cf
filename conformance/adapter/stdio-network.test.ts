// Faults between the adapter and its server: waits, missing answers, redirects and expired tokens.
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { CredentialCache, HttpResourceServer } from '@pdpp/mcp-server'
import { expect, onTestFinished, test } from 'vitest'
import { verifies } from '../../tests/fixtures/verifies.ts'
import { call, INITIALIZE, INITIALIZED, startStdioAdapter } from './fixtures/adapter-process.ts'
import { type Answers, agentOf, cacheFor, otherServer, type Reply } from './fixtures/other-server.ts'

const EMPTY: Reply = { body: { object: 'list', has_more: false, data: [] } }
const reads = (requests: readonly { path: string }[]) => requests.filter(({ path }) => path.startsWith('/v1'))
const refusal = (status: number, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  body: { error: { code: 'rate_limit_exceeded', message: 'Slower.' } },
})

/** Gives these replies one after the other, and repeats the last one. */
function inTurn(...replies: (Reply | undefined)[]): Answers {
  let at = 0
  return ({ path }) =>
    path.startsWith('/v1') ? replies[Math.min(at++, replies.length - 1)] : { status: 404, body: {} }
}

test('the adapter waits for a short Retry-After without an error', async () => {
  const other = await otherServer(inTurn(refusal(429, { 'retry-after': '1' }), EMPTY))
  const agent = await agentOf(other.url)
  const started = Date.now()
  await agent.use('query_records', { stream: 'entries' })
  expect(Date.now() - started).toBeGreaterThanOrEqual(990)
  expect(reads(other.requests)).toHaveLength(2)
})

test('a long Retry-After is an error at once, so the model decides', async () => {
  const other = await otherServer(inTurn(refusal(429, { 'retry-after': '120' }), EMPTY))
  const agent = await agentOf(other.url)
  const started = Date.now()
  const error = await agent.refusal('query_records', { stream: 'entries' })
  expect(error).toMatchObject({ code: 'rate_limit_exceeded', http_status: 429 })
  expect(error.next_step).toBe('Wait 120 seconds, then make the same call again.')
  expect(Date.now() - started).toBeLessThan(3_000)
  expect(reads(other.requests)).toHaveLength(1)
})

test('a busy server gets at most three requests', async () => {
  const brief = await otherServer(inTurn({ status: 503, body: {} }, EMPTY))
  await (await agentOf(brief.url)).use('query_records', { stream: 'entries' })
  expect(reads(brief.requests)).toHaveLength(2)
  const lasting = await otherServer(inTurn({ status: 503, body: { error: { code: 'server_busy', message: 'Busy.' } } }))
  expect((await (await agentOf(lasting.url)).refusal('query_records', { stream: 'entries' })).code).toBe('server_busy')
  expect(reads(lasting.requests)).toHaveLength(3)
})

test('a server that is unavailable is reported for every call', async () => {
  const away = { status: 503, body: {} }
  const known = { resource: 'x', pdpp_discovery_hints: { search: { since: true }, records: { around: true } } }
  let reply: Reply = away
  const other = await otherServer(({ path }) => (path.startsWith('/.well-known') ? reply : EMPTY))
  const agent = await agentOf(other.url)
  const calls = [
    ['search', { query: 'x', since: '2026-01-01' }],
    ['query_records', { stream: 'entries', around: 'e1' }],
  ] as const
  for (const [tool, args] of calls) expect((await agent.refusal(tool, args)).code).toBe('server_unreachable')
  // An HTML page instead of the metadata is not cached as the features of the server.
  reply = { headers: { 'content-type': 'text/html' }, body: '<h1>Please sign in</h1>' }
  await agent.use('search', { query: 'x' })
  reply = { body: known }
  for (const [tool, args] of calls) await agent.use(tool, args)
  reply = away
  for (const [tool, args] of calls) await agent.use(tool, args)
})

test('an HTML page and an invalid token are errors that say what to do', async () => {
  const page = await otherServer(inTurn({ body: '<h1>Please sign in</h1>' }))
  const error = await (await agentOf(page.url)).refusal('schema', {})
  expect(error).toMatchObject({
    code: 'server_unreachable',
    message: expect.stringContaining('not come from a PDPP server'),
  })
  expect(error.next_step).toContain('Check the address')
  const other = await otherServer(inTurn({ status: 401, body: { error: { code: 'invalid_token', message: 'No.' } } }))
  expect((await (await agentOf(other.url)).refusal('schema', {})).next_step).toContain('connect this client again')
})

test('a request with a token follows no redirect', async () => {
  const elsewhere = await otherServer(() => EMPTY)
  const other = await otherServer(inTurn({ status: 302, headers: { location: `${elsewhere.url}/v1/steal` }, body: '' }))
  const error = await (await agentOf(other.url)).refusal('query_records', { stream: 'entries' })
  expect(error.code).toBe('server_unreachable')
  expect(elsewhere.requests).toEqual([])
})

test('an answer that is too large is an error', async () => {
  const other = await otherServer(inTurn({ body: { data: ['x'.repeat(9_000_000)] } }))
  expect((await (await agentOf(other.url)).refusal('query_records', { stream: 'entries' })).code).toBe('resource_limit')
})

test('a request without an answer times out and is not repeated', async () => {
  const other = await otherServer(inTurn(undefined))
  const bearers = { current: async () => 'token', replace: async () => undefined }
  const server = new HttpResourceServer(other.url, bearers, { timeoutMs: 300 })
  const read = server.get({ path: '/v1/schema', query: [], tool: 'schema' })
  await expect(read).rejects.toMatchObject({ code: 'request_timeout', message: expect.stringContaining('0.3 seconds') })
  expect(reads(other.requests)).toHaveLength(1)
})

test('a call that the host cancels is cancelled at the server too', async () => {
  const other = await otherServer(inTurn(undefined))
  const agent = await agentOf(other.url)
  const controller = new AbortController()
  const pending = agent.client.callTool(
    { name: 'query_records', arguments: { stream: 'entries' } },
    { signal: controller.signal },
  )
  const outcome = expect(pending).rejects.toThrow()
  await expect.poll(() => reads(other.requests).length).toBe(1)
  controller.abort()
  await outcome
  await expect.poll(() => other.abandoned()).toBe(1)
})

verifies('003.4.1', 'the adapter ends if the host disconnects during a call', async () => {
  const other = await otherServer(inTurn(undefined))
  const { dataDir, cacheRoot } = cacheFor(other.url)
  const adapter = startStdioAdapter(['--provider-url', other.url, '--cache-root', cacheRoot], { cwd: dataDir })
  adapter.send(INITIALIZE)
  await adapter.receive()
  adapter.send(INITIALIZED)
  adapter.send(call(2, 'schema'))
  await expect.poll(() => reads(other.requests).length).toBe(1)
  const started = Date.now()
  adapter.closeInput()
  expect((await adapter.exited).code).toBe(0)
  expect(Date.now() - started).toBeLessThan(3_000)
})

interface Issuer {
  readonly answers: Answers
  readonly refreshes: string[]
}

/** An authorization server that rotates refresh tokens. Its resource server accepts only the newest access token. */
function issuer(url: () => string, { delayMs = 0, fails = false } = {}): Issuer {
  const refreshes: string[] = []
  let current = 'access-token-0'
  const answers: Answers = async ({ path, body, authorization }) => {
    if (path === '/.well-known/oauth-authorization-server')
      return { body: { issuer: url(), token_endpoint: `${url()}/oauth/token` } }
    if (path === '/oauth/token') {
      const form = new URLSearchParams(body)
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      refreshes.push(form.get('refresh_token')!)
      if (fails || form.get('refresh_token') !== `refresh-token-${refreshes.length - 1}`)
        return { status: 400, body: { error: 'invalid_grant' } }
      current = `access-token-${refreshes.length}`
      const refresh_token = `refresh-token-${refreshes.length}`
      return { body: { access_token: current, token_type: 'Bearer', expires_in: 3_600, refresh_token } }
    }
    if (!path.startsWith('/v1')) return { status: 404, body: {} }
    if (authorization !== `Bearer ${current}`)
      return { status: 401, body: { error: { code: 'authentication_error', message: 'Expired.' } } }
    return EMPTY
  }
  return { answers, refreshes }
}

async function startIssuer(options: { delayMs?: number; fails?: boolean } = {}) {
  const address = { url: '' }
  const { answers, refreshes } = issuer(() => address.url, options)
  const other = await otherServer(answers)
  address.url = other.url
  return { other, refreshes }
}

const soon = () => new Date(Date.now() + 20_000).toISOString()

test('a token that expires soon is refreshed before the call', async () => {
  const { other, refreshes } = await startIssuer()
  const cached = cacheFor(other.url, {
    access_token: 'access-token-0',
    refresh_token: 'refresh-token-0',
    expires_at: soon(),
  })
  const agent = await agentOf(other.url, cached)
  await agent.use('query_records', { stream: 'entries' })
  await agent.use('query_records', { stream: 'entries' })
  expect(refreshes).toEqual(['refresh-token-0'])
  expect(reads(other.requests).map((request) => (request as any).authorization)).toEqual([
    'Bearer access-token-1',
    'Bearer access-token-1',
  ])
  const cache = new CredentialCache(cached.cacheRoot)
  for (const found of [cache.find(other.url), cache.find(other.url, 'grt_other')]) {
    expect(found!.credential.credential).toMatchObject({
      access_token: 'access-token-1',
      refresh_token: 'refresh-token-1',
      grant_id: 'grt_other',
    })
    expect(Date.parse(found!.credential.credential.expires_at!)).toBeGreaterThan(Date.now() + 3_000_000)
  }
})

test('a refused token is refreshed once, and the call is repeated', async () => {
  const { other, refreshes } = await startIssuer()
  const tokens = { access_token: 'revoked-long-ago', refresh_token: 'refresh-token-0' }
  await (await agentOf(other.url, cacheFor(other.url, tokens))).use('query_records', { stream: 'entries' })
  expect(refreshes).toHaveLength(1)
  expect(reads(other.requests)).toHaveLength(2)
  const without = await agentOf(other.url, cacheFor(other.url, { access_token: 'revoked-long-ago' }))
  const error = await without.refusal('query_records', { stream: 'entries' })
  expect(error).toMatchObject({
    code: 'authentication_error',
    http_status: 401,
    next_step: expect.stringMatching(/connect/),
  })
})

test('a failed refresh is an error and is not repeated', async () => {
  const { other, refreshes } = await startIssuer({ fails: true })
  const tokens = { access_token: 'revoked-long-ago', refresh_token: 'refresh-token-0' }
  const agent = await agentOf(other.url, cacheFor(other.url, tokens))
  expect((await agent.refusal('query_records', { stream: 'entries' })).code).toBe('authentication_error')
  expect(refreshes).toHaveLength(1)
})

test('five adapters that share a cache refresh a token only once', async () => {
  const { other, refreshes } = await startIssuer({ delayMs: 300 })
  const cached = cacheFor(other.url, {
    access_token: 'access-token-0',
    refresh_token: 'refresh-token-0',
    expires_at: soon(),
  })
  const agents = await Promise.all(Array.from({ length: 5 }, () => agentOf(other.url, cached)))
  const path = new CredentialCache(cached.cacheRoot).find(other.url, 'grt_other')!.path
  let watching = true
  const watcher = (async () => {
    while (watching) {
      JSON.parse(readFileSync(path, 'utf8'))
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  })()
  await Promise.all(agents.map((agent) => agent.use('query_records', { stream: 'entries' })))
  watching = false
  await watcher
  expect(refreshes).toEqual(['refresh-token-0'])
  expect(new Set(reads(other.requests).map((request) => (request as any).authorization))).toEqual(
    new Set(['Bearer access-token-1']),
  )
  const saved = JSON.parse(readFileSync(join(path), 'utf8'))
  expect(saved.credential.refresh_token).toBe('refresh-token-1')
})

/** Starts the adapter as a host does, and makes one call. */
async function startAndCall(args: string[], cwd: string) {
  const adapter = startStdioAdapter(args, { cwd })
  onTestFinished(() => adapter.closeInput())
  for (const message of [INITIALIZE, INITIALIZED, call(2, 'query_records', { stream: 'entries' })])
    adapter.send(message)
  await adapter.receive()
  return { adapter, answer: (await adapter.receive()) as { result: { isError?: true } } }
}

test('adapters with a named and with the latest grant refresh it once', async () => {
  const { other, refreshes } = await startIssuer({ delayMs: 600 })
  const tokens = { access_token: 'access-token-0', refresh_token: 'refresh-token-0', expires_at: soon() }
  const { dataDir, cacheRoot } = cacheFor(other.url, tokens)
  const args = ['--provider-url', other.url, '--cache-root', cacheRoot]
  const called = await Promise.all([
    startAndCall(args, dataDir),
    startAndCall([...args, '--grant', 'grt_other'], dataDir),
  ])
  for (const { answer } of called) expect(answer.result.isError).toBeUndefined()
  expect(refreshes).toEqual(['refresh-token-0'])
})

verifies('003.3', 'a running adapter does not switch to a newer grant', async () => {
  const { other } = await startIssuer({ fails: true })
  const refused = { access_token: 'revoked-long-ago', refresh_token: 'refresh-token-0' }
  const { dataDir, cacheRoot, credential } = cacheFor(other.url, refused)
  const args = ['--provider-url', other.url, '--cache-root', cacheRoot]
  const { adapter, answer } = await startAndCall(args, dataDir)
  expect(answer.result.isError).toBe(true)
  const cache = new CredentialCache(cacheRoot)
  cache.save({ ...credential, credential: { access_token: 'access-token-0', grant_id: 'grt_newer' } })
  adapter.send(call(3, 'query_records', { stream: 'entries' }))
  expect(await adapter.receive()).toMatchObject({ result: { isError: true } })
  expect(other.requests.map(({ authorization }) => authorization)).not.toContain('Bearer access-token-0')
  expect(cache.find(other.url)!.credential.credential.grant_id).toBe('grt_newer')
})

test('a refreshed token that cannot be saved still serves the process', async () => {
  const { other, refreshes } = await startIssuer()
  const tokens = { access_token: 'access-token-0', refresh_token: 'refresh-token-0', expires_at: soon() }
  const { dataDir, cacheRoot } = cacheFor(other.url, tokens)
  const latest = new CredentialCache(cacheRoot).find(other.url)!.path
  // The path is so long that the file can be read, but no file with a longer name can be created next to it. Unlike
  // permissions, this limit also applies to root.
  let deep = dataDir
  const left = () => 4_085 - deep.length - '/clients/'.length - basename(latest).length
  while (left() > 2) deep = join(deep, 'd'.repeat(Math.min(200, left() - 1)))
  mkdirSync(join(deep, 'clients'), { recursive: true })
  copyFileSync(latest, join(deep, 'clients', basename(latest)))
  const { adapter, answer } = await startAndCall(['--provider-url', other.url, '--cache-root', deep], dataDir)
  expect(answer.result.isError).toBeUndefined()
  adapter.send(call(3, 'query_records', { stream: 'entries' }))
  expect(((await adapter.receive()) as typeof answer).result.isError).toBeUndefined()
  expect(adapter.stderr()).toContain('The new token could not be saved')
  expect(refreshes).toEqual(['refresh-token-0'])
})
