import { expect, it, vi } from 'vitest'
import { message, messages } from '../../../../tests/fixtures/server.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { note, type PackageServer, packageServer } from './package-support.ts'

/** Home mail, and one notebook: two members, one connection each. */
async function mailAndDiary(test: PackageServer) {
  await test.ingest('messages', 'home', messages(3))
  await test.ingest('notes', 'diary', [note('n1'), note('n2', { mood: 'glad' })])
  await test.ingest('marks', 'diary', [
    { key: 'k1', data: { id: 'k1', note_id: 'n1' }, emitted_at: '2026-02-01T00:00:00Z' },
  ])
  const mail = await test.grant({ connections: ['home'], streams: [{ name: 'messages', fields: ['subject'] }] })
  const diary = await test.grant({ connections: ['diary'] })
  return { mail, diary, pack: await test.pack([mail.grantId, diary.grantId]) }
}

const READS = [
  '/v1/streams/notes/records',
  '/v1/streams/notes/records/n1',
  '/v1/streams/notes/records/n1/field-window?field=text',
  '/v1/streams/notes/aggregate?metric=count',
]
const with_ = (path: string, more: string) => `${path}${path.includes('?') ? '&' : '?'}${more}`

it('reads each source under its own grant', async () => {
  const test = await packageServer()
  const { mail, diary, pack } = await mailAndDiary(test)
  const schema = (await pack.get('/v1/schema?view=compact')).body
  expect(schema.bearer).toMatchObject({ token_kind: 'mcp_package', package_id: pack.packageId, member_count: 2 })
  expect(schema.connectors.map((entry: any) => [entry.grant_id, entry.connector_key, entry.streams.length])).toEqual([
    [mail.grantId, 'mail', 1],
    [diary.grantId, 'notes', 2],
  ])
  expect(schema.meta).toMatchObject({ package: { members_read: 2, partial: false }, warnings: [] })
  const streams = (await pack.get('/v1/streams')).body.data
  expect(streams.map((row: any) => [row.grant_id, row.connection_id, row.name, row.record_count])).toEqual([
    [mail.grantId, 'home', 'messages', 3],
    [diary.grantId, 'diary', 'notes', 2],
    [diary.grantId, 'diary', 'marks', 1],
  ])
  const connectors = (await pack.get('/v1/connectors')).body.data
  expect(connectors.map((row: any) => [row.connector_key, row.connection_count])).toEqual([
    ['mail', 1],
    ['notes', 1],
  ])
  const one = (await pack.get('/v1/schema?view=compact&connection_id=diary')).body
  expect(one.connectors.map((entry: any) => entry.connector_key)).toEqual(['notes'])
  // Two members in each of three answers, one in the last.
  expect((await test.receipts(`grant_id=${mail.grantId}`)).map((receipt) => receipt.operation)).toEqual([
    'connectors',
    'streams',
    'schema',
  ])
  expect(await test.receipts(`grant_id=${diary.grantId}`)).toHaveLength(4)
  expect((await pack.get('/v1/schema?stream=notes&detail=full')).status).toBe(200)
  expect((await pack.get('/v1/streams/notes')).body.name).toBe('notes')
  expect((await pack.get('/v1/streams/messages/records?connection_id=home&fields=body')).body.error.code).toBe(
    'field_not_granted',
  )
})

verifies('000.8.1', 'asks which connection is meant, even if only one has the stream', async () => {
  const test = await packageServer()
  const { mail, diary, pack } = await mailAndDiary(test)
  const { records, aggregates, search } = test.server.context.storage
  const reads = [
    ...(['page', 'find', 'count', 'statistics', 'versions', 'changes'] as const).map((name) => vi.spyOn(records, name)),
    vi.spyOn(aggregates, 'aggregate'),
    vi.spyOn(search, 'search'),
  ]
  for (const path of READS) {
    for (const spy of reads) spy.mockClear()
    const { status, body } = await pack.get(path)
    // No member is read to ask which source is meant.
    for (const spy of reads) expect(spy).not.toHaveBeenCalled()
    expect([path, status, body.error]).toEqual([
      path,
      409,
      expect.objectContaining({
        type: 'invalid_request_error',
        code: 'ambiguous_connection',
        message: 'This token reads 2 connections: say which one. "notes" is in: diary.',
        retry_with: 'connection_id',
        available_connection_count: 2,
        available_connections: [
          {
            connection_id: 'diary',
            connector_key: 'notes',
            grant_id: diary.grantId,
            display_name: 'diary',
            has_stream: true,
          },
          {
            connection_id: 'home',
            connector_key: 'mail',
            grant_id: mail.grantId,
            display_name: 'Home mail',
            has_stream: false,
          },
        ],
      }),
    ])
    const retried = await pack.get(with_(path, 'connection_id=diary'))
    expect([path, retried.status]).toEqual([path, 200])
    expect(reads.some((spy) => spy.mock.calls.length > 0)).toBe(true)
  }
  const receipts = await test.receipts()
  expect(receipts.filter(({ grant_id: id }) => id === mail.grantId)).toEqual([])
  expect(receipts.filter(({ grant_id: id }) => id === pack.packageId).map(({ outcome }) => outcome)).toEqual(
    READS.map(() => 'ambiguous_connection'),
  )
  expect(receipts.filter(({ grant_id: id }) => id === diary.grantId).map(({ outcome }) => outcome)).toEqual(
    READS.map(() => 'ok'),
  )
})

