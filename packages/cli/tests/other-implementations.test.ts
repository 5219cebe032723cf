// The command against servers that implement the contract, with its gaps, in their own way.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { otherServer, type ReceivedRequest, type Reply } from '../../../conformance/adapter/fixtures/other-server.ts'
import { newPerson, type Person } from './command.ts'

const json = (text: string) => JSON.parse(text)
const SOURCE = 'https://registry.example/connectors/journal'
const NONE: Reply = { status: 404, body: {} }

interface Manner {
  readonly kinds?: readonly string[]
  /** The answer to a client that ends its own grant. */
  readonly revoke?: Reply
  readonly reads?: (asked: ReceivedRequest) => Reply | undefined
}

/** The data and the tokens have different origins. Registration refuses unknown members, and there is no RFC 7009. */
async function journal({ kinds = ['owner', 'client'], revoke = { body: { revoked: true } }, reads }: Manner = {}) {
  const at = { data: '', tokens: '' }
  let live = true
  const tokens = await otherServer(({ path, body }) => {
    if (path === '/.well-known/oauth-authorization-server')
      return {
        body: {
          issuer: at.tokens,
          authorization_endpoint: `${at.tokens}/oauth/authorize`,
          token_endpoint: `${at.tokens}/oauth/token`,
          registration_endpoint: `${at.tokens}/oauth/register`,
          code_challenge_methods_supported: ['S256'],
        },
      }
    if (path === '/oauth/register')
      return 'scope' in json(body)
        ? { status: 400, body: { error: 'invalid_client_metadata', error_description: 'Unsupported: scope' } }
        : { status: 201, body: { client_id: 'cli_journal' } }
    if (path === '/oauth/token')
      return { body: { access_token: 'token-of-the-journal', token_type: 'Bearer', grant_id: 'grt_1' } }
    if (path !== '/grants/grt_1/revoke') return NONE
    live &&= (revoke.status ?? 200) >= 300
    return revoke
  })
  const data = await otherServer((asked) => {
    if (asked.path === '/.well-known/oauth-protected-resource')
      return {
        body: { resource: at.data, authorization_servers: [at.tokens], pdpp_token_kinds_supported: kinds },
      }
    if (!live) return { status: 401, body: { error: { code: 'context.active_false', message: 'No such token.' } } }
    if (asked.path === '/v1/schema')
      return {
        body: { object: 'schema', bearer: { token_kind: 'client', grant_id: 'grt_1' }, connectors: [] },
      }
    return reads?.(asked) ?? NONE
  })
  Object.assign(at, { data: data.url, tokens: tokens.url })
  return { url: data.url, data, tokens, end: () => (live = false) }
}

const cached = (me: Person, url: string) =>
  json(readFileSync(join(me.home, '.pdpp', 'clients', `${new URL(url).host.replace(':', '_')}.json`), 'utf8'))

const withToken = (me: Person, url: string) =>
  me.run(['connect', url, '--with-token'], { input: 'token-of-the-journal' })

test('a server that reads only one source is asked for that one', async () => {
  const other = await journal()
  const me = newPerson()
  const unclear = await me.run(['connect', other.url, '--no-browser'])
  expect([unclear.code, unclear.stderr]).toEqual([
    2,
    expect.stringMatching(/reads only one source[\s\S]*--source <id>/),
  ])
  expect(other.tokens.requests.filter(({ path }) => path === '/oauth/register')).toEqual([])

  const running = await me.start(['connect', other.url, '--no-browser', '--source', SOURCE])
  const [address] = await running.printed(/http:\/\/\S+\/oauth\/authorize\?\S+/)
  const asked = new URL(address).searchParams
  expect(json(asked.get('authorization_details')!)).toEqual([
    expect.objectContaining({ source: { kind: 'connector', id: SOURCE }, streams: [{ name: '*' }] }),
  ])
  await fetch(`${asked.get('redirect_uri')}?code=c0de&state=${asked.get('state')}`)
  const { code, stdout } = await running.exited
  expect([code, stdout]).toEqual([0, expect.stringContaining('Connected')])
  expect(cached(me, other.url)).toMatchObject({ authorization_server: other.tokens.url })
})

