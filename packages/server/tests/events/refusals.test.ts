import { OWNER } from '@pdpp/server'
import { expect, it } from 'vitest'
import { mailServer, message } from '../../../../tests/fixtures/server.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import type { AllowedHosts } from '../../src/lib/guarded-fetch.ts'
import { PUBLIC_INTERNET } from '../../src/lib/guarded-fetch.ts'
import { eventServer, eventually, FAST, PATH, subscribe } from './events-support.ts'
import { receiver } from './receiver.ts'

it.each([
  [
    'a stream outside the grant',
    { filters: { streams: ['labels'] } },
    403,
    'grant_stream_not_allowed',
    'filters.streams',
  ],
  [
    'a stream that nobody has',
    { filters: { streams: ['secrets'] } },
    403,
    'grant_stream_not_allowed',
    'filters.streams',
  ],
  [
    'a connection outside the grant',
    { filters: { connection_ids: ['work'] } },
    404,
    'connection_not_found',
    'filters.connection_ids',
  ],
  ['an unknown event type', { event_types: ['pdpp.records.read'] }, 400, 'invalid_argument', 'event_types'],
  ['no event type', { event_types: [] }, 400, 'invalid_argument', 'event_types'],
  [
    'an unknown kind of change',
    { filters: { change_kinds: ['read'] } },
    400,
    'invalid_request',
    'filters.change_kinds.0',
  ],
  ['an unknown member', { callback: 'https://a.example' }, 400, 'invalid_request', 'body'],
  ['a webhook without an address', { delivery: 'webhook' }, 400, 'invalid_argument', 'callback_url'],
  [
    'an address for polling',
    { delivery: 'poll', callback_url: 'https://a.example' },
    400,
    'invalid_argument',
    'callback_url',
  ],
])('refuses %s and stores nothing', async (_name, body, status, code, param) => {
  const test = await mailServer()
  const { token } = await test.grant({ connections: ['home'], streams: [{ name: 'messages' }] })
  const refused = await test.as(token)('POST', PATH, body)
  expect([refused.status, refused.body.error.code, refused.body.error.param]).toEqual([status, code, param])
  expect(refused.body.error.next_step).toMatch(/\.$/)
  expect((await test.as(token)('GET', PATH)).body).toEqual({ object: 'list', has_more: false, data: [] })
})

verifies.each('checklist 27', [
  'http://receiver.example/hook',
  'https://127.0.0.1/hook',
  'https://10.0.0.1/hook',
  'https://169.254.169.254/latest/meta-data',
  'https://2130706433/hook',
  'https://0x7f.1/hook',
  'https://[::1]/hook',
  'https://[::ffff:127.0.0.1]/hook',
  'https://[fd00::1]/hook',
  'https://user:secret@receiver.example/hook',
  'https://receiver.example/hook#part',
  'https://private.example/hook',
  'https://mixed.example/hook',
  'https://nowhere.example/hook',
  'ftp://receiver.example/hook',
  'receiver.example/hook',
  `https://receiver.example/${'a'.repeat(2048)}`,
])('refuses the callback %s and stores nothing', async (callback) => {
  const names: Record<string, string[]> = {
    'receiver.example': ['93.184.216.34'],
    'private.example': ['192.168.1.1'],
    'mixed.example': ['93.184.216.34', '127.0.0.1'],
  }
  const reach: AllowedHosts = { ...PUBLIC_INTERNET, resolve: async (host) => names[host] ?? [] }
  const test = await mailServer({}, { reach })
  const { token } = await test.grant({ connections: ['home'] })
  const refused = await test.as(token)('POST', PATH, { callback_url: callback })
  expect([refused.status, refused.body.error.code]).toEqual([400, 'callback_not_allowed'])
  expect((await test.as(token)('GET', PATH)).body.data).toEqual([])
})

verifies('checklist 27', 'checks the address of a name again at every delivery', async () => {
  const hook = await receiver()
  const asked: string[] = []
  let address = '127.0.0.1'
  const reach: AllowedHosts = {
    ...hook.reach,
    resolve: async (host) => {
      asked.push(host)
      return [address]
    },
  }
  const test = await eventServer({}, { reach, eventTimes: { ...FAST, firstRetryMs: 10 } })
  const { token, grantId } = await test.grant({ connections: ['home'] })
  const { id, call } = await subscribe(test, token, { callback_url: hook.url })
  await eventually(async () => (await call('GET', `${PATH}/${id}`)).body.status === 'active')
  address = '127.0.0.2'
  const before = asked.length
  await test.ingest('messages', 'home', [message(1)])
  const failed = await eventually(async () => {
    const { body } = await call('GET', `${PATH}/${id}`)
    return body.last_failure && body
  })
  expect(failed.last_failure).toEqual({ at: expect.any(String), reason: 'unreachable' })
  expect(asked.length).toBeGreaterThan(before)
  expect(hook.received.map(({ event }) => event.type)).toEqual(['pdpp.subscription.verify'])
  const owner = await test.owner('GET', `/v1/owner/subscriptions?grant_id=${grantId}`)
  expect(owner.body.data[0].deliveries[0]).toMatchObject({ outcome: 'address_not_allowed', stream: 'messages' })
  address = '127.0.0.1'
  await hook.events('pdpp.records.changed')
})