verifies('000.8.1', 'refuses a stream that no member has, instead of asking back', async () => {
  const test = await packageServer()
  const { pack } = await mailAndDiary(test)
  const refused = async () => (await pack.get('/v1/streams/nowhere/records')).body.error
  expect(await refused()).toMatchObject({ code: 'grant_stream_not_allowed', http_status: 403, param: 'stream' })
  expect((await refused()).message).toMatch(/It includes: .*\bmessages\b.*\bnotes\b/)
})

verifies('000.8.1', 'names at most twelve connections and counts all', async () => {
  const test = await packageServer()
  const ids = Array.from({ length: 15 }, (_, n) => `box${n}`)
  for (const id of ids) await test.owner('POST', '/v1/owner/connections', { connector_key: 'mail', connection_id: id })
  const mail = await test.grant({ connections: ids })
  const diary = await test.grant({ connections: ['diary'] })
  const { body } = await (await test.pack([mail.grantId, diary.grantId])).get('/v1/streams/notes/records')
  expect(body.error).toMatchObject({ available_connection_count: 16, available_connections_truncated: true })
  expect(body.error.available_connections).toHaveLength(12)
  expect(body.error.available_connections[0].connection_id).toBe('diary')
  expect(body.error.next_step).toContain('/v1/schema')
})

it('reads the only connection of a package without naming it', async () => {
  const test = await packageServer()
  const { mail, diary } = await mailAndDiary(test)
  await test.owner('POST', `/v1/owner/grants/${mail.grantId}/revoke`)
  const fresh = await test.grant({ connections: ['diary'] })
  const pack = await test.pack([fresh.grantId])
  expect(diary.grantId).not.toBe(fresh.grantId)
  for (const path of READS) expect((await pack.get(path)).status).toBe(200)
  const { body } = await pack.get('/v1/streams/notes/records/n1?expand=marks')
  expect(body.expanded.marks.data.map(({ id }: any) => id)).toEqual(['k1'])
  expect((await pack.get('/v1/streams/messages/records')).body.error.code).toBe('grant_stream_not_allowed')
})

