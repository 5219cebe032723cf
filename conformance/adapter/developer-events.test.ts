// Event subscriptions on the developer surface: the tools over every transport, and the notifications to a host that
// listens.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Client } from '@modelcontextprotocol/client'
import { EVENT_META_KEY } from '@pdpp/mcp-server/developer'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { verifies } from '../../tests/fixtures/verifies.ts'
import { type Access, type Agent, type AgentKind, connectAgent, onEveryTransport } from './fixtures/agent.ts'
import { CHAT_MESSAGES, NOTES } from './fixtures/sources.ts'
import { openWorld } from './fixtures/world.ts'

const world = openWorld()
const TIMEOUT = { timeout: 15_000 }
const NOTEBOOK = 'pdpp://stream/notebook/notes'

/** Every test gets a grant of its own, because subscriptions are counted by grant. */
let grants = 0
const newGrant = () => world.grant(`notes events ${++grants}`)

async function developer(kind: AgentKind, access: Access): Promise<Agent> {
  world.cache(access)
  const agent = await connectAgent(kind, world, access, 'developer')
  onTestFinished(() => agent.close())
  return agent
}

let changes = 0
/** Adds a record that the grants of this file include. Returns its key. */
async function change(): Promise<string> {
  const [note] = NOTES
  const id = `event-note-${++changes}`
  await world.ingest('notes', 'notebook', [{ ...note!, id }])
  return id
}

/** Collects the notifications that a client gets, in their order. */
function notificationsOf(client: Client): any[] {
  const notifications: any[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void notifications.push(params))
  return notifications
}

/** The keys of the changed records that a client reads with the bookmark of an event. */
async function changedKeys(agent: Agent, { stream, connection_id, changes_since }: any): Promise<string[]> {
  const { structured } = await agent.use('query_records', { stream, connection_id, changes_since })
  return structured.data.data.map(({ id }: any) => id)
}

onEveryTransport((kind) => {
  verifies(
    ['003.2', '004.2.1', 'point 2', 'point 44'],
    'tools create, change, test and delete a subscription',
    async () => {
      const agent = await developer(kind, await newGrant())
      const created = await agent.use('create_event_subscription', { streams: ['notes'], connection_ids: ['notebook'] })
      const { subscription_id } = created.structured.data
      expect(created.structured.data).toMatchObject({ delivery: 'poll', status: 'active', grant_id: agent.access.id })
      expect(created.structured.data.scope.streams).toEqual([{ name: 'notes', instance_ids: ['notebook'] }])
      expect(created.text).toContain(`/v1/event-subscriptions/${subscription_id}/events?wait=30`)
      const listed = await agent.use('list_event_subscriptions')
      expect(listed.structured.data).toEqual(await world.rest('/v1/event-subscriptions', agent.access.token))
      expect(listed.text).toContain(`- ${subscription_id}: active; poll; hears of notes of notebook`)
      const read = await agent.use('get_event_subscription', { subscription_id })
      const path = `/v1/event-subscriptions/${subscription_id}`
      expect(read.structured.data).toEqual(await world.rest(path, agent.access.token))
      const off = await agent.use('update_event_subscription', { subscription_id, enabled: false })
      expect(off.structured.data.subscription.status).toBe('disabled')
      expect(await agent.refusal('send_test_event', { subscription_id })).toMatchObject({
        code: 'invalid_state',
        http_status: 409,
      })
      await agent.use('update_event_subscription', { subscription_id, enabled: true, change_kinds: ['deleted'] })
      const sent = await agent.use('send_test_event', { subscription_id })
      const events = await world.rest(`${path}/events`, agent.access.token)
      expect(events.data).toMatchObject([{ id: sent.structured.data.event_id, type: 'pdpp.subscription.test' }])
      await agent.use('delete_event_subscription', { subscription_id })
      expect(await agent.refusal('get_event_subscription', { subscription_id })).toMatchObject({ code: 'not_found' })
      expect((await agent.use('list_event_subscriptions')).structured.data.data).toEqual([])
    },
  )

  verifies(['003.2', 'point 11'], 'a stream outside the grant is refused, and nothing is stored', async () => {
    const agent = await developer(kind, await newGrant())
    for (const [args, code] of [
      [{ streams: ['messages'] }, 'grant_stream_not_allowed'],
      [{ connection_ids: ['home'] }, 'connection_not_found'],
      [{ callback_url: 'http://127.0.0.1:9/' }, 'callback_not_allowed'],
      [{ delivery: 'webhook' }, 'invalid_argument'],
    ] as const)
      expect(await agent.refusal('create_event_subscription', args)).toMatchObject({ code })
    expect((await agent.use('list_event_subscriptions')).structured.data.data).toEqual([])
  })

  verifies('003.2', 'a grant does not see subscriptions of other grants', async () => {
    const [agent, other] = [await developer(kind, await newGrant()), await developer(kind, await newGrant())]
    const { subscription_id } = (await agent.use('create_event_subscription')).structured.data
    for (const tool of ['get_event_subscription', 'delete_event_subscription', 'send_test_event']) {
      const foreign = await other.refusal(tool, { subscription_id })
      const unknown = await other.refusal(tool, { subscription_id: `${subscription_id.slice(0, -4)}0000` })
      expect({ ...foreign, request_id: '' }).toEqual({ ...unknown, request_id: '' })
      expect(foreign).toMatchObject({ code: 'not_found', http_status: 404 })
    }
    expect((await other.use('list_event_subscriptions')).structured.data.data).toEqual([])
  })
})

