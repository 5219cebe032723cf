import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CredentialCache } from '@pdpp/mcp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifies } from '../../tests/fixtures/verifies.ts'
import { call, INITIALIZE, INITIALIZED, runStdioAdapter, startStdioAdapter } from './fixtures/adapter-process.ts'
import { ADAPTER } from './fixtures/agent.ts'
import { cachedCredential } from './fixtures/cached-credential.ts'
import { openWorld } from './fixtures/world.ts'

const world = openWorld()
let folder = ''
let roots = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pdpp-stdio-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

/** Creates a new cache and fills it. Returns its folder. */
function cacheWith(fill: (cache: CredentialCache) => void = () => {}): string {
  const root = join(folder, `cache-${roots++}`)
  fill(new CredentialCache(root))
  return root
}

const OWNER_VARIABLES = ['PDPP_OWNER_TOKEN', 'PDPP_OWNER_SESSION_COOKIE', 'PDPP_OWNER_PASSWORD']
const scoped = async (changes = {}) => {
  const access = await world.grant('mail')
  return cacheWith((cache) => cache.save(cachedCredential(world.proxy.url, access, changes)))
}
const run = (args: string[], env: Record<string, string> = {}) =>
  runStdioAdapter(args, { cwd: folder, env, program: ADAPTER })
const providerFlags = (root: string) => ['--provider-url', world.proxy.url, '--cache-root', root]

verifies('000.1.2', 'it has flags for server, grant and cache, and none for a profile', async () => {
  const help = await run(['--help'])
  expect([help.code, help.stdout]).toEqual([0, ''])
  expect(help.stderr.match(/--[a-z-]+/g)).toEqual(
    expect.arrayContaining(['--provider-url', '--grant', '--cache-root', '--version', '--help']),
  )
  expect(new Set(help.stderr.match(/PDPP_\w+/g))).toEqual(
    new Set(['PDPP_PROVIDER_URL', 'PDPP_GRANT', 'PDPP_CACHE_ROOT']),
  )
  expect(help.stderr).not.toMatch(/profile|toolset|core|events|full|mode/i)
  const version = await run(['--version'])
  expect([version.code, version.stdout, version.stderr]).toEqual([0, '', expect.stringMatching(/^\d+\.\d+\.\d+\n$/)])
  for (const flag of ['--profile', '--toolset', '--mode', '--events', '--full'])
    expect([flag, (await run(['--provider-url', world.proxy.url, flag, 'full'])).code]).toEqual([flag, 64])
})

verifies('000.1.2', 'environment variables cannot choose a profile', async () => {
  const adapter = startStdioAdapter(providerFlags(await scoped()), {
    cwd: folder,
    program: ADAPTER,
    env: { PDPP_MCP_PROFILE: 'full', PDPP_MCP_TOOLSETS: 'events', PDPP_PROFILE: 'full' },
  })
  adapter.send(INITIALIZE)
  await adapter.receive()
  adapter.send(INITIALIZED)
  adapter.send({ jsonrpc: '2.0', id: 2, method: 'tools/list' })
  expect((await adapter.receive()).result.tools).toHaveLength(6)
})

test('wrong usage exits with 64 and prints nothing to stdout', async () => {
  for (const [args, message] of [
    [[], /Name the server with --provider-url/],
    [['--provider-url', 'ftp://x.example'], /not an http or https address/],
    [['--provider-url', 'nonsense'], /not an http or https address/],
    [['--provider-url', world.proxy.url, '--profile', 'full'], /--profile/],
    [['--provider-url', world.proxy.url, 'extra'], /extra/],
  ] as const) {
    const result = await run([...args])
    expect([args, result.code, result.stdout]).toEqual([args, 64, ''])
    expect(result.stderr).toMatch(message)
    expect(result.stderr).toContain('Usage: pdpp-mcp-server')
    expect(result.stderr).not.toMatch(/ at .*:\d+:\d+/)
  }
})