verifies('003.3.1', 'never offers a member that cannot be used', async () => {
  const test = await packageServer()
  await test.ingest('messages', 'home', messages(1))
  const grants = {
    home: await test.grant({ connections: ['home'] }),
    work: await test.grant({ connections: ['work'] }),
    diary: await test.grant({ connections: ['diary'] }),
    recipes: await test.grant({ connections: ['recipes'] }),
  }
  const pack = await test.pack(Object.values(grants).map(({ grantId }) => grantId))
  await test.owner('POST', `/v1/owner/grants/${grants.work.grantId}/revoke`)
  await test.owner('POST', `/v1/owner/grants/${grants.recipes.grantId}/pause`)
  const unusable = [
    { grant_id: grants.work.grantId, connector_key: 'mail', reason: 'grant_revoked' },
    { grant_id: grants.recipes.grantId, connector_key: 'notes', reason: 'grant_paused' },
  ]
  for (const path of ['/v1/schema', '/v1/streams', '/v1/connectors', '/v1/search?q=subject']) {
    const { body, text } = await pack.get(path)
    expect(body.meta.warnings.map((warning: any) => [warning.code, warning.detail])).toEqual(
      unusable.map((detail) => ['source_unavailable', detail]),
    )
    expect(body.meta.package).toMatchObject({ member_count: 4, usable_member_count: 2, members_read: 2, partial: true })
    expect(text).not.toMatch(/"connection_id":"(work|recipes)"/)
  }
  const ambiguous = (await pack.get('/v1/streams/messages/records')).body.error
  expect(ambiguous.available_connections.map(({ connection_id: id }: any) => id)).toEqual(['home', 'diary'])
  for (const [connection, code] of [
    ['work', 'grant_revoked'],
    ['recipes', 'grant_paused'],
  ] as const) {
    for (const path of [...READS, '/v1/schema', '/v1/streams', '/v1/search?q=x', '/v1/streams/messages/records']) {
      const { status, body } = await pack.get(with_(path, `connection_id=${connection}`))
      expect([path, status, body.error.code]).toEqual([path, 403, code])
      expect(body.error.next_step).toMatch(/use another connection_id/)
    }
    const refusals = await test.receipts(`grant_id=${grants[connection].grantId}`)
    expect(refusals.map(({ outcome }) => outcome)).toEqual(Array(8).fill(code))
  }
  expect((await pack.get('/v1/streams/notes/records?connection_id=nowhere')).body.error.code).toBe(
    'connection_not_found',
  )
  await test.owner('POST', `/v1/owner/grants/${grants.recipes.grantId}/resume`)
  expect((await pack.get('/v1/streams/notes/records?connection_id=recipes')).status).toBe(200)
})

it('pauses and resumes a whole package at once', async () => {
  const test = await packageServer()
  const { mail, diary, pack } = await mailAndDiary(test)
  const path = `/v1/owner/packages/${pack.packageId}`
  expect((await test.owner('POST', `${path}/pause`)).body).toMatchObject({
    status: 'unusable',
    members: [{ status: 'paused' }, { status: 'paused' }],
  })
  for (const { get } of [pack, mail, diary]) expect((await get('/v1/schema')).body.error.code).toBe('grant_paused')
  expect((await test.owner('POST', `${path}/resume`)).body.status).toBe('active')
  for (const { get } of [pack, mail, diary]) expect((await get('/v1/schema')).status).toBe(200)
  await test.owner('POST', `${path}/revoke`)
  for (const change of ['pause', 'resume'])
    expect((await test.owner('POST', `${path}/${change}`)).body.error.code).toBe('already_revoked')
  expect((await test.owner('POST', '/v1/owner/packages/pkg_none/pause')).body.error.code).toBe('not_found')
})

verifies('checklist 18', 'shows a revocation in the next request', async () => {
  const test = await packageServer()
  const { mail, diary, pack } = await mailAndDiary(test)
  await test.owner('POST', `/v1/owner/grants/${mail.grantId}/revoke`)
  expect((await pack.get('/v1/streams/messages/records?connection_id=home')).body.error.code).toBe('grant_revoked')
  expect((await pack.get('/v1/streams/notes/records')).status).toBe(200)
  await test.owner('POST', `/v1/owner/grants/${diary.grantId}/pause`)
  const paused = await pack.get('/v1/schema')
  expect([paused.status, paused.body.error.code]).toEqual([403, 'grant_paused'])
  expect(paused.body.error.next_step).toMatch(/resumes/)
  await test.owner('POST', `/v1/owner/grants/${diary.grantId}/resume`)
  expect((await pack.get('/v1/schema')).status).toBe(200)
  const revoked = await test.owner('POST', `/v1/owner/packages/${pack.packageId}/revoke`)
  expect(revoked.body).toEqual({ revoked: true, package_id: pack.packageId, grants_revoked: [diary.grantId] })
  expect((await pack.get('/v1/schema')).body.error).toMatchObject({ code: 'package_revoked', http_status: 403 })
  expect((await diary.get('/v1/schema')).body.error.code).toBe('grant_revoked')
  expect((await test.owner('POST', `/v1/owner/packages/${pack.packageId}/revoke`)).body.error.code).toBe(
    'already_revoked',
  )
  expect((await test.receipts(`grant_id=${pack.packageId}`)).map(({ outcome }) => outcome)).toEqual([
    'package_revoked',
    'grant_paused',
  ])
})

