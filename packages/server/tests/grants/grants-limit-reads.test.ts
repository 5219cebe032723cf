import { errorEnvelopeSchema } from '@pdpp/protocol'
import { expect, it, vi } from 'vitest'
import { at, mailServer, message, messages } from '../../../../tests/fixtures/server.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'

verifies('checklist 16', 'refuses fields, streams and connections outside the grant', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(3))
  const { get } = await test.grant({ connections: ['home'], streams: [{ name: 'messages', fields: ['subject'] }] })
  const cases: [string, number, string][] = [
    ['/v1/streams/messages/records?fields=body', 403, 'field_not_granted'],
    ['/v1/streams/messages/records?fields=nonsense', 400, 'unknown_field'],
    ['/v1/streams/messages/records?sort=size', 403, 'field_not_granted'],
    ['/v1/streams/messages/records?sort=subject', 400, 'invalid_sort'],
    ['/v1/streams/messages/records?view=nope', 400, 'invalid_argument'],
    ['/v1/streams/messages/records/m1/field-window?field=body', 403, 'field_not_granted'],
    ['/v1/streams/messages/records/m1/field-window?field=nonsense', 400, 'unknown_field'],
    ['/v1/streams/labels/records', 403, 'grant_stream_not_allowed'],
    ['/v1/streams/never_declared/records', 403, 'grant_stream_not_allowed'],
    ['/v1/streams/messages/records?connection_id=work', 404, 'connection_not_found'],
    ['/v1/streams/messages/records?connection_id=unknown', 404, 'connection_not_found'],
    ['/v1/streams/messages/records/nope', 404, 'not_found'],
    ['/v1/streams/messages/records?filter[x]=1', 400, 'unknown_field'],
    ['/v1/streams/messages/records?filter[body]=1', 403, 'field_not_granted'],
    ['/v1/streams/messages/records?filters[x]=1', 400, 'invalid_request'],
    ['/v1/streams/messages/records?fields[0]=subject', 400, 'invalid_request'],
    ['/v1/streams/messages/records?expand[0]=x', 400, 'invalid_request'],
    ['/v1/search?q=x&streams[0]=messages', 400, 'invalid_request'],
    ['/v1/search?q=x&limit[]=3', 400, 'invalid_request'],
    ['/v1/streams/messages/records?limit=0', 400, 'invalid_argument'],
    ['/v1/streams/messages/records?limit=ten', 400, 'invalid_argument'],
    ['/v1/streams/messages/records?limit=1&limit=2', 400, 'invalid_argument'],
    ['/v1/streams/messages/records?order=up', 400, 'invalid_argument'],
    ['/v1/streams/messages/records?max_bytes=5', 400, 'invalid_argument'],
    ['/v1/schema?detail=full', 400, 'invalid_request'],
    ['/v1/schema?colour=blue', 400, 'invalid_request'],
    ['/v1/owner/receipts', 403, 'permission_error'],
    ['/v1/nothing', 404, 'not_found'],
  ]
  for (const [path, status, code] of cases) {
    const answer = await get(path)
    expect([path, answer.status, answer.body?.error?.code]).toEqual([path, status, code])
    expect(errorEnvelopeSchema.safeParse(answer.body).error).toBeUndefined()
  }
  const [foreign, unknown] = await Promise.all(
    ['work', 'unknown'].map((id) => get(`/v1/streams/messages/records?connection_id=${id}`)),
  )
  const withoutId = (text: string) => text.replace(/req_[0-9a-f]+/, '')
  expect(withoutId(foreign!.text)).toBe(withoutId(unknown!.text))
})

