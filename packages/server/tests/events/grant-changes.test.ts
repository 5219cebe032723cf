import { expect, it, onTestFinished, vi } from 'vitest'
import { mailServer, message, messages, type TestServer } from '../../../../tests/fixtures/server.ts'
import { caughtUp, eventServer, eventually, FAST, PATH, subscribe } from './events-support.ts'
import { receiver, verify } from './receiver.ts'

const CHANGED = 'pdpp.records.changed'
const records = (event: any) =>
  `/v1/streams/${event.data.stream}/records?connection_id=${event.data.connection_id}&changes_since=${event.data.changes_since}`

/** A grant with a subscription of each kind. */
async function both(request: object = {}) {
  const hook = await receiver()
  const test = await eventServer({}, { reach: hook.reach, eventTimes: { ...FAST, firstRetryMs: 10 } })
  await test.ingest('messages', 'home', messages(3))
  const granted = await test.grant({ connections: ['home'], streams: [{ name: 'messages' }], ...request })
  const poll = await subscribe(test, granted.token)
  const webhook = await subscribe(test, granted.token, { callback_url: hook.url })
  await hook.events('pdpp.subscription.verify')
  const state = async (id: string) =>
    (await test.owner('GET', `/v1/owner/subscriptions?grant_id=${granted.grantId}`)).body.data.find(
      (one: any) => one.subscription_id === id,
    )
  await eventually(async () => (await poll.call('GET', `${PATH}/${webhook.id}`)).body.status === 'active')
  return { hook, test, ...granted, poll, webhook, state }
}

it('follows a narrowed grant with a gap and a new bookmark', async () => {
  const { hook, test, grantId, get, poll, webhook } = await both()
  await test.ingest('messages', 'home', [message(5)])
  const [before] = await poll.next()
  const narrowed = await test.owner('POST', `/v1/owner/grants/${grantId}/narrow`, {
    streams: [{ name: 'messages', fields: ['subject'] }],
  })
  expect(narrowed.status, narrowed.text).toBe(200)
  expect((await get(records(before))).body.error.code).toBe('invalid_cursor')
  const [gap, ...others] = await poll.next()
  expect(others).toEqual([])
  expect(gap.data).toMatchObject({ stream: 'messages', change_count: 0, gap: true })
  await test.ingest('messages', 'home', [message(6), message(1, { body: 'hidden now' })])
  expect((await get(records(gap))).body.data.map((record: any) => record.id)).toEqual(['m6'])
  const [later] = await poll.next()
  expect(later.data).toMatchObject({ change_count: 1 })
  expect(later.data.gap).toBeUndefined()
  const found = (await poll.call('GET', `${PATH}/${poll.id}`)).body
  expect(found.grant_id).toBe(narrowed.body.grant_id)
  const sent = await hook.events(CHANGED, 3)
  expect(sent.map(({ event }) => [event.data.gap, event.data.change_count])).toEqual([
    [undefined, 1],
    [true, 0],
    [undefined, 1],
  ])
  expect((await poll.call('GET', PATH)).body.data.map((one: any) => one.subscription_id).sort()).toEqual(
    [poll.id, webhook.id].sort(),
  )
})

it('sends nothing while a grant is paused, and everything afterwards', async () => {
  const { hook, test, grantId, poll } = await both()
  await test.owner('POST', `/v1/owner/grants/${grantId}/pause`)
  await test.ingest('messages', 'home', [message(5)])
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(hook.received.filter(({ event }) => event.type === CHANGED)).toEqual([])
  expect((await poll.call('GET', `${PATH}/${poll.id}/events`)).body.error.code).toBe('grant_paused')
  await test.owner('POST', `/v1/owner/grants/${grantId}/resume`)
  expect((await poll.next())[0].data.change_count).toBe(1)
  await hook.events(CHANGED)
})

it('sends one last event when a grant is revoked, and nothing after it', async () => {
  const { hook, test, grantId, poll, webhook, state } = await both()
  const waiting = poll.call('GET', `${PATH}/${poll.id}/events?wait=20`)
  await test.owner('POST', `/v1/owner/grants/${grantId}/revoke`)
  await test.ingest('messages', 'home', [message(5)])
  const [last] = await hook.events('pdpp.grant.revoked')
  expect(verify(webhook.created.body.secret, last!).data).toEqual({ subscription_id: webhook.id, grant_id: grantId })
  expect((await waiting).body.error.code).toBe('grant_revoked')
  for (const id of [poll.id, webhook.id])
    expect(await eventually(async () => (await state(id)).status === 'disabled_revoked' && state(id))).toMatchObject({
      disabled_reason: 'grant_revoked',
    })
  await caughtUp(test)
  expect(hook.received.map(({ event }) => event.type)).toEqual(['pdpp.subscription.verify', 'pdpp.grant.revoked'])
})