verifies('checklist 17', 'binds the cursors of a stream to the member', async () => {
  const test = await packageServer()
  await test.ingest('messages', 'home', messages(5))
  await test.ingest('messages', 'work', messages(5))
  const [home, work] = [await test.grant({ connections: ['home'] }), await test.grant({ connections: ['work'] })]
  const pack = await test.pack([home.grantId, work.grantId])
  const first = await pack.get('/v1/streams/messages/records?limit=2&connection_id=home')
  const next = `cursor=${encodeURIComponent(first.body.next_cursor)}`
  expect((await pack.get(`/v1/streams/messages/records?limit=2&connection_id=home&${next}`)).body.data).toHaveLength(2)
  const elsewhere = await pack.get(`/v1/streams/messages/records?limit=2&connection_id=work&${next}`)
  expect(elsewhere.body.error.code).toBe('invalid_cursor')
  expect((await home.get(`/v1/streams/messages/records?limit=2&connection_id=home&${next}`)).status).toBe(200)
})

it('makes packages only of usable grants without a shared connection', async () => {
  const test = await packageServer()
  const both = await test.grant({ connections: ['home', 'work'] })
  const work = await test.grant({ connections: ['work'] })
  const diary = await test.grant({ connections: ['diary'] })
  const once = await test.grant({ connections: ['recipes'], access_mode: 'single_use' })
  const make = (grants: string[]) => test.owner('POST', '/v1/owner/packages', { grants })
  const shared = (await make([both.grantId, diary.grantId, work.grantId])).body.error
  expect([shared.code, shared.message]).toEqual(['invalid_argument', expect.stringContaining('"work"')])
  expect((await make([diary.grantId, diary.grantId])).body.error.code).toBe('invalid_argument')
  expect((await make([diary.grantId, 'grt_none'])).body.error.code).toBe('not_found')
  expect((await make([once.grantId])).body.error.code).toBe('grant_consumed')
  expect((await make([])).body.error.code).toBe('invalid_request')
  const made = (await make([work.grantId, diary.grantId])).body
  expect((await make([diary.grantId])).body.error.code).toBe('already_exists')
  await test.owner('POST', `/v1/owner/grants/${both.grantId}/revoke`)
  expect((await make([both.grantId])).body.error.code).toBe('grant_revoked')
  expect((await test.as(work.token)('GET', '/v1/schema')).status).toBe(200)
  expect((await test.as(made.access_token)('GET', '/v1/owner/packages')).body.error.code).toBe('permission_error')
})

it('lists and shows packages with their members and last use', async () => {
  const test = await packageServer()
  const { mail, diary, pack } = await mailAndDiary(test)
  const spare = await test.grant({ connections: ['recipes'] })
  const other = await test.pack([spare.grantId], { client_name: 'Other agent' })
  const path = `/v1/owner/packages/${pack.packageId}`
  expect((await test.owner('GET', path)).body).toMatchObject({ status: 'active', last_used_at: null, member_count: 2 })
  await pack.get('/v1/streams/notes/records?connection_id=diary')
  const shown = (await test.owner('GET', path)).body
  expect(Date.now() - Date.parse(shown.last_used_at)).toBeLessThan(60_000)
  expect(shown.members.map((member: any) => [member.grant_id, member.status, member.last_used_at === null])).toEqual([
    [mail.grantId, 'active', true],
    [diary.grantId, 'active', false],
  ])
  const owned = (await test.owner('GET', `/v1/owner/grants/${diary.grantId}`)).body
  expect([owned.package_id, owned.last_used_at]).toEqual([pack.packageId, shown.last_used_at])
  const page = (await test.owner('GET', '/v1/owner/packages?limit=1')).body
  expect([page.has_more, page.data[0].package_id, page.data[0].client.client_display.name]).toEqual([
    true,
    other.packageId,
    'Other agent',
  ])
  const rest = (await test.owner('GET', `/v1/owner/packages?limit=1&cursor=${page.next_cursor}`)).body
  expect([rest.has_more, rest.data[0].package_id]).toEqual([false, pack.packageId])
  expect((await test.owner('GET', '/v1/owner/packages/pkg_none')).body.error.code).toBe('not_found')
})