it('sends to private addresses only if the owner allows it', async () => {
  const hook = await receiver()
  const { isAllowed, ...reach } = hook.reach
  const test = await eventServer({}, { reach: { ...reach, isAllowed: () => false }, eventTimes: FAST })
  expect(isAllowed('127.0.0.1')).toBe(true)
  const { token } = await test.grant({ connections: ['home'] })
  const call = test.as(token)
  expect((await call('POST', PATH, { callback_url: hook.url })).body.error.code).toBe('callback_not_allowed')
  const settings = await test.owner('PATCH', '/v1/owner/settings', { event_private_addresses: true })
  expect(settings.body).toMatchObject({ event_delivery: true, event_private_addresses: true })
  const { id } = await subscribe(test, token, { callback_url: hook.url })
  await eventually(async () => (await call('GET', `${PATH}/${id}`)).body.status === 'active')
  // Addresses where cloud machines keep credentials are never private networks.
  expect((await call('POST', PATH, { callback_url: 'https://169.254.169.254/' })).status).toBe(400)
  expect((await call('POST', PATH, { callback_url: 'http://client.example/hook' })).status).toBe(400)
  await test.owner('PATCH', '/v1/owner/settings', { event_delivery: false })
  expect((await call('POST', PATH, { callback_url: hook.url })).body.error.code).toBe('callback_not_allowed')
  await test.ingest('messages', 'home', [message(1)])
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(hook.received.map(({ event }) => event.type)).toEqual(['pdpp.subscription.verify'])
  await test.owner('PATCH', '/v1/owner/settings', { event_delivery: true })
  await hook.events('pdpp.records.changed')
})

it('has limits for subscriptions, bodies and waiting requests', async () => {
  const test = await mailServer()
  const { token } = await test.grant({ connections: ['home'] })
  const call = test.as(token)
  for (let n = 0; n < 20; n++) expect((await call('POST', PATH, {})).status).toBe(201)
  const more = await call('POST', PATH, {})
  expect([more.status, more.body.error.code]).toEqual([413, 'resource_limit'])
  const large = await call('POST', PATH, { filters: { streams: Array(9000).fill('messages') } })
  expect([large.status, large.body.error.code]).toEqual([413, 'resource_limit'])
  const page = await call('GET', `${PATH}?limit=15`)
  expect([page.body.data.length, page.body.has_more]).toEqual([15, true])
  const rest = await call('GET', `${PATH}?limit=15&cursor=${page.body.next_cursor}`)
  expect([rest.body.data.length, rest.body.has_more]).toEqual([5, false])
  const ids = [...page.body.data, ...rest.body.data].map((one: any) => one.subscription_id)
  expect(new Set(ids).size).toBe(20)
  const events = `${PATH}/${ids[0]}/events`
  for (const query of ['wait=31', 'wait=-1', 'limit=0', 'limit=101', 'since=now'])
    expect((await call('GET', `${events}?${query}`)).status).toBe(400)
  // The third request for the same subscription ends the first one.
  const waiting = [1, 2, 3].map(() => call('GET', `${events}?wait=1`))
  const started = Date.now()
  await waiting[0]
  expect(Date.now() - started).toBeLessThan(900)
  for (const answer of await Promise.all(waiting)) expect(answer.body.data).toEqual([])
})

verifies('checklist 27', 'limits how many addresses a client can have challenged', async () => {
  const hook = await receiver()
  const test = await mailServer({}, { reach: hook.reach })
  const { token } = await test.grant({ connections: ['home'] })
  const call = test.as(token)
  const statuses: number[] = []
  for (let n = 0; n < 61; n++) {
    const { status, body } = await call('POST', PATH, { callback_url: hook.url })
    statuses.push(status)
    if (status === 201) await call('DELETE', `${PATH}/${body.subscription_id}`)
  }
  expect(statuses).toEqual([...Array(60).fill(201), 429])
  expect((await call('POST', PATH, {})).status).toBe(201)
})