verifies('003.1.2', 'without a usable token it exits with 78 and names pdpp connect', async () => {
  const access = await world.grant('mail')
  const from = world.proxy.requests.length
  const broken = cacheWith()
  mkdirSync(join(broken, 'clients'), { recursive: true })
  writeFileSync(join(broken, 'clients', `${new URL(world.proxy.url).host.replace(':', '_')}.json`), '{"credential":')
  const past = { expires_at: '2020-01-01T00:00:00Z' }
  const elsewhere = cacheWith((cache) => cache.save(cachedCredential('http://127.0.0.1:9', access)))
  for (const root of [cacheWith(), broken, await scoped(past), elsewhere, await scoped({ access_token: '' })]) {
    const result = await run(providerFlags(root))
    expect([result.code, result.stdout]).toEqual([78, ''])
    expect(result.stderr).toContain(`pdpp connect ${world.proxy.url}`)
  }
  const other = await run([...providerFlags(await scoped()), '--grant', 'grt_unknown'])
  expect([other.code, other.stderr]).toEqual([78, expect.stringContaining('of grant grt_unknown')])
  expect(world.proxy.requests.slice(from)).toEqual([])
})

verifies(
  ['000.3.1', '003.1.3', 'checklist 25', 'point 4'],
  'an owner credential in the environment stops the adapter',
  async () => {
    const from = world.proxy.requests.length
    const cases = [...OWNER_VARIABLES.map((name) => [name, true] as const), [OWNER_VARIABLES[0]!, false] as const]
    for (const [name, connected] of cases) {
      const root = connected ? await scoped() : cacheWith()
      const result = await run(providerFlags(root), { [name]: 'secret-value-of-the-owner' })
      expect([name, result.code, result.stdout]).toEqual([name, 77, ''])
      expect(result.stderr).toMatch(/^Refusing to start: /)
      expect(result.stderr).toContain(name)
      expect(result.stderr).not.toContain('secret-value')
    }
    expect(world.proxy.requests.slice(from)).toEqual([])
  },
)

verifies('000.3.1', 'an owner credential in the cache makes it exit with 77', async () => {
  const access = await world.grant('mail')
  const kinds = [
    ['pdpp_token_kind', 'credential', 'owner'],
    ['token_kind', 'file', 'owner'],
    ['kind', 'credential', 'OWNER'],
    ['role', 'client', 'Owner'],
  ] as const
  for (const [name, member, kind] of kinds) {
    const saved: any = cachedCredential(world.proxy.url, access)
    const part = member === 'file' ? saved : saved[member]
    part[name] = kind
    const result = await run(providerFlags(cacheWith((cache) => cache.save(saved))))
    expect([name, result.code, result.stdout]).toEqual([name, 77, ''])
    expect(result.stderr).toMatch(/^Refusing to start: .*owner credential/)
  }
})

verifies(['000.3.1', 'checklist 25'], 'an unmarked owner token is refused at the first call', async () => {
  const owner = { id: 'grt_disguised', token: world.ownerToken }
  const root = cacheWith((cache) => cache.save(cachedCredential(world.proxy.url, owner)))
  const adapter = startStdioAdapter(providerFlags(root), { cwd: folder, program: ADAPTER })
  adapter.send(INITIALIZE)
  await adapter.receive()
  adapter.send(INITIALIZED)
  const calls = [
    ['schema', {}],
    ['search', { query: 'kestrel' }],
    ['query_records', { stream: 'notes', connection_id: 'notebook' }],
    ['fetch', { id: 'notebook/notes:bird' }],
    ['aggregate', { stream: 'messages', metric: 'count', connection_id: 'home' }],
    ['read_record_field', { id: 'notebook/notes:bird', field_path: 'text' }],
  ] as const
  for (const [index, [tool, args]] of calls.entries()) {
    adapter.send(call(index + 2, tool, args))
    const { result } = await adapter.receive()
    expect([tool, result.isError]).toEqual([tool, true])
    expect(result.structuredContent.error).toMatchObject({
      code: 'permission_error',
      next_step: expect.stringContaining('pdpp connect'),
    })
    expect(JSON.stringify(result)).not.toMatch(/falcon|notebook/)
  }
})