it('replaces a grant by a narrower one, which ends only cursors', async () => {
  const test = await packageServer()
  const { mail, diary, pack } = await mailAndDiary(test)
  const narrow = (id: string, body: unknown) => test.owner('POST', `/v1/owner/grants/${id}/narrow`, body)
  const cursor = (await diary.get('/v1/streams/notes/records?limit=1')).body.next_cursor
  const made = (await narrow(diary.grantId, { streams: [{ name: 'notes', fields: ['title'] }], since: '2026-01-01' }))
    .body
  expect(made).toMatchObject({ status: 'active', package_id: pack.packageId })
  expect(made.grant.streams).toEqual([
    {
      name: 'notes',
      instance_ids: ['diary'],
      fields: ['id', 'title', 'written_at'],
      time_constraint: { field: 'written_at', since: '2026-01-01' },
    },
  ])
  expect((await test.owner('GET', `/v1/owner/grants/${diary.grantId}`)).body).toMatchObject({
    status: 'revoked',
    replaced_by: made.grant_id,
    package_id: null,
  })
  for (const { get } of [diary, pack]) {
    const { body } = await get('/v1/streams/notes/records?limit=1&connection_id=diary')
    expect(Object.keys(body.data[0].data).toSorted()).toEqual(['id', 'title', 'written_at'])
    expect((await get('/v1/streams/marks/records?connection_id=diary')).body.error.code).toBe(
      'grant_stream_not_allowed',
    )
  }
  expect((await diary.get(`/v1/streams/notes/records?limit=1&cursor=${cursor}`)).body.error.code).toBe('invalid_cursor')
  for (const wider of [
    { streams: [{ name: 'marks' }] },
    { fields: ['title', 'text'] },
    { connections: ['recipes'] },
    { since: '2025-01-01' },
    {},
    { expires_at: '2020-01-01' },
  ])
    expect([wider, (await narrow(made.grant_id, wider)).body.error.code]).toEqual([wider, 'invalid_argument'])
  const limited = (await narrow(mail.grantId, { expires_at: '2100-01-01', resources: ['m1'] })).body
  expect(limited.grant).toMatchObject({ expires_at: '2100-01-01T00:00:00.000Z' })
  expect((await narrow(limited.grant_id, { expires_at: '2100-01-02' })).body.error.code).toBe('invalid_argument')
  expect((await narrow(limited.grant_id, { resources: ['m2'] })).body.error.code).toBe('invalid_argument')
  // The old grant has ended, but its token still reads. So revoking the old id must not look like a success.
  for (const again of [
    await narrow(mail.grantId, { resources: ['m1'] }),
    await test.owner('POST', `/v1/owner/grants/${mail.grantId}/revoke`),
  ])
    expect(again.body.error).toMatchObject({
      code: 'already_revoked',
      message: expect.stringContaining(`${limited.grant_id} replaces it`),
      next_step: expect.stringContaining(limited.grant_id),
    })
  const { body } = await mail.get('/v1/streams/messages/records')
  expect(body.data.map(({ id }: any) => id)).toEqual(['m1'])
})

it('takes a token only where it is for, and marks what was read over MCP', async () => {
  const test = await packageServer()
  await test.ingest('messages', 'home', [message(1)])
  const { grantId } = await test.grant({ connections: ['home'] })
  const { context } = test.server
  const issue = async (audience: ('mcp' | 'v1')[]) =>
    (await context.tokens.issueClient('owner_local', 'cli_x', grantId, { audience })).accessToken
  const overMcp = (token: string) =>
    test.as(token)(
      'POST',
      '/mcp',
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'query_records', arguments: { stream: 'messages' } },
      },
      { 'content-type': 'application/json', accept: 'application/json', 'mcp-protocol-version': '2025-11-25' },
    )
  const [forMcp, forV1, forBoth] = [await issue(['mcp']), await issue(['v1']), await issue(['mcp', 'v1'])]
  const path = '/v1/streams/messages/records'
  const refused = await test.as(forMcp)('GET', path, undefined, { 'pdpp-surface': 'mcp', pdppsurface: 'mcp' })
  expect([refused.status, refused.body.error.code]).toEqual([401, 'authentication_error'])
  expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token", .*resource_metadata="/)
  for (const token of [forV1, forBoth]) expect((await test.as(token)('GET', path)).status).toBe(200)
  for (const token of [forMcp, forBoth]) expect((await overMcp(token)).status).toBe(200)
  expect((await overMcp(forV1)).status).toBe(401)
  expect((await test.receipts()).map(({ surface }) => surface)).toEqual(['mcp', 'mcp', 'rest', 'rest'])
  expect(await context.tokens.revoke(forBoth)).toBe(true)
  expect((await test.as(forBoth)('GET', path)).status).toBe(401)
})
