// The network between the adapter and its server: waits, silence, redirects, tokens that end.
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { CredentialCache, HttpResourceServer } from '@pdpp/mcp-server'
import { expect, onTestFinished, test } from 'vitest'
import { verifies } from '../../tests/fixtures/verifies.ts'
import { call, INITIALIZE, INITIALIZED, startStdioAdapter } from './fixtures/adapter-process.ts'
import { type Answers, agentOf, cacheFor, otherServer, type Told } from './fixtures/other-server.ts'

const EMPTY: Told = { body: { object: 'list', has_more: false, data: [] } }
const reads = (asked: readonly { path: string }[]) => asked.filter(({ path }) => path.startsWith('/v1'))
const refusedWith = (status: number, headers: Record<string, string> = {}): Told => ({
  status,
  headers,
  body: { error: { code: 'rate_limit_exceeded', message: 'Slower.' } },
})

/** These answers in turn, the last one for ever. */
function inTurn(...told: (Told | undefined)[]): Answers {
  let at = 0
  return ({ path }) => (path.startsWith('/v1') ? told[Math.min(at++, told.length - 1)] : { status: 404, body: {} })
}

test('a short Retry-After is waited for, and the model never hears of it', async () => {
  const other = await otherServer(inTurn(refusedWith(429, { 'retry-after': '1' }), EMPTY))
  const agent = await agentOf(other.url)
  const started = Date.now()
  await agent.use('query_records', { stream: 'entries' })
  expect(Date.now() - started).toBeGreaterThanOrEqual(990)
  expect(reads(other.asked)).toHaveLength(2)
})

test('a long Retry-After is for the model to decide: it is told at once', async () => {
  const other = await otherServer(inTurn(refusedWith(429, { 'retry-after': '120' }), EMPTY))
  const agent = await agentOf(other.url)
  const started = Date.now()
  const error = await agent.refusal('query_records', { stream: 'entries' })
  expect(error).toMatchObject({ code: 'rate_limit_exceeded', http_status: 429 })
  expect(error.next_step).toBe('Wait 120 seconds, then make the same call again.')
  expect(Date.now() - started).toBeLessThan(3_000)
  expect(reads(other.asked)).toHaveLength(1)
})

test('a server that is busy for a moment is asked three times at most', async () => {
  const brief = await otherServer(inTurn({ status: 503, body: {} }, EMPTY))
  await (await agentOf(brief.url)).use('query_records', { stream: 'entries' })
  expect(reads(brief.asked)).toHaveLength(2)
  const lasting = await otherServer(inTurn({ status: 503, body: { error: { code: 'server_busy', message: 'Busy.' } } }))
  expect((await (await agentOf(lasting.url)).refusal('query_records', { stream: 'entries' })).code).toBe('server_busy')
  expect(reads(lasting.asked)).toHaveLength(3)
})

test('a server that is away is reported as away, whatever was asked', async () => {
  const away = { status: 503, body: {} }
  const known = { resource: 'x', pdpp_discovery_hints: { search: { since: true }, records: { around: true } } }
  let told: Told = away
  const other = await otherServer(({ path }) => (path.startsWith('/.well-known') ? told : EMPTY))
  const agent = await agentOf(other.url)
  const calls = [
    ['search', { query: 'x', since: '2026-01-01' }],
    ['query_records', { stream: 'entries', around: 'e1' }],
  ] as const
  for (const [tool, args] of calls) expect((await agent.refusal(tool, args)).code).toBe('server_unreachable')
  // A page in its place is not kept as what it can do.
  told = { headers: { 'content-type': 'text/html' }, body: '<h1>Please sign in</h1>' }
  await agent.use('search', { query: 'x' })
  told = { body: known }
  for (const [tool, args] of calls) await agent.use(tool, args)
  told = away
  for (const [tool, args] of calls) await agent.use(tool, args)
})