it('hides the subscriptions of others, and is not for the owner', async () => {
  const test = await mailServer()
  const one = await test.grant({ connections: ['home'] })
  const other = await test.grant({ connections: ['home'] })
  const { id } = await subscribe(test, one.token)
  const call = test.as(other.token)
  const unknown = `${PATH}/sub_000000000000000000000000`
  for (const [method, suffix, body] of [
    ['GET', '', undefined],
    ['PATCH', '', {}],
    ['DELETE', '', undefined],
    ['POST', '/test-event', undefined],
    ['GET', '/events', undefined],
  ] as const) {
    const foreign = await call(method, `${PATH}/${id}${suffix}`, body)
    const missing = await call(method, unknown + suffix, body)
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'not_found'])
    const { request_id: _one, ...told } = foreign.body.error
    const { request_id: _other, ...same } = missing.body.error
    expect(told).toEqual(same)
  }
  expect((await call('GET', PATH)).body.data).toEqual([])
  const refused = await test.owner('POST', PATH, {})
  expect([refused.status, refused.body.error.code]).toEqual([403, 'grant_invalid'])
  expect((await test.as(undefined)('GET', PATH)).status).toBe(401)
})

it('leaves a receipt for every delivery, and none for an empty poll', async () => {
  const hook = await receiver()
  const test = await eventServer({}, { reach: hook.reach })
  const { token, grantId } = await test.grant({ connections: ['home'] })
  const poll = await subscribe(test, token)
  await subscribe(test, token, { callback_url: hook.url })
  await hook.events('pdpp.subscription.verify')
  await poll.next(0)
  await test.ingest('messages', 'home', [message(1)])
  await poll.next()
  await hook.events('pdpp.records.changed')
  const told = await eventually(async () => {
    const { body } = await test.owner('GET', `/v1/owner/receipts?grant_id=${grantId}`)
    const found = body.data.filter(({ operation }: any) => operation === 'event_delivery')
    return found.length === 3 && found
  })
  expect(told.map((one: any) => [one.surface, one.stream, one.outcome]).sort()).toEqual([
    ['rest', 'messages', 'ok'],
    ['webhook', null, 'ok'],
    ['webhook', 'messages', 'ok'],
  ])
  for (const one of told) expect([one.record_count, one.bytes > 0]).toEqual([0, true])
})

it('stores no secret in the clear, and lets the owner stop for good', async () => {
  const hook = await receiver()
  const test = await eventServer({}, { reach: hook.reach })
  const { token } = await test.grant({ connections: ['home'] })
  const { id, call, created } = await subscribe(test, token, { callback_url: hook.url })
  await eventually(async () => (await call('GET', `${PATH}/${id}`)).body.status === 'active')
  const found = await test.server.context.storage.subscriptions.find(OWNER, id)
  expect(found?.secrets).toHaveLength(1)
  expect(JSON.stringify(found)).not.toContain(created.body.secret.slice(6, 30))
  const stopped = await test.owner('POST', `/v1/owner/subscriptions/${id}/stop`)
  expect(stopped.body).toMatchObject({ status: 'disabled', disabled_reason: 'stopped_by_owner' })
  await test.ingest('messages', 'home', [message(1)])
  const enabled = await call('PATCH', `${PATH}/${id}`, { enabled: true })
  expect([enabled.status, enabled.body.error.code]).toEqual([409, 'invalid_state'])
  expect(hook.received.map(({ event }) => event.type)).toEqual(['pdpp.subscription.verify'])
  expect((await call('DELETE', `${PATH}/${id}`)).status).toBe(204)
  expect((await test.owner('POST', `/v1/owner/subscriptions/${id}/stop`)).status).toBe(404)
})

it('hides subscriptions from another client that reads the same grant', async () => {
  const test = await mailServer()
  const second = await test.grant({ connections: ['work'], streams: [{ name: 'messages' }] })
  const { token: third, grantId: thirdId } = await test.grant({
    connections: ['home'],
    streams: [{ name: 'messages' }],
  })
  const { body: own } = await test.as(third)('POST', PATH, {})
  const { body: mixed } = await test.owner('POST', '/v1/owner/packages', { grants: [second.grantId, thirdId] })
  const stranger = test.as(mixed.access_token)
  const path = `${PATH}/${own.subscription_id}`
  expect((await stranger('GET', PATH)).body.data).toEqual([])
  expect((await stranger('GET', path)).status).toBe(404)
  expect((await stranger('PATCH', path, { enabled: false })).status).toBe(404)
  expect((await stranger('DELETE', path)).status).toBe(404)
  expect((await test.as(third)('GET', path)).body.status).toBe('active')
})
