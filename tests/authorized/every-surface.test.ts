// The same rules hold on every surface: access, cursors, revocation, receipts.
import { describe, expect, test } from 'vitest'
import type { Access } from '../../conformance/adapter/fixtures/agent.ts'
import { openWorld } from '../../conformance/adapter/fixtures/world.ts'
import { verifies } from '../fixtures/verifies.ts'
import { find, page, type Read, SURFACES, type Surface, seen } from './surfaces.ts'

const world = openWorld()
const see = (surface: Surface, access: Access, read: Read) => seen(world, surface, access, read)
const revoke = ({ id }: Access) => world.owner('POST', `/v1/owner/grants/${id}/revoke`)

/** The content of an answer, without links, cursors and times, which differ by surface. */
function shown({ code, body }: Awaited<ReturnType<typeof see>>) {
  if (code !== undefined) return { code }
  const { data, groups, value, has_more, other_count, connectors } = body
  // Only the id of a hit is compared, because the adapter asks for compact hits.
  const rows = data?.map((row: any) => (row.data ? [row.connection_id, row.stream, row.id, row.data] : row.id))
  const streams = connectors?.map(({ connector_key, granted_connections, streams }: any) => ({
    connector_key,
    connections: granted_connections?.map(({ connection_id }: any) => connection_id),
    streams: streams.map(({ name }: any) => name),
  }))
  return { rows, groups, value, has_more: has_more ?? false, other_count, streams }
}

verifies.group('checklist 16', 'a read shows the same on every surface', () => {
  const count: Read = {
    path: '/v1/streams/messages/aggregate',
    query: { metric: 'count', group_by: 'sender', limit: '5', connection_id: 'home' },
    tool: 'aggregate',
    args: { stream: 'messages', metric: 'count', group_by: ['sender'], limit: 5, connection_id: 'home' },
  }
  const filtered = (field: string, value: string): Read => ({
    ...page('messages', { connection_id: 'home', limit: 10 }),
    query: { connection_id: 'home', limit: '10', [`filter[${field}]`]: value },
    args: { stream: 'messages', connection_id: 'home', limit: 10, filter: { [field]: value } },
  })
  const fields = (...names: string[]): Read => ({
    ...page('messages', { connection_id: 'home' }),
    query: { connection_id: 'home', limit: '5', order: 'asc', fields: names.join(',') },
    args: { stream: 'messages', connection_id: 'home', limit: 5, order: 'asc', fields: names },
  })
  const reads: [string, Read][] = [
    ['the schema', { path: '/v1/schema', query: { view: 'compact' }, tool: 'schema', args: {} }],
    ['a page', fields('subject', 'sent_at')],
    ['a filter', filtered('sender', 'writer-3')],
    ['a filter on a field that only some may use', filtered('body', 'Nothing of that here.')],
    ['an order by it', page('messages', { connection_id: 'home', sort: 'size', order: 'asc', limit: 3 })],
    ['a field that only some may see', fields('body')],
    ['a field that is not there', fields('nothing')],
    ['a count', count],
    ['a search', find('report', { limit: 5 })],
    ['a search for what only some may see', find('kestrel', { limit: 5 })],
    ['another connection', page('messages', { connection_id: 'team', limit: 2 })],
    ['no such connection', page('messages', { connection_id: 'nowhere', limit: 2 })],
    ['another stream', page('attachments', { connection_id: 'home', limit: 2 })],
    ['no such stream', page('nothing', { connection_id: 'home', limit: 2 })],
    ['a cursor of nobody', page('messages', { connection_id: 'home', cursor: 'bm90aGluZw' })],
  ]

  test.each(['mail', 'subjects', 'package'])('held by %s', async (holder) => {
    const access = holder === 'package' ? await world.package('all', 'mail 16', 'notes 16') : await world.grant(holder)
    const outcomes = new Set<string>()
    for (const [name, read] of reads) {
      const rest = shown(await see('rest', access, read))
      outcomes.add(rest.code ?? 'ok')
      if (rest.code === undefined) expect(rest.rows ?? rest.groups ?? rest.streams, name).toBeDefined()
      for (const surface of ['hosted', 'stdio'] as const) {
        const other = shown(await see(surface, access, read))
        expect([name, surface, other]).toEqual([name, surface, rest])
      }
    }
    expect([...outcomes]).toEqual(expect.arrayContaining(['ok', 'unknown_field', 'invalid_cursor']))
    if (holder === 'subjects') expect([...outcomes]).toContain('field_not_granted')
  })
})