verifies('checklist 25', 'no token is in the arguments, the environment or the output', async () => {
  const access = await world.grant('mail')
  const adapter = startStdioAdapter(providerFlags(await scoped()), { cwd: folder, program: ADAPTER })
  adapter.send(INITIALIZE)
  await adapter.receive()
  adapter.send(INITIALIZED)
  adapter.send(call(2, 'search', { query: 'kestrel' }))
  await adapter.receive()
  const seenByOthers = await processText(adapter.pid)
  expect(seenByOthers).toContain('pdpp-mcp-server')
  adapter.closeInput()
  const { stdout, stderr } = await adapter.exited
  for (const text of [seenByOthers, stdout, stderr, world.server.output()]) {
    expect(text).not.toContain(access.token)
    expect(text).not.toContain(world.ownerToken)
  }
})

/** The arguments and the environment of a process, which other programs of this user can see. */
async function processText(pid: number): Promise<string> {
  const own = `/proc/${pid}`
  if (existsSync(own)) return ['cmdline', 'environ'].map((name) => readFileSync(join(own, name), 'utf8')).join('\0')
  return (await promisify(execFile)('ps', ['-ww', '-E', '-o', 'command=', '-p', String(pid)])).stdout
}

test('an unknown token is an error that says how to get a new one', async () => {
  const unknown = { id: 'grt_x', token: 'pdpp_token_of_nobody_1234' }
  const root = cacheWith((cache) => cache.save(cachedCredential(world.proxy.url, unknown)))
  const adapter = startStdioAdapter(providerFlags(root), { cwd: folder, program: ADAPTER })
  adapter.send(INITIALIZE)
  await adapter.receive()
  adapter.send(INITIALIZED)
  adapter.send(call(2, 'schema'))
  const { error } = (await adapter.receive()).result.structuredContent
  expect(error).toMatchObject({ code: 'authentication_error', http_status: 401 })
  expect(error.next_step).toMatch(/connect/)
})