it('shows exactly the requested fields, and identity outside of them', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', [message(1)])
  const { get } = await test.grant({ connections: ['home'] })
  const { body } = await get('/v1/streams/messages/records?fields=subject')
  expect(body.data[0].data).toEqual({ subject: 'Subject 1' })
  expect(body.data[0]).toMatchObject({ id: 'm1', connection_id: 'home', connector_key: 'mail', stream: 'messages' })
  expect((await get('/v1/streams/messages/records?view=summary')).body.data[0].data).toEqual({
    id: 'm1',
    subject: 'Subject 1',
    sent_at: at(1),
  })
  expect(JSON.stringify(body)).not.toContain('connector_instance_id')
})

it('orders by arrival where the cursor field is not granted', async () => {
  const test = await mailServer()
  const noTime = structuredClone((await test.owner('GET', '/connectors/mail')).body)
  noTime.streams[0].consent_time_field = null
  noTime.declaration_version = '2'
  expect((await test.owner('POST', '/connectors', noTime)).status).toBe(200)
  await test.ingest('messages', 'home', [message(5), message(9), message(1)])
  const { get } = await test.grant({ connections: ['home'], streams: [{ name: 'messages', fields: ['subject'] }] })
  const { body } = await get('/v1/streams/messages/records')
  expect(body.data.map((record: any) => record.id)).toEqual(['m1', 'm9', 'm5'])
  expect((await get('/v1/streams/messages/records?sort=sent_at')).body.error.code).toBe('field_not_granted')
})

it('limits by record, and asks back if two connections have the key', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(5))
  await test.ingest('messages', 'work', messages(5))
  const { get, grantId } = await test.grant({ connections: ['home', 'work'], resources: ['m1', 'm3'] })
  expect((await get('/v1/streams/messages/records?count=exact')).body.meta.count.value).toBe(4)
  expect((await get('/v1/streams/messages/records/m2')).status).toBe(404)
  const ambiguous = await get('/v1/streams/messages/records/m1')
  expect(ambiguous.status).toBe(409)
  expect(ambiguous.body.error).toMatchObject({
    code: 'ambiguous_connection',
    retry_with: 'connection_id',
    available_connection_count: 2,
    available_connections: [
      { connection_id: 'home', connector_key: 'mail', grant_id: grantId, display_name: 'Home mail' },
      { connection_id: 'work', connector_key: 'mail', grant_id: grantId },
    ],
  })
  expect((await get('/v1/streams/messages/records/m1?connection_id=work')).body.connection_id).toBe('work')
})

