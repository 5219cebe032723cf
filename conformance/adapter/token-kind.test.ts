// An owner's token that nothing in the cache marks as one: it is found out before anything is read with it (000.3).
import { expect, test } from 'vitest'
import { verifies } from '../../tests/fixtures/verifies.ts'
import { type Asked, agentOf, cacheFor, otherServer, type Told } from './fixtures/other-server.ts'
import { openWorld } from './fixtures/world.ts'

const world = openWorld()
const EMPTY: Told = { body: { object: 'list', has_more: false, data: [] } }
const READS = [
  ['query_records', { stream: 'entries' }],
  ['search', { query: 'x' }],
  ['fetch', { id: 'cin_1/entries:e1' }],
  ['aggregate', { stream: 'entries', metric: 'count' }],
  ['read_record_field', { id: 'cin_1/entries:e1', field_path: 'body' }],
  ['schema', {}],
] as const

type Schema = (asked: Asked) => Told
/** A server that names the kind of a token in no answer to a read. */
const silent = (schema: Schema, owners: Schema = () => ({ status: 403, body: {} })) =>
  otherServer(
    (asked) => {
      if (asked.path === '/v1/schema') return schema(asked)
      if (asked.path.startsWith('/v1/owner')) return owners(asked)
      return asked.path.startsWith('/v1') ? EMPTY : { status: 404, body: {} }
    },
    { tellsKind: false },
  )
const bearer = (token_kind?: string): Told => ({
  body: { object: 'schema', connectors: [], ...(token_kind === undefined ? {} : { bearer: { token_kind } }) },
})
const paths = (asked: readonly Asked[]) => asked.map(({ path }) => path).filter((path) => path.startsWith('/v1'))

verifies.each('000.3.1', READS)('%s refuses an unmarked owner token, and reads nothing with it', async (tool, args) => {
  const other = await silent(() => bearer('owner'))
  const agent = await agentOf(other.url)
  for (const _again of [1, 2])
    expect(await agent.refusal(tool, args)).toMatchObject({
      code: 'permission_error',
      message: expect.stringContaining('owner token'),
    })
  expect(new Set(paths(other.asked))).toEqual(new Set(['/v1/schema']))
})

verifies('000.3.1', 'where no kind is named, an address for owners only tells', async () => {
  const owners = await silent(
    () => bearer(),
    () => EMPTY,
  )
  expect((await (await agentOf(owners.url)).refusal('query_records', { stream: 'entries' })).code).toBe(
    'permission_error',
  )
  expect(paths(owners.asked)).toEqual(['/v1/schema', '/v1/owner/connections'])
  // This holds without any schema too: a client is let through, and asked for once.
  const clients = await silent(() => ({ status: 404, body: {} }))
  const agent = await agentOf(clients.url)
  for (const _again of [1, 2]) await agent.use('query_records', { stream: 'entries' })
  expect(paths(clients.asked)).toEqual([
    '/v1/schema',
    '/v1/owner/connections',
    '/v1/streams/entries/records',
    '/v1/streams/entries/records',
  ])
})

verifies('000.3.1', 'a kind that only a header names is enough', async () => {
  const marked = await silent(() => ({ ...bearer(), headers: { 'pdpp-token-kind': 'owner' } }))
  expect((await (await agentOf(marked.url)).refusal('search', { query: 'x' })).code).toBe('permission_error')
  expect(paths(marked.asked)).toEqual(['/v1/schema'])
})

test('the kind is looked at once for each token, also after a refresh', async () => {
  let kind = 'client'
  const address = { url: '' }
  const other = await otherServer(
    ({ path, authorization }) => {
      if (path === '/.well-known/oauth-authorization-server')
        return { body: { issuer: address.url, token_endpoint: `${address.url}/token` } }
      if (path === '/token') {
        kind = 'owner'
        return { body: { access_token: 'second-token', token_type: 'Bearer', refresh_token: 'refresh-2' } }
      }
      if (path === '/v1/schema') return bearer(kind)
      if (!path.startsWith('/v1')) return { status: 404, body: {} }
      return kind === 'client' && authorization === 'Bearer first-token'
        ? EMPTY
        : { status: 401, body: { error: { code: 'context.expired', message: 'Over.' } } }
    },
    { tellsKind: false },
  )
  address.url = other.url
  const cached = cacheFor(other.url, { access_token: 'first-token', refresh_token: 'refresh-1' })
  const agent = await agentOf(other.url, cached)
  for (const _again of [1, 2, 3]) await agent.use('query_records', { stream: 'entries' })
  expect(paths(other.asked).filter((path) => path === '/v1/schema')).toHaveLength(1)
  kind = 'none'
  // The dead token is refreshed, and the new one is the owner's.
  expect((await agent.refusal('query_records', { stream: 'entries' })).code).toBe('permission_error')
  const read = other.asked.filter(({ path }) => path.endsWith('/records'))
  expect(new Set(read.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer first-token']))
})

test('where it cannot be found out, nothing is read', async () => {
  const away = await silent(() => ({ status: 503, body: { error: { code: 'server_busy', message: 'Busy.' } } }))
  expect((await (await agentOf(away.url)).refusal('query_records', { stream: 'entries' })).code).toBe('server_busy')
  expect(new Set(paths(away.asked))).toEqual(new Set(['/v1/schema']))
})

test('at our server checking the kind of a token leaves no receipt', async () => {
  const access = await world.grant('chat')
  const receipts = async () => (await world.owner('GET', `/v1/owner/receipts?grant_id=${access.id}&limit=100`)).data
  const before = (await receipts()).length
  const response = await fetch(`${world.server.url}/v1/schema?view=compact`, {
    headers: { authorization: `Bearer ${access.token}`, prefer: 'return=minimal' },
  })
  expect(await response.json()).toEqual({
    object: 'schema',
    bearer: expect.objectContaining({ token_kind: 'client', grant_id: access.id }),
  })
  expect(await receipts()).toHaveLength(before)
})
