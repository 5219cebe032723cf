import { chmodSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isOnPostgres } from '../../../tests/fixtures/test-store.ts'
import { newPerson, nobodyThere, type Person } from './command.ts'
import { demoServer } from './demo-server.ts'
import { type Change, edit, type Passing, proxy } from './proxy.ts'

const demo = demoServer()
const json = (text: string) => JSON.parse(text)

async function diagnose(me: Person, args: readonly string[] = []) {
  const { code, stdout } = await me.run(['doctor', ...args, '--json'])
  const { data, ...rest } = json(stdout)
  return { code, checks: new Map<string, any>(data.map((each: any) => [each.name, each])), ...rest }
}

test('a healthy server passes every step of a host, in both eras', async () => {
  const me = newPerson()
  await demo.connect(me, ['mail-personal'])
  const local = {
    ...me,
    run: (args: readonly string[]) => me.run(args, { env: { PDPP_DATA_DIR: demo.server.context.config.dataDir } }),
  }
  const { code, checks, healthy } = await diagnose(local as Person)
  expect([code, healthy]).toEqual([0, true])
  expect([...checks.values()].filter(({ state }) => state !== 'ok')).toEqual([])
  expect([...checks.keys()]).toEqual([
    'Node',
    'Data directory',
    'Disk',
    ...(isOnPostgres() ? ['Database'] : ['Files together', 'Records', 'Receipts', 'Blobs']),
    'Server process',
    'Reachable',
    'Refusal at /mcp',
    'Metadata of /mcp',
    'Metadata of the server',
    'Authorization server',
    'Registration',
    'Token endpoint',
    'Token',
    'MCP of 2025 (2025-11-25)',
    'MCP of 2026 (2026-07-28)',
    'Tools',
    'A search',
    'Search index',
  ])
  const words = await local.run(['doctor', demo.url])
  expect(words.stdout).toContain('Everything works.')
  // The check leaves nothing behind.
  expect(JSON.stringify(await demo.server.context.storage.clients.list({ limit: 100 }).catch(() => []))).not.toContain(
    'pdpp doctor',
  )
})

test('without a token it says how far it looked, and how to get one', async () => {
  const { stdout, code } = await newPerson().run(['doctor', demo.url])
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /– Token +you are not connected[\s\S]*pdpp connect http:[\s\S]*Nothing is broken\. Some checks were skipped\./,
  )
})

const RESOURCE = '/.well-known/oauth-protected-resource'
const ISSUER = '/.well-known/oauth-authorization-server'
const at = (path: string, change: Partial<Passing>) => (answer: Passing) => (answer.path === path ? change : undefined)

test.each<[string, Change, string, RegExp]>([
  [
    'a proxy drops the challenge',
    ({ headers }) => ({ headers: { ...headers, 'www-authenticate': undefined } }),
    'Refusal at /mcp',
    /WWW-Authenticate/,
  ],
  ['the adapter is not there', at('/mcp', { status: 404 }), 'Refusal at /mcp', /address is right/],
  [
    'its metadata is about another address',
    edit(`${RESOURCE}/mcp`, (body) => ({ ...body, resource: 'https://other.example/mcp' })),
    'Metadata of /mcp',
    /PDPP_PUBLIC_URL/,
  ],
  [
    'nobody gives out tokens',
    edit(RESOURCE, (body) => ({ ...body, authorization_servers: [] })),
    'Metadata of the server',
    /version/,
  ],
  [
    'the issuer calls itself otherwise',
    edit(ISSUER, (body) => ({ ...body, issuer: `${body.issuer}/` })),
    'Authorization server',
    /letter by letter/,
  ],
  [
    'no PKCE',
    edit(ISSUER, (body) => ({ ...body, code_challenge_methods_supported: undefined })),
    'Authorization server',
    /without it/,
  ],
  ['registration answers with a page', at('/oauth/register', { status: 200, body: '<html>' }), 'Registration', /JSON/],
  [
    'the token endpoint answers with a page',
    at('/oauth/token', { status: 502, body: '<html>' }),
    'Token endpoint',
    /JSON/,
  ],
])('doctor names the first broken thing: %s', async (_name, change, broken, fix) => {
  const front = await proxy(demo.url, change)
  const { code, checks, first_broken } = await diagnose(newPerson(), [front.url])
  expect([code, first_broken]).toEqual([1, broken])
  expect(checks.get(broken).fix).toMatch(fix)
  const after = [...checks.values()].slice([...checks.keys()].indexOf(broken) + 1)
  expect(after.every(({ state }) => state === 'skipped')).toBe(true)
})

test('doctor finds what is wrong with a real server', async () => {
  const date = new Date(Date.now() - 600_000).toUTCString()
  const slow = await proxy(demo.url, ({ headers }) => ({ headers: { ...headers, date } }))
  const skewed = await diagnose(newPerson(), [slow.url])
  expect(skewed.code).toBe(0)
  expect(skewed.checks.get('Reachable')).toMatchObject({
    state: 'warning',
    says: expect.stringMatching(/60\d s behind/),
  })
  const foreign = await proxy(demo.url, () => ({ status: 421 }))
  expect((await diagnose(newPerson(), [foreign.url])).checks.get('Reachable').fix).toContain('PDPP_TRUSTED_HOSTS')
  const me = newPerson()
  const { grantId } = await demo.connect(me, ['notes'])
  await demo.revoke(grantId)
  const revoked = await diagnose(me, [demo.url])
  expect([revoked.code, revoked.first_broken, revoked.checks.get('Token').fix]).toEqual([
    4,
    'Token',
    expect.stringContaining('pdpp connect'),
  ])
  const gone = await diagnose(newPerson(), [await nobodyThere()])
  expect([gone.code, gone.first_broken, gone.checks.get('Reachable').says]).toEqual([
    6,
    'Reachable',
    expect.stringContaining('ECONNREFUSED'),
  ])
})

test('this machine: no server, and a folder that others can read', async () => {
  const me = newPerson()
  const nothing = await diagnose(me)
  expect([nothing.code, nothing.first_broken]).toEqual([1, 'Data directory'])
  await me.run(['owner', 'token'])
  chmodSync(me.env['PDPP_DATA_DIR']!, 0o755)
  const stopped = await diagnose(me)
  expect([stopped.code, stopped.first_broken, stopped.checks.get('Server process').fix]).toEqual([
    6,
    'Server process',
    expect.stringContaining('pdpp serve'),
  ])
  expect(stopped.checks.get('Data directory')).toMatchObject({
    state: 'warning',
    fix: expect.stringContaining('chmod'),
  })
})

test('a server with MCP up to 2025-11-25 is only a warning', async () => {
  const refused = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } }
  const older = await proxy(demo.url, ({ path, body }) =>
    path === '/mcp' && body.includes('supportedVersions') ? { status: 400, body: JSON.stringify(refused) } : undefined,
  )
  const me = newPerson()
  const { token } = await demo.grant(['mail-personal'])
  await me.run(['connect', older.url, '--with-token'], { input: token })
  const { code, checks, healthy } = await diagnose(me, [older.url])
  expect([code, healthy]).toEqual([0, true])
  expect(checks.get('MCP of 2026 (2026-07-28)')).toMatchObject({
    state: 'warning',
    says: expect.stringContaining('up to 2025-11-25'),
  })
  for (const name of ['Tools', 'A search', 'Search index']) expect(checks.get(name).state).toBe('ok')
})