it('keeps meaning in refusals: who you are is 401, what ended is 403', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(1))
  const invalid = 'error="invalid_token", error_description="The bearer token is unknown or revoked.", '
  for (const [token, headers, reason] of [
    [undefined, {}, ''],
    ['pdpp_unknown_token_value', {}, invalid],
    // Too short, garbled or too long to be a token. These are reported as invalid, not as missing.
    ['pdpp_bogus', {}, invalid],
    ['nonsense', {}, invalid],
    ['two words', {}, invalid],
    ['x'.repeat(600), {}, invalid],
    [undefined, { authorization: 'Bearer' }, ''],
    [undefined, { authorization: 'Bearer  ' }, ''],
    [undefined, { authorization: 'Basic eA==' }, ''],
  ] as const) {
    const answer = await test.as(token)('GET', '/v1/schema', undefined, headers)
    expect([answer.status, answer.body.error.code]).toEqual([401, 'authentication_error'])
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer ${reason}resource_metadata="${test.server.url}/.well-known/oauth-protected-resource"`,
    )
  }
  const revoked = await test.grant({ connections: ['home'] })
  expect((await revoked.get('/v1/schema')).status).toBe(200)
  await test.owner('POST', `/v1/owner/grants/${revoked.grantId}/revoke`)
  expect((await revoked.get('/v1/schema')).body.error).toMatchObject({ code: 'grant_revoked', http_status: 403 })
  expect((await test.owner('POST', `/v1/owner/grants/${revoked.grantId}/revoke`)).body.error.code).toBe(
    'already_revoked',
  )
  const brief = await test.grant({ connections: ['home'], expires_at: new Date(Date.now() + 3_600_000).toISOString() })
  expect((await brief.get('/v1/schema')).status).toBe(200)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_001 })
  try {
    expect((await brief.get('/v1/schema')).body.error.code).toBe('grant_expired')
  } finally {
    vi.useRealTimers()
  }
})

it('does not widen a grant when the source declares more', async () => {
  const test = await mailServer()
  const { get } = await test.grant({ connections: ['home'] })
  const wider = structuredClone((await test.owner('GET', '/connectors/mail')).body)
  wider.streams[0].schema.properties.private_note = { type: 'string' }
  wider.declaration_version = '2'
  await test.owner('POST', '/connectors', wider)
  await test.ingest('messages', 'home', [message(1, { private_note: 'not for you', undeclared: 'nor this' })])
  const { body, text } = await get('/v1/streams/messages/records')
  expect(body.data).toHaveLength(1)
  expect(text).not.toMatch(/private_note|not for you|undeclared/)
  expect((await get('/v1/streams/messages/records?fields=private_note')).body.error.code).toBe('field_not_granted')
  expect((await test.owner('GET', '/v1/streams/messages/records?connector_id=mail')).text).toContain('nor this')
})

it('answers hosts that are ours and nobody else', async () => {
  const test = await mailServer()
  const { request } = await import('node:http')
  const status = await new Promise((resolve) => {
    const { port } = new URL(test.server.url)
    request({ host: '127.0.0.1', port, path: '/v1/schema', headers: { host: 'evil.example' } }, (response) =>
      resolve(response.statusCode),
    ).end()
  })
  expect(status).toBe(421)
  const answer = await test.owner('GET', '/v1/schema', undefined, {
    'request-id': 'my-id.1',
    'pdpp-version': '2026-04-06',
  })
  expect([
    answer.headers.get('request-id'),
    answer.headers.get('x-request-id'),
    answer.headers.get('pdpp-version'),
  ]).toEqual(['my-id.1', 'my-id.1', '2026-04-06'])
  expect((await test.owner('GET', '/v1/schema', undefined, { 'pdpp-version': '1999-01-01' })).body.error.code).toBe(
    'unsupported_version',
  )
})

it("shows nothing once a grant's time field is no longer declared", async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(3))
  const { get } = await test.grant({ connections: ['home'], streams: [{ name: 'messages' }], since: at(0) })
  expect((await get('/v1/streams/messages/records')).body.data).toHaveLength(3)
  const changed = structuredClone((await test.owner('GET', '/connectors/mail')).body)
  changed.streams[0].schema.properties.sent_at = { type: 'string' }
  changed.streams[0].consent_time_field = null
  changed.declaration_version = '2'
  expect((await test.owner('POST', '/connectors', changed)).status).toBe(200)
  for (const path of [
    '/v1/streams/messages/records?count=exact',
    '/v1/streams/messages/records?changes_since=beginning',
    '/v1/streams',
  ]) {
    const { status, body } = await get(path)
    expect([path, status, body.data.filter((row: any) => row.object === 'record')]).toEqual([path, 200, []])
  }
})

it('does not let an old grant read a new connection under an old id', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(3))
  const { get } = await test.grant({ connections: ['home'] })
  await test.owner('DELETE', '/v1/owner/connections/home')
  const again = await test.owner('POST', '/v1/owner/connections', { connector_key: 'mail', connection_id: 'home' })
  expect([again.status, again.body.error.code]).toEqual([409, 'already_exists'])
  expect((await get('/v1/streams/messages/records')).body.data).toEqual([])
})

it('answers a wrong method with those that are right', async () => {
  const test = await mailServer()
  const { status, body, headers } = await test.owner('POST', '/v1/schema', {})
  expect([status, body.error.code, headers.get('allow')]).toEqual([405, 'method_not_allowed', 'GET'])
  const head = await fetch(`${test.server.url}/oauth/authorize`, { method: 'HEAD' })
  expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET'])
})