test('a server that takes packages leaves the choice to the owner', async () => {
  const other = await journal({ kinds: ['client', 'mcp_package'] })
  const me = newPerson()
  const running = await me.start(['connect', other.url, '--no-browser'])
  const [address] = await running.printed(/http:\/\/\S+\/oauth\/authorize\?\S+/)
  expect(new URL(address).searchParams.has('authorization_details')).toBe(false)
  const wrong = await me.run(['connect', other.url, '--no-browser', '--source', 'journal'])
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('is not a source id')])
})

test('disconnect ends the grant without RFC 7009 and reports the truth', async () => {
  const other = await journal()
  const me = newPerson()
  expect((await withToken(me, other.url)).code).toBe(0)
  // The server that issues tokens is discovered, not guessed.
  expect(cached(me, other.url).authorization_server).toBe(other.tokens.url)
  const gone = await me.run(['disconnect'])
  expect([gone.code, gone.stdout]).toEqual([0, `Revoked grt_1 at ${other.url} and deleted its token.\n`])
  const [call] = other.tokens.requests.filter(({ path }) => path.endsWith('/revoke'))
  expect(call?.authorization).toBe('Bearer token-of-the-journal')

  const closed = await journal({ revoke: { status: 403, body: {} } })
  await withToken(me, closed.url)
  const kept = await me.run(['disconnect', closed.url])
  expect(kept.stdout).toBe(`Deleted the token of grt_1 at ${closed.url}.\n`)
  expect(kept.stderr).toContain('was not revoked')
})

test('groups by time are printed in order of time', async () => {
  const groups = ['2026-03-01', null, '2026-01-01', '2026-02-01'].map((key, index) => ({ key, count: index + 1 }))
  const other = await journal({
    reads: ({ path, query }) => {
      if (path !== '/v1/streams/entries/aggregate') return
      if (query.has('order') && query.get('order') !== 'desc')
        return {
          status: 400,
          body: { error: { code: 'invalid_request', message: 'Unsupported query parameter: order' } },
        }
      const { order, ...said } = Object.fromEntries(query)
      return { body: { object: 'aggregation', stream: 'entries', ...said, groups, order } }
    },
  })
  const me = newPerson()
  await withToken(me, other.url)
  const read = ['read', 'aggregate', 'entries', '--group-by-time', 'written_at']
  const keys = async (...more: string[]) =>
    json((await me.run([...read, ...more, '--json'])).stdout).groups.map(({ key }: any) => key)
  expect(await keys()).toEqual(['2026-01-01', '2026-02-01', '2026-03-01', null])
  expect(await keys('--order', 'desc')).toEqual(groups.map(({ key }) => key))
  expect((await me.run(read)).stdout).toMatch(/2026-01-01[\s\S]*2026-02-01[\s\S]*2026-03-01[\s\S]*\(none\)/)
})

test('refusals of another server say what the token may do', async () => {
  const refusals: Record<string, [object, number, RegExp]> = {
    dead: [{ status: 401, code: 'context.expired' }, 3, /Get another with: pdpp connect http/],
    unknown: [{ status: 401, code: 'context.authentication_failed' }, 3, /Get another with: pdpp connect http/],
    stream: [{ status: 401, code: 'context.stream_not_allowed' }, 4, /lists what you may read/],
    narrow: [{ status: 403, code: 'needs_broader_grant' }, 4, /Ask the owner, or ask again with/],
    filter: [{ status: 400, code: 'invalid_request', param: 'filter' }, 2, /Leave out --where/],
    expand: [{ status: 400, code: 'invalid_request', param: 'expand' }, 2, /Leave out --expand/],
  }
  const other = await journal({
    reads: ({ path }) => {
      const { status, ...error } = (refusals[path.split('/')[3]!]?.[0] ?? {}) as { status: number }
      return { status, body: { error: { ...error, message: 'No.' } } }
    },
  })
  const me = newPerson()
  await withToken(me, other.url)
  for (const [stream, [, exit, next]] of Object.entries(refusals)) {
    const { code, stderr } = await me.run(['read', 'records', stream])
    expect([stream, code, stderr]).toEqual([stream, exit, expect.stringMatching(next)])
  }
})