verifies(['003.4.1', 'checklist 25'], 'stdout contains only messages of the protocol', async () => {
  const adapter = startStdioAdapter(providerFlags(await scoped()), { cwd: folder, program: ADAPTER })
  adapter.send(INITIALIZE)
  expect((await adapter.receive()).id).toBe(1)
  adapter.send(INITIALIZED)
  adapter.send('this is not JSON')
  adapter.send('')
  adapter.send(call(2, 'search', { query: 'kestrel' }))
  adapter.send(call(3, 'query_records', { stream: 'notes' }))
  adapter.send(call(4, 'no_such_tool'))
  adapter.send({ jsonrpc: '2.0', id: 5, method: 'no/such/method' })
  const ids = new Set<number>()
  while (ids.size < 4) ids.add((await adapter.receive()).id)
  expect([...ids].toSorted()).toEqual([2, 3, 4, 5])
  adapter.closeInput()
  const { code, stdout, stderr } = await adapter.exited
  expect(code).toBe(0)
  for (const line of stdout.trimEnd().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
  expect(stderr).toContain(`pdpp-mcp-server reads ${world.proxy.url}`)
  expect(stderr + stdout).not.toContain((await world.grant('mail')).token)
})

verifies('003.4.1', 'it ends at once when the host closes its input', async () => {
  const idle = startStdioAdapter(providerFlags(await scoped()), { cwd: folder, program: ADAPTER })
  idle.send(INITIALIZE)
  await idle.receive()
  const started = Date.now()
  idle.closeInput()
  expect((await idle.exited).code).toBe(0)
  expect(Date.now() - started).toBeLessThan(3_000)
  const never = startStdioAdapter(providerFlags(await scoped()), { cwd: folder, program: ADAPTER })
  never.closeInput()
  expect((await never.exited).code).toBe(0)
})

verifies('003.1.1', 'every call has the token of the named grant', async () => {
  const [mail, notes] = [await world.grant('mail'), await world.grant('notes')]
  const root = cacheWith((cache) => {
    cache.save({ ...cachedCredential(world.proxy.url, mail), created_at: '2026-01-01T00:00:00Z' })
    cache.save({ ...cachedCredential(world.proxy.url, notes), created_at: '2026-02-01T00:00:00Z' })
  })
  const bearerOf = async (args: string[], env: Record<string, string> = {}) => {
    const from = world.proxy.requests.length
    const adapter = startStdioAdapter(args, { cwd: folder, env, program: ADAPTER })
    adapter.send(INITIALIZE)
    await adapter.receive()
    adapter.send(INITIALIZED)
    adapter.send(call(2, 'schema'))
    expect((await adapter.receive()).result.isError).toBeUndefined()
    adapter.closeInput()
    await adapter.exited
    const bearers = world.proxy.requests.slice(from).map(({ authorization }) => authorization)
    return [...new Set(bearers)]
  }
  expect(await bearerOf(providerFlags(root))).toEqual([`Bearer ${notes.token}`])
  expect(await bearerOf([...providerFlags(root), '--grant', mail.id])).toEqual([`Bearer ${mail.token}`])
  const env = { PDPP_PROVIDER_URL: world.proxy.url, PDPP_CACHE_ROOT: root, PDPP_GRANT: mail.id }
  expect(await bearerOf([], env)).toEqual([`Bearer ${mail.token}`])
})

verifies('003.1.1', 'a cache file of another implementation works', async () => {
  const { id, token } = await world.package('two', 'mail 2', 'notes 2')
  const root = cacheWith()
  mkdirSync(join(root, 'clients'), { recursive: true })
  const path = join(root, 'clients', `${new URL(world.proxy.url).host.replace(/[^A-Za-z0-9.-]/g, '_')}.json`)
  writeFileSync(
    path,
    JSON.stringify({
      provider_url: world.proxy.url,
      authorization_server: world.proxy.url,
      scope: 'pdpp:read',
      client: { client_id: 'cli_0a1b', client_name: 'PDPP CLI', token_endpoint_auth_method: 'none' },
      credential: { access_token: token, token_type: 'Bearer', expires_at: null, grant_package_id: id, scope: null },
      created_at: '2026-06-01T08:00:00.000Z',
    }),
  )
  const adapter = startStdioAdapter([...providerFlags(root), '--grant', id], { cwd: folder, program: ADAPTER })
  adapter.send(INITIALIZE)
  await adapter.receive()
  adapter.send(INITIALIZED)
  adapter.send(call(2, 'schema'))
  expect((await adapter.receive()).result.content[0].text).toContain('notebook')
})

test('other users cannot read the cache, and git ignores it', async () => {
  const root = await scoped()
  expect(readdirSync(root)).toContain('.gitignore')
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.name.endsWith('.json'),
  )
  expect(files.length).toBe(2)
  for (const { parentPath, name } of files) {
    expect(statSync(join(parentPath, name)).mode & 0o777).toBe(0o600)
    expect(statSync(parentPath).mode & 0o777).toBe(0o700)
  }
})

verifies('003.5.2', 'it works again after a restart of the server', async () => {
  const agent = await world.agent('stdio 2026-07-28', await world.grant('chat'))
  await agent.use('schema')
  await world.server.stop()
  const error = await agent.refusal('query_records', { stream: 'messages' })
  expect(error).toMatchObject({ code: 'server_unreachable', next_step: expect.stringMatching(/\S/) })
  await world.start()
  await agent.use('query_records', { stream: 'messages', limit: 1 })
})