describe.each(SURFACES)('on %s', (surface) => {
  const cursorOf = async (access: Access, read: (cursor?: string) => Read): Promise<string> => {
    const { body } = await see(surface, access, read())
    expect(body.next_cursor).toMatch(/\S/)
    return body.next_cursor
  }
  const notes = (cursor?: string) =>
    page('notes', { connection_id: 'notebook', limit: 2, ...(cursor ? { cursor } : {}) })
  const hits = (cursor?: string) => find('note', { limit: 2, ...(cursor ? { cursor } : {}) })

  verifies('checklist 17', 'a cursor works for its holder alone', async () => {
    const name = (kind: string) => `${kind} 17 ${surface}`
    const [one, other] = [await world.grant(name('notes a')), await world.grant(name('notes b'))]
    const [pack, second] = [
      await world.package(name('p'), name('notes c'), name('chat c')),
      await world.package(name('q'), name('notes d'), name('chat d')),
    ]
    // The same client with a second grant of the same extent.
    const { client } = (await world.owner('GET', `/v1/owner/grants/${one.id}`)).grant
    const request = { client_name: 'Twice', client_id: client.client_id, connections: ['notebook'] }
    const made = await world.owner('POST', '/v1/owner/grants', request)
    const twin = { id: made.grant_id, token: made.access_token }
    const holders = [one, other, twin, pack, second]
    for (const read of [notes, hits]) {
      for (const holder of holders) {
        const cursor = await cursorOf(holder, read)
        expect((await see(surface, holder, read(cursor))).code).toBeUndefined()
        for (const stranger of holders.filter((each) => each !== holder))
          expect((await see(surface, stranger, read(cursor))).code).toBe('invalid_cursor')
      }
    }
  })

  verifies.each('checklist 18', [
    ['pages', notes],
    ['hits', hits],
  ])('a revocation during a walk over %s ends it with the next request', async (what, read) => {
    const access = await world.grant(`notes 18 ${surface} ${what}`)
    const cursor = await cursorOf(access, read)
    await world.owner('POST', `/v1/owner/grants/${access.id}/pause`)
    expect((await see(surface, access, read(cursor))).code).toBe('grant_paused')
    await world.owner('POST', `/v1/owner/grants/${access.id}/resume`)
    const onward = (await see(surface, access, read(cursor))).body.next_cursor
    await revoke(access)
    for (const position of [onward, cursor, undefined])
      expect((await see(surface, access, read(position))).code).toBe('grant_revoked')
  })

  verifies('checklist 18', 'a member that is revoked between two pages is refused', async () => {
    const name = (kind: string) => `${kind} 18p ${surface}`
    const pack = await world.package(name('p'), name('notes'), name('chat'))
    const cursor = await cursorOf(pack, notes)
    await revoke(await world.grant(name('notes')))
    expect((await see(surface, pack, notes(cursor))).code).toBe('grant_revoked')
    expect((await see(surface, pack, page('messages', { connection_id: 'team' }))).code).toBeUndefined()
    const { body } = await see(surface, pack, hits())
    expect(new Set(body.data.map(({ connection_id }: any) => connection_id))).not.toContain('notebook')
  })
})

/** The name of the operation in receipts. */
const PLACES: Record<Surface, string> = { rest: 'rest', hosted: 'mcp', stdio: 'stdio' }

verifies('checklist 24', 'every read leaves its receipt, and nothing else does', async () => {
  const access = await world.grant('notes 24')
  const reads: [Read, string][] = [
    [page('notes', { limit: 2 }), 'ok'],
    [find('kestrel'), 'ok'],
    [{ path: '/v1/schema', query: {}, tool: 'schema', args: {} }, 'ok'],
    [page('notes', { connection_id: 'home' }), 'connection_not_found'],
    [page('messages', {}), 'grant_stream_not_allowed'],
    [page('notes', { sort: 'nothing' }), 'unknown_field'],
    [page('notes', { cursor: 'bm90aGluZw' }), 'invalid_cursor'],
  ]
  const received = async (): Promise<any[]> =>
    (await world.owner('GET', `/v1/owner/receipts?limit=100&grant_id=${access.id}`)).data
  const expected: string[] = []
  const run = async (surface: Surface, ...more: [Read, string][]) => {
    for (const [read, outcome] of [...reads, ...more]) {
      await see(surface, access, read)
      expected.push(`${PLACES[surface]} ${surface === 'hosted' ? read.tool : operationOf(read)} ${outcome}`)
    }
  }
  // Connecting and listing tools read nothing.
  for (const surface of ['hosted', 'stdio'] as const) await world.agent(`${surface} 2026-07-28`, access)
  expect(await received()).toEqual([])
  for (const surface of SURFACES) await run(surface)
  // Routes of the owner are refused, and the owner sees who tried.
  expect((await world.get('/v1/owner/grants', access.token)).status).toBe(403)
  expected.push('rest owner permission_error')
  await revoke(access)
  for (const surface of SURFACES) {
    expect((await see(surface, access, page('notes'))).code).toBe('grant_revoked')
    expected.push(`${PLACES[surface]} ${surface === 'hosted' ? 'mcp' : 'records'} grant_revoked`)
  }
  const receipts = await received()
  const told = receipts.map(({ surface, operation, outcome }) => `${surface} ${operation} ${outcome}`)
  expect(told.toReversed()).toEqual(expected)
  // One request has one receipt. A request that read several streams would have more.
  expect(new Set(receipts.map(({ request_id }) => request_id)).size).toBe(expected.length)
})

function operationOf({ path }: Read): string {
  return path.split('/').at(-1)!
}