test('a page instead of an answer and a foreign token say what to do', async () => {
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

test('a bearer follows no redirect', async () => {
  const elsewhere = await otherServer(() => EMPTY)
  const other = await otherServer(inTurn({ status: 302, headers: { location: `${elsewhere.url}/v1/steal` }, body: '' }))
  const error = await (await agentOf(other.url)).refusal('query_records', { stream: 'entries' })
  expect(error.code).toBe('server_unreachable')
  expect(elsewhere.asked).toEqual([])
})

test('an answer without end is cut off', async () => {
  const other = await otherServer(inTurn({ body: { data: ['x'.repeat(9_000_000)] } }))
  expect((await (await agentOf(other.url)).refusal('query_records', { stream: 'entries' })).code).toBe('resource_limit')
})

test('silence ends with a time limit, and is not asked for a second time', async () => {
  const other = await otherServer(inTurn(undefined))
  const bearers = { current: async () => 'token', replace: async () => undefined }
  const server = new HttpResourceServer(other.url, bearers, { timeoutMs: 300 })
  const read = server.get({ path: '/v1/schema', query: [], tool: 'schema' })
  await expect(read).rejects.toMatchObject({ code: 'request_timeout', message: expect.stringContaining('0.3 seconds') })
  expect(reads(other.asked)).toHaveLength(1)
})

test('a call that the host cancels ends at the server too', async () => {
  const other = await otherServer(inTurn(undefined))
  const agent = await agentOf(other.url)
  const controller = new AbortController()
  const pending = agent.client.callTool(
    { name: 'query_records', arguments: { stream: 'entries' } },
    { signal: controller.signal },
  )
  const outcome = expect(pending).rejects.toThrow()
  await expect.poll(() => reads(other.asked).length, { timeout: 5_000 }).toBe(1)
  controller.abort()
  await outcome
  await expect.poll(() => other.abandoned(), { timeout: 5_000 }).toBe(1)
})

verifies('003.4.1', 'a host that leaves in the middle of a call ends the adapter', async () => {
  const other = await otherServer(inTurn(undefined))
  const { dataDir, cacheRoot } = cacheFor(other.url)
  const adapter = startStdioAdapter(['--provider-url', other.url, '--cache-root', cacheRoot], { cwd: dataDir })
  adapter.send(INITIALIZE)
  await adapter.receive()
  adapter.send(INITIALIZED)
  adapter.send(call(2, 'schema'))
  await expect.poll(() => reads(other.asked).length, { timeout: 5_000 }).toBe(1)
  const started = Date.now()
  adapter.closeInput()
  expect((await adapter.ended).code).toBe(0)
  expect(Date.now() - started).toBeLessThan(3_000)
})

interface Issuer {
  readonly answers: Answers
  readonly refreshes: string[]
}

/** An authorization server that rotates refresh tokens, and a resource server that takes only the newest access token. */
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

async function issuing(options: { delayMs?: number; fails?: boolean } = {}) {
  const address = { url: '' }
  const { answers, refreshes } = issuer(() => address.url, options)
  const other = await otherServer(answers)
  address.url = other.url
  return { other, refreshes }
}

const soon = () => new Date(Date.now() + 20_000).toISOString()

test('a token that is about to end is refreshed before the call', async () => {
  const { other, refreshes } = await issuing()
  const cached = cacheFor(other.url, {
    access_token: 'access-token-0',
    refresh_token: 'refresh-token-0',
    expires_at: soon(),
  })
  const agent = await agentOf(other.url, cached)
  await agent.use('query_records', { stream: 'entries' })
  await agent.use('query_records', { stream: 'entries' })
  expect(refreshes).toEqual(['refresh-token-0'])
  expect(reads(other.asked).map((asked) => (asked as any).authorization)).toEqual([
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

test('a refused token is refreshed once and the call repeated', async () => {
  const { other, refreshes } = await issuing()
  const tokens = { access_token: 'revoked-long-ago', refresh_token: 'refresh-token-0' }
  await (await agentOf(other.url, cacheFor(other.url, tokens))).use('query_records', { stream: 'entries' })
  expect(refreshes).toHaveLength(1)
  expect(reads(other.asked)).toHaveLength(2)
  const without = await agentOf(other.url, cacheFor(other.url, { access_token: 'revoked-long-ago' }))
  const error = await without.refusal('query_records', { stream: 'entries' })
  expect(error).toMatchObject({
    code: 'authentication_error',
    http_status: 401,
    next_step: expect.stringMatching(/connect/),
  })
})

test('a refresh that fails is one error, not a loop', async () => {
  const { other, refreshes } = await issuing({ fails: true })
  const tokens = { access_token: 'revoked-long-ago', refresh_token: 'refresh-token-0' }
  const agent = await agentOf(other.url, cacheFor(other.url, tokens))
  expect((await agent.refusal('query_records', { stream: 'entries' })).code).toBe('authentication_error')
  expect(refreshes).toHaveLength(1)
})

test('five adapters that share a cache refresh once between them', async () => {
  const { other, refreshes } = await issuing({ delayMs: 300 })
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
  expect(new Set(reads(other.asked).map((asked) => (asked as any).authorization))).toEqual(
    new Set(['Bearer access-token-1']),
  )
  const kept = JSON.parse(readFileSync(join(path), 'utf8'))
  expect(kept.credential.refresh_token).toBe('refresh-token-1')
})

/** The adapter as a host starts it, after one call. */
async function calledOnce(args: string[], cwd: string) {
  const adapter = startStdioAdapter(args, { cwd })
  onTestFinished(() => adapter.closeInput())
  for (const message of [INITIALIZE, INITIALIZED, call(2, 'query_records', { stream: 'entries' })])
    adapter.send(message)
  await adapter.receive()
  return { adapter, answer: (await adapter.receive()) as { result: { isError?: true } } }
}

test('adapters with a named grant and with the latest refresh it once', async () => {
  const { other, refreshes } = await issuing({ delayMs: 600 })
  const tokens = { access_token: 'access-token-0', refresh_token: 'refresh-token-0', expires_at: soon() }
  const { dataDir, cacheRoot } = cacheFor(other.url, tokens)
  const args = ['--provider-url', other.url, '--cache-root', cacheRoot]
  const called = await Promise.all([calledOnce(args, dataDir), calledOnce([...args, '--grant', 'grt_other'], dataDir)])
  for (const { answer } of called) expect(answer.result.isError).toBeUndefined()
  expect(refreshes).toEqual(['refresh-token-0'])
})

verifies('003.3', 'a newer grant neither replaces nor loses to a refused one', async () => {
  const { other } = await issuing({ fails: true })
  const refused = { access_token: 'revoked-long-ago', refresh_token: 'refresh-token-0' }
  const { dataDir, cacheRoot, credential } = cacheFor(other.url, refused)
  const args = ['--provider-url', other.url, '--cache-root', cacheRoot]
  const { adapter, answer } = await calledOnce(args, dataDir)
  expect(answer.result.isError).toBe(true)
  const cache = new CredentialCache(cacheRoot)
  cache.save({ ...credential, credential: { access_token: 'access-token-0', grant_id: 'grt_newer' } })
  adapter.send(call(3, 'query_records', { stream: 'entries' }))
  expect(await adapter.receive()).toMatchObject({ result: { isError: true } })
  expect(other.asked.map(({ authorization }) => authorization)).not.toContain('Bearer access-token-0')
  expect(cache.find(other.url)!.credential.credential.grant_id).toBe('grt_newer')
})

test('a refreshed token that cannot be saved still serves the process', async () => {
  const { other, refreshes } = await issuing()
  const tokens = { access_token: 'access-token-0', refresh_token: 'refresh-token-0', expires_at: soon() }
  const { dataDir, cacheRoot } = cacheFor(other.url, tokens)
  const latest = new CredentialCache(cacheRoot).find(other.url)!.path
  // So deep that the file can be read and no longer name beside it made: that holds for every user.
  let deep = dataDir
  const left = () => 4_085 - deep.length - '/clients/'.length - basename(latest).length
  while (left() > 2) deep = join(deep, 'd'.repeat(Math.min(200, left() - 1)))
  mkdirSync(join(deep, 'clients'), { recursive: true })
  copyFileSync(latest, join(deep, 'clients', basename(latest)))
  const { adapter, answer } = await calledOnce(['--provider-url', other.url, '--cache-root', deep], dataDir)
  expect(answer.result.isError).toBeUndefined()
  adapter.send(call(3, 'query_records', { stream: 'entries' }))
  expect(((await adapter.receive()) as typeof answer).result.isError).toBeUndefined()
  expect(adapter.stderr()).toContain('The new token could not be saved')
  expect(refreshes).toEqual(['refresh-token-0'])
})
