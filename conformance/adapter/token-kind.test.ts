// An owner token that the cache does not mark as one. The adapter detects it before it reads anything with it (000.3).
import { expect, test } from 'vitest'
import { verifies } from '../../tests/fixtures/verifies.ts'
import { agentOf, cacheFor, otherServer, type ReceivedRequest, type Reply } from './fixtures/other-server.ts'
import { openWorld } from './fixtures/world.ts'

const world = openWorld()
const EMPTY: Reply = { body: { object: 'list', has_more: false, data: [] } }
const READS = [
  ['query_records', { stream: 'entries' }],
  ['search', { query: 'x' }],
  ['fetch', { id: 'cin_1/entries:e1' }],
  ['aggregate', { stream: 'entries', metric: 'count' }],
  ['read_record_field', { id: 'cin_1/entries:e1', field_path: 'body' }],
  ['schema', {}],
] as const

type Schema = (request: ReceivedRequest) => Reply
/** A server that does not name the kind of the token when it answers a read. */
const silent = (schema: Schema, owners: Schema = () => ({ status: 403, body: {} })) =>
  otherServer(
    (request) => {
      if (request.path === '/v1/schema') return schema(request)
      if (request.path.startsWith('/v1/owner')) return owners(request)
      return request.path.startsWith('/v1') ? EMPTY : { status: 404, body: {} }
    },
    { tellsKind: false },
  )
const bearer = (token_kind?: string): Reply => ({
  body: { object: 'schema', connectors: [], ...(token_kind === undefined ? {} : { bearer: { token_kind } }) },
})
const paths = (requests: readonly ReceivedRequest[]) =>
  requests.map(({ path }) => path).filter((path) => path.startsWith('/v1'))

verifies.each('000.3.1', READS)('%s refuses an unmarked owner token, and reads nothing with it', async (tool, args) => {
  const other = await silent(() => bearer('owner'))
  const agent = await agentOf(other.url)
  for (const _again of [1, 2])
    expect(await agent.refusal(tool, args)).toMatchObject({
      code: 'permission_error',
      message: expect.stringContaining('owner token'),
    })
  expect(new Set(paths(other.requests))).toEqual(new Set(['/v1/schema']))
})

verifies('000.3.1', 'if no kind is named, a route for owners shows the kind', async () => {
  const owners = await silent(
    () => bearer(),
    () => EMPTY,
  )
  expect((await (await agentOf(owners.url)).refusal('query_records', { stream: 'entries' })).code).toBe(
    'permission_error',
  )
  expect(paths(owners.requests)).toEqual(['/v1/schema', '/v1/owner/connections'])
  // The same works without a schema: a client token is accepted, and its kind is checked only once.
  const clients = await silent(() => ({ status: 404, body: {} }))
  const agent = await agentOf(clients.url)
  for (const _again of [1, 2]) await agent.use('query_records', { stream: 'entries' })
  expect(paths(clients.requests)).toEqual([
    '/v1/schema',
    '/v1/owner/connections',
    '/v1/streams/entries/records',
    '/v1/streams/entries/records',
  ])
})

verifies('000.3.1', 'a header that names the kind is enough', async () => {
  const marked = await silent(() => ({ ...bearer(), headers: { 'pdpp-token-kind': 'owner' } }))
  expect((await (await agentOf(marked.url)).refusal('search', { query: 'x' })).code).toBe('permission_error')
  expect(paths(marked.requests)).toEqual(['/v1/schema'])
})

test('the kind of each token is checked once, also after a refresh', async () => {
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
  expect(paths(other.requests).filter((path) => path === '/v1/schema')).toHaveLength(1)
  kind = 'none'
  // The expired token is refreshed, and the new token is an owner token.
  expect((await agent.refusal('query_records', { stream: 'entries' })).code).toBe('permission_error')
  const read = other.requests.filter(({ path }) => path.endsWith('/records'))
  expect(new Set(read.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer first-token']))
})

test('nothing is read if the kind is unknown', async () => {
  const away = await silent(() => ({ status: 503, body: { error: { code: 'server_busy', message: 'Busy.' } } }))
  expect((await (await agentOf(away.url)).refusal('query_records', { stream: 'entries' })).code).toBe('server_busy')
  expect(new Set(paths(away.requests))).toEqual(new Set(['/v1/schema']))
})

test('checking the kind of a token leaves no receipt on our server', async () => {
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