it('ends subscriptions of a grant that has expired', async () => {
  const { hook, test, poll, state } = await both({ expires_at: new Date(Date.now() + 60_000).toISOString() })
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 })
  await test.ingest('messages', 'home', [message(5)])
  expect(
    await eventually(async () => (await state(poll.id)).status === 'disabled_revoked' && state(poll.id)),
  ).toMatchObject({ disabled_reason: 'grant_expired' })
  expect(hook.received.filter(({ event }) => event.type === CHANGED)).toEqual([])
})

it('stops after three days without success, until it is enabled', async () => {
  const { hook, test, poll, webhook } = await both()
  hook.answerWith((_one, response) => {
    response.writeHead(500).end()
    return true
  })
  onTestFinished(() => void vi.useRealTimers())
  await test.ingest('messages', 'home', [message(5)])
  await hook.events(CHANGED)
  const read = async () => (await poll.call('GET', `${PATH}/${webhook.id}`)).body
  await eventually(async () => (await read()).last_failure !== undefined)
  expect((await read()).status).toBe('active')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * 86_400_000 + 60_000 })
  await test.ingest('messages', 'home', [message(6)])
  const disabled = await eventually(async () => (await read()).status === 'disabled_failure' && read())
  expect(disabled).toMatchObject({ disabled_reason: 'no_success_for_three_days', last_failure: { status: 500 } })
  hook.answerWith(() => undefined)
  const count = hook.received.length
  expect((await poll.call('PATCH', `${PATH}/${webhook.id}`, { enabled: true })).body.subscription.status).toBe('active')
  await eventually(() => hook.received.length >= count + 2)
  expect(hook.received.slice(count).map(({ event }) => event.data.change_count)).toEqual([1, 1])
})

it('drops unread events after seven days, and says so in the next one', async () => {
  const { test, poll } = await both()
  onTestFinished(() => void vi.useRealTimers())
  await test.ingest('messages', 'home', [message(5)])
  await caughtUp(test)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * 86_400_000 })
  await test.ingest('messages', 'home', [message(6)])
  await caughtUp(test)
  const events = await poll.next()
  expect(events.map(({ data }: any) => [data.change_count, data.gap])).toEqual([[1, true]])
})

it('tells of a stream that was emptied with a gap', async () => {
  const { test, poll, get } = await both()
  await test.owner('DELETE', '/v1/streams/messages/records?connection_id=home')
  const [gap] = await poll.next()
  expect(gap.data).toMatchObject({ stream: 'messages', change_count: 0, gap: true })
  await test.ingest('messages', 'home', [message(1)])
  expect((await get(records(gap))).body.data).toHaveLength(1)
  expect((await poll.next())[0].data.gap).toBeUndefined()
})

async function packaged(test: TestServer) {
  const member = async (body: object) =>
    (await test.owner('POST', '/v1/owner/grants', { client_name: 'Agent', ...body })).body.grant_id
  const home = await member({ connections: ['home'] })
  const work = await member({ connections: ['work'], streams: [{ name: 'messages' }] })
  const made = await test.owner('POST', '/v1/owner/packages', { grants: [home, work] })
  expect(made.status, made.text).toBe(201)
  return { home, work, token: made.body.access_token, packageId: made.body.package_id }
}

it('gives a package a subscription for one of its grants', async () => {
  const test = await mailServer({}, { eventTimes: FAST })
  const { home, work, token } = await packaged(test)
  const call = test.as(token)
  const unclear = await call('POST', PATH, { filters: { streams: ['messages'] } })
  expect(unclear.body.error).toMatchObject({
    code: 'ambiguous_connection',
    available_connections: [{ connection_id: 'home' }, { connection_id: 'work' }],
  })
  expect((await call('POST', PATH, { filters: { connection_ids: ['home', 'work'] } })).body.error.code).toBe(
    'invalid_argument',
  )
  const labels = await subscribe(test, token, { filters: { streams: ['labels'] } })
  expect(labels.created.body.grant_id).toBe(home)
  const mail = await subscribe(test, token, { filters: { connection_ids: ['work'] } })
  expect(mail.created.body.grant_id).toBe(work)
  await test.ingest('messages', 'home', [message(1)])
  await test.ingest('messages', 'work', [message(1)])
  expect((await mail.next()).map(({ data }: any) => data.connection_id)).toEqual(['work'])
  expect((await call('GET', PATH)).body.data).toHaveLength(2)
  await test.owner('POST', `/v1/owner/grants/${work}/revoke`)
  const ended = await eventually(async () => {
    const { body } = await call('GET', `${PATH}/${mail.id}`)
    return body.status === 'disabled_revoked' && body
  })
  expect(ended.disabled_reason).toBe('grant_revoked')
  const enabled = await call('PATCH', `${PATH}/${mail.id}`, { enabled: true })
  expect([enabled.status, enabled.body.error.code]).toEqual([409, 'grant_revoked'])
})