interface Receiver {
  readonly url: string
  /** The deliveries with their headers, which the library needs to verify them. */
  readonly received: { headers: Record<string, string>; body: string; event: any }[]
}

/** Starts a webhook receiver on this machine that answers challenges. */
async function receiver(): Promise<Receiver> {
  const received: Receiver['received'] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const event = JSON.parse(body)
    received.push({ headers: request.headers as Record<string, string>, body, event })
    response.end(event.type === 'pdpp.subscription.verify' ? JSON.stringify({ challenge: event.data.challenge }) : '{}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received }
}

verifies.each(['003.2', 'point 44'], ['stdio 2025-11-25', 'hosted 2026-07-28'] as const)(
  'an agent sets up a webhook, and its receiver verifies the events (%s)',
  async (kind) => {
    await world.owner('PATCH', '/v1/owner/settings', { event_private_addresses: true })
    onTestFinished(() => world.owner('PATCH', '/v1/owner/settings', { event_private_addresses: false }))
    const agent = await developer(kind, await newGrant())
    const { url, received } = await receiver()
    const created = await agent.use('create_event_subscription', { callback_url: url, streams: ['notes'] })
    const { secret, subscription_id, status } = created.structured.data
    expect(status).toBe('pending_verification')
    expect(created.text).toContain(`secret: ${secret}\nThis secret is shown once`)
    const state = async () => (await agent.use('get_event_subscription', { subscription_id })).structured.data.status
    await expect.poll(state, TIMEOUT).toBe('active')
    const { event_id } = (await agent.use('send_test_event', { subscription_id })).structured.data
    const rotated = await agent.use('update_event_subscription', { subscription_id, rotate_secret: true })
    const id = await change()
    const delivery = (type: string) => received.find(({ event }) => event.type === type)
    await expect.poll(() => delivery('pdpp.records.changed'), TIMEOUT).toBeDefined()
    expect(delivery('pdpp.subscription.test')!.event.id).toBe(event_id)
    const { body, headers, event } = delivery('pdpp.records.changed')!
    for (const valid of [secret, rotated.structured.data.secret])
      expect(new Webhook(valid).verify(body, headers)).toMatchObject({ type: 'pdpp.records.changed' })
    expect(() => new Webhook(secret).verify(body.replace('notes', 'other'), headers)).toThrow()
    expect(await changedKeys(agent, event.data)).toEqual([id])
    for (const tool of ['get_event_subscription', 'list_event_subscriptions'])
      expect(JSON.stringify(await agent.use(tool, tool.startsWith('get') ? { subscription_id } : {}))).not.toContain(
        'whsec_',
      )
    await agent.use('delete_event_subscription', { subscription_id })
  },
)

test.each(['stdio 2026-07-28', 'hosted 2026-07-28'] as const)(
  'a package gets notifications of all its members (%s)',
  async (kind) => {
    const access = await world.package(`events ${kind}`, `notes events package ${kind}`, `chat events package ${kind}`)
    const agent = await developer(kind, access)
    expect(await agent.refusal('create_event_subscription')).toMatchObject({ code: 'ambiguous_connection' })
    const notifications = notificationsOf(agent.client)
    const uris = [NOTEBOOK, 'pdpp://stream/team/messages']
    const subscription = await agent.client.listen({ resourceSubscriptions: uris })
    expect(await subscriptionsOf(access)).toHaveLength(2)
    await change()
    const [message] = CHAT_MESSAGES
    await world.ingest('messages', 'team', [{ ...message!, id: `event-message-${kind}` }])
    await expect.poll(() => notifications.map(({ uri }) => uri).toSorted(), TIMEOUT).toEqual(uris)
    await subscription.close()
  },
)

onEveryTransport((kind) => {
  const canListen = kind !== 'hosted 2025-11-25'

  verifies(['point 2', '003.8.3'], 'the server advertises notifications if the transport has them', async () => {
    const agent = await developer(kind, await newGrant())
    const { resources } = agent.client.getServerCapabilities()!
    expect(resources).toEqual({ listChanged: false, ...(canListen ? { subscribe: true } : {}) })
    const { resourceTemplates } = await agent.client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('pdpp://stream/{connection_id}/{stream}')
    const { contents } = await agent.client.readResource({ uri: NOTEBOOK })
    expect(JSON.stringify(contents)).toContain('notes')
    if (!canListen) await expect(agent.client.subscribeResource({ uri: NOTEBOOK })).rejects.toThrow()
  })

  verifies('000.2.1', 'the normal server offers no notifications', async () => {
    const agent = await world.agent(kind, await world.grant('notes'))
    expect(agent.client.getServerCapabilities()!.resources).toEqual({ listChanged: false })
    const { resourceTemplates } = await agent.client.listResourceTemplates()
    expect(resourceTemplates).toHaveLength(3)
    await expect(agent.client.readResource({ uri: NOTEBOOK })).rejects.toThrow()
  })
})

/** Opens a listener in the way of the agent's protocol revision. Returns a function that closes it. */
async function listen(agent: Agent, uri: string): Promise<() => Promise<void>> {
  if (agent.kind.endsWith('2025-11-25')) {
    await agent.client.subscribeResource({ uri })
    return async () => void (await agent.client.unsubscribeResource({ uri }))
  }
  const subscription = await agent.client.listen({ resourceSubscriptions: [uri] })
  return () => subscription.close()
}

const LISTENING = ['stdio 2025-11-25', 'stdio 2026-07-28', 'hosted 2026-07-28'] as const
const subscriptionsOf = async ({ token }: Access) => (await world.rest('/v1/event-subscriptions', token)).data

verifies.each(['003.2', 'point 2'], LISTENING)('a notification of a change has its bookmark (%s)', async (kind) => {
  const agent = await developer(kind, await newGrant())
  const notifications = notificationsOf(agent.client)
  const close = await listen(agent, NOTEBOOK)
  expect(await subscriptionsOf(agent.access)).toMatchObject([{ delivery: 'poll', status: 'active' }])
  const id = await change()
  await expect.poll(() => notifications.length, TIMEOUT).toBe(1)
  const { uri, _meta } = notifications[0]
  const event = _meta[EVENT_META_KEY]
  expect(uri).toBe(NOTEBOOK)
  expect(event).toMatchObject({ stream: 'notes', connection_id: 'notebook', change_count: 1 })
  expect(JSON.stringify(notifications)).not.toContain(id)
  expect(await changedKeys(agent, event)).toEqual([id])
  await world.ingest('messages', 'team', [{ id: 'elsewhere', text: 'x', sent_at: '2026-01-01T00:00:00Z' } as any])
  const next = await change()
  await expect.poll(() => notifications.length, TIMEOUT).toBe(2)
  expect(await changedKeys(agent, notifications[1]._meta[EVENT_META_KEY])).toEqual([next])
  const receipts = await world.owner('GET', `/v1/owner/receipts?grant_id=${agent.access.id}&stream=notes`)
  const notificationReceipts = receipts.data.filter(({ records }: any) => records.length === 0)
  expect(notificationReceipts[0]).toMatchObject({
    surface: agent.isStdio ? 'stdio-developer' : 'mcp-developer',
    operation: agent.isStdio ? 'event_delivery' : 'listen',
    outcome: 'ok',
  })
  await close()
  await expect.poll(() => subscriptionsOf(agent.access), TIMEOUT).toEqual([])
  await change()
  await agent.use('schema')
  expect(notifications).toHaveLength(2)
})

verifies.each(['point 16', 'checklist 18'], ['stdio 2026-07-28', 'hosted 2026-07-28'] as const)(
  'a revoked grant ends the listener (%s)',
  async (kind) => {
    const agent = await developer(kind, await newGrant())
    const subscription = await agent.client.listen({ resourceSubscriptions: [NOTEBOOK] })
    await world.owner('POST', `/v1/owner/grants/${agent.access.id}/revoke`)
    expect(await subscription.closed).toBe('graceful')
  },
)

verifies(['point 16', 'checklist 18'], 'a revoked token gets no more notifications (hosted 2026-07-28)', async () => {
  const agent = await developer('hosted 2026-07-28', await newGrant())
  const notifications = notificationsOf(agent.client)
  const subscription = await agent.client.listen({ resourceSubscriptions: [NOTEBOOK] })
  const [{ client_id }] = await subscriptionsOf(agent.access)
  const body = new URLSearchParams({ token: agent.access.token, client_id })
  expect((await world.get('/oauth/revoke', undefined, { method: 'POST', body })).status).toBe(200)
  await change()
  expect(await subscription.closed).toBe('graceful')
  expect(notifications).toEqual([])
  // The subscription is deleted after the listener has ended.
  const path = `/v1/owner/subscriptions?grant_id=${agent.access.id}`
  await expect.poll(async () => (await world.owner('GET', path)).data).toEqual([])
})

test.each(LISTENING)('an invalid listener is refused with a reason (%s)', async (kind) => {
  const agent = await developer(kind, await newGrant())
  for (const [uri, reason] of [
    ['pdpp://stream/notebook/messages', /grant_stream_not_allowed/],
    ['pdpp://stream/home/notes', /connection_not_found/],
    ['pdpp://stream/notes', /can't listen to/],
    ['https://evil.example/', /can't listen to/],
  ] as const)
    await expect(listen(agent, uri)).rejects.toThrow(reason)
  expect(await subscriptionsOf(agent.access)).toEqual([])
})

test.each(['stdio 2026-07-28', 'hosted 2026-07-28'] as const)(
  'listeners of one token are limited (%s)',
  async (kind) => {
    const agent = await developer(kind, await newGrant())
    const open = []
    for (let count = 0; count < 4; count++) open.push(await listen(agent, NOTEBOOK))
    await expect(listen(agent, NOTEBOOK)).rejects.toThrow(/listeners/)
    await open[0]!()
    await expect.poll(() => subscriptionsOf(agent.access), TIMEOUT).toHaveLength(3)
    await (await listen(agent, NOTEBOOK))()
    for (const close of open.slice(1)) await close()
  },
)

test.each(LISTENING)('the subscription of a host that disconnects is deleted (%s)', async (kind) => {
  const access = await newGrant()
  world.cache(access)
  const agent = await connectAgent(kind, world, access, 'developer')
  await listen(agent, NOTEBOOK)
  expect(await subscriptionsOf(access)).toHaveLength(1)
  await agent.close()
  await expect.poll(() => subscriptionsOf(access), TIMEOUT).toEqual([])
})

test('a listener is a stream even if its method has escapes', async () => {
  const { token } = await newGrant()
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'bare', version: '1' },
  }
  const params = { notifications: { resourceSubscriptions: [NOTEBOOK] }, _meta }
  const message = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'subscriptions/listen', params })
  const controller = new AbortController()
  const response = await world.get('/mcp/developer', token, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    },
    body: message.replace('subscriptions/listen', 'subscriptions\\/l\\u0069sten'),
    signal: controller.signal,
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  const { value } = await response.body!.getReader().read()
  expect(Buffer.from(value!).toString()).toContain('notifications/subscriptions/acknowledged')
  controller.abort()
  await expect.poll(() => subscriptionsOf({ id: '', token }), TIMEOUT).toEqual([])
})

test('a server that stops ends its listeners and their subscriptions', async () => {
  const agent = await developer('hosted 2026-07-28', await newGrant())
  const subscription = await agent.client.listen({ resourceSubscriptions: [NOTEBOOK] })
  const from = Date.now()
  await world.server.stop()
  expect(Date.now() - from).toBeLessThan(4_000)
  expect(await subscription.closed).toBe('graceful')
  await world.start()
  expect(await subscriptionsOf(agent.access)).toEqual([])
})
