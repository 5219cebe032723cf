// The requests that the tools send to /v1/event-subscriptions, and the texts that a model reads.
import { expect, test } from 'vitest'
import { callTool } from '../../calling/call-tool.ts'
import { DEVELOPER } from '../../entrypoints/developer.ts'
import type { Reply } from '../../resource-server/resource-server.ts'
import { readServerFeatures } from '../../resource-server/server-features.ts'
import type { SubscriptionServer } from '../../resource-server/subscription-server.ts'
import { GUIDANCE } from './capabilities/guidance.ts'

const POLLED = {
  object: 'event_subscription',
  subscription_id: 'sub_1',
  delivery: 'poll',
  status: 'active',
  scope: { streams: [{ name: 'messages', instance_ids: ['home', 'work'] }], filters: { change_kinds: ['deleted'] } },
  created_at: '2026-11-17T08:00:00Z',
}
const { scope: _scope, ...BARE } = POLLED
const PUSHED = { ...BARE, delivery: 'webhook', callback_url: 'https://a.example/hook', status: 'pending_verification' }

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

function scripted(...replies: Partial<Reply>[]): { server: SubscriptionServer; sent: Sent[] } {
  const sent: Sent[] = []
  const next = (): Reply => ({ status: 200, body: undefined, requestId: 'req_1', ...replies.shift() })
  const server: SubscriptionServer = {
    providerUrl: 'https://data.example',
    get: async ({ path, query }) => {
      const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString()
      sent.push({ method: 'GET', path: search === '' ? path : `${path}?${search}` })
      return next()
    },
    getBytes: () => Promise.reject(new Error('no bytes')),
    features: async () => readServerFeatures(undefined),
    send: async ({ method, path, body }) => {
      sent.push({ method, path, ...(body === undefined ? {} : { body: JSON.parse(JSON.stringify(body)) }) })
      return next()
    },
  }
  return { server, sent }
}

async function use(tool: string, args: object, ...replies: Partial<Reply>[]) {
  const { server, sent } = scripted(...replies)
  const { content, structuredContent, isError } = await callTool(DEVELOPER, server, tool, args)
  return { text: content[0].text, structured: structuredContent as any, isError, sent }
}

test('a subscription to an address shows its secret once, with what to do', async () => {
  const secret = `whsec_${'k'.repeat(43)}=`
  const args = { callback_url: 'https://a.example/hook', streams: ['messages'], connection_ids: ['home'] }
  const created = { ...PUSHED, secret }
  const { text, structured, sent } = await use('create_event_subscription', args, { status: 201, body: created })
  expect(sent).toEqual([
    {
      method: 'POST',
      path: '/v1/event-subscriptions',
      body: {
        callback_url: 'https://a.example/hook',
        filters: { streams: ['messages'], connection_ids: ['home'] },
      },
    },
  ])
  expect(structured.data).toEqual(created)
  expect(text).toMatchInlineSnapshot(`
    "Created sub_1: pending_verification; webhook to https://a.example/hook; created 2026-11-17 08:00Z
    secret: whsec_kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk=
    This secret is shown once: store it at the receiver now, and nowhere else. If it is lost, update_event_subscription with rotate_secret makes a new one.
    Next: the address answers the challenge (event_subscription_capabilities says how); then get_event_subscription {"subscription_id":"sub_1"} shows active."
  `)
})

test('a subscription without an address says how it is polled', async () => {
  const { text, sent } = await use('create_event_subscription', {}, { status: 201, body: POLLED })
  expect(sent).toEqual([{ method: 'POST', path: '/v1/event-subscriptions', body: {} }])
  expect(text).toMatchInlineSnapshot(`
    "Created sub_1: active; poll; hears of messages of home, work (deleted only); created 2026-11-17 08:00Z
    Next: GET /v1/event-subscriptions/sub_1/events?wait=30 with the same token, then again with after=<next_cursor>."
  `)
})

test.each([
  ['active', 'send_test_event {"subscription_id":"sub_1"} tries it'],
  ['disabled', 'update_event_subscription {"subscription_id":"sub_1","enabled":true} switches it on'],
  ['disabled_failure', 'repair the receiver'],
  ['disabled_revoked', 'The grant has ended'],
  ['something new', 'get_event_subscription'],
])('the state %s leads on', async (status, next) => {
  const body = {
    ...PUSHED,
    status,
    last_success_at: '2026-11-17T09:00:00Z',
    last_failure: { at: '2026-11-17T10:00:00Z', status: 503, reason: 'the receiver answered 503' },
    disabled_reason: 'three days without a success',
  }
  const { text, structured, sent } = await use('get_event_subscription', { subscription_id: 'sub_1' }, { body })
  expect(sent).toEqual([{ method: 'GET', path: '/v1/event-subscriptions/sub_1' }])
  expect(structured.data).toEqual(body)
  expect(text).toContain(next)
  expect(text).toContain(`${status}; webhook to https://a.example/hook`)
  expect(text).toContain('last success 2026-11-17 09:00Z')
  expect(text).toContain('last failure 2026-11-17 10:00Z (503 the receiver answered 503)')
})

test('a list has one line for each, and its cursor', async () => {
  const body = { object: 'list', has_more: true, next_cursor: 'c2', data: [POLLED, PUSHED] }
  const { text, structured, sent } = await use('list_event_subscriptions', { limit: 2, cursor: 'c1' }, { body })
  expect(sent).toEqual([{ method: 'GET', path: '/v1/event-subscriptions?cursor=c1&limit=2' }])
  expect(structured.data).toEqual(body)
  expect(text).toContain('2 event subscriptions.')
  expect(text).toContain('next_cursor=c2')
  expect(text.match(/^- sub_1: /gm)).toHaveLength(2)
  const none = await use('list_event_subscriptions', {}, { body: { object: 'list', has_more: false, data: [] } })
  expect(none.text).toContain('You have no event subscriptions.')
})

test('many subscriptions to many connections still fit into a result', async () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => `connection-with-a-long-name-${index}`)
  const streams = Array.from({ length: 30 }, (_, index) => ({ name: `stream_${index}`, instance_ids: ids }))
  const large = { ...POLLED, scope: { streams } }
  const data = Array.from({ length: 100 }, () => large)
  const pages = [100, 60, 35, 15, 1].map((count) => ({
    body: { object: 'list', has_more: true, next_cursor: 'c2', data: data.slice(0, count) },
  }))
  for (const { text, structured } of [
    await use('list_event_subscriptions', { limit: 100 }, ...pages),
    await use('get_event_subscription', { subscription_id: 'sub_1' }, { body: large }),
    await use('create_event_subscription', {}, { status: 201, body: large }),
    await use(
      'update_event_subscription',
      { subscription_id: 'sub_1', enabled: true },
      { body: { subscription: large } },
    ),
  ]) {
    expect(Math.max(Buffer.byteLength(text), Buffer.byteLength(JSON.stringify(structured)))).toBeLessThan(10_000)
    expect(text).toContain('988 more')
    expect(text).toContain('18 more streams')
    expect(JSON.stringify(structured)).toContain('"omitted_stream_count":18')
  }
})

test('a change sends only what was named', async () => {
  const args = { subscription_id: 'sub_1', rotate_secret: true, change_kinds: ['upserted'] }
  const body = { subscription: { ...PUSHED, status: 'active' }, secret: 'whsec_new' }
  const { text, sent } = await use('update_event_subscription', args, { body })
  expect(sent).toEqual([
    {
      method: 'PATCH',
      path: '/v1/event-subscriptions/sub_1',
      body: { rotate_secret: true, filters: { change_kinds: ['upserted'] } },
    },
  ])
  expect(text).toContain('secret: whsec_new\nThis secret is shown once')
  const nothing = await use('update_event_subscription', { subscription_id: 'sub_1' })
  expect([nothing.isError, nothing.sent]).toEqual([true, []])
  expect(nothing.structured.error).toMatchObject({ code: 'invalid_argument' })
})

test('deleting and testing name the subscription', async () => {
  const gone = await use('delete_event_subscription', { subscription_id: 'sub/1' }, { status: 204 })
  expect(gone.sent).toEqual([{ method: 'DELETE', path: '/v1/event-subscriptions/sub%2F1' }])
  expect(gone.structured.data).toEqual({ subscription_id: 'sub/1', deleted: true })
  const tested = await use(
    'send_test_event',
    { subscription_id: 'sub_1' },
    { status: 202, body: { event_id: 'evt_9' } },
  )
  expect(tested.sent).toEqual([{ method: 'POST', path: '/v1/event-subscriptions/sub_1/test-event' }])
  expect(tested.text).toContain('evt_9 is on its way')
})

test('a refusal keeps its code, and an unknown id leads to the list', async () => {
  const refused = (code: string, status: number) => ({ status, body: { error: { code, message: 'No.', type: 't' } } })
  const unknown = await use('get_event_subscription', { subscription_id: 'sub_9' }, refused('not_found', 404))
  expect(unknown.structured.error).toMatchObject({ code: 'not_found', http_status: 404 })
  expect(unknown.structured.error.next_step).toContain('list_event_subscriptions')
  const state = await use('send_test_event', { subscription_id: 'sub_1' }, refused('invalid_state', 409))
  expect(state.structured.error).toMatchObject({ code: 'invalid_state', http_status: 409 })
})

test('the discovery tool shows what the server advertises', async () => {
  const capability = {
    supported: true,
    stability: 'reference_extension',
    endpoint: '/v1/event-subscriptions',
    delivery: ['webhook', 'poll'],
    max_subscriptions_per_grant: 20,
    retry: { first_seconds: 5 },
  }
  const body = { capabilities: { client_event_subscriptions: capability } }
  const { text, structured, sent } = await use('event_subscription_capabilities', {}, { body })
  expect(sent).toEqual([{ method: 'GET', path: '/.well-known/oauth-protected-resource' }])
  expect(structured).toEqual({ data: capability, guidance: [...GUIDANCE] })
  for (const line of ['- delivery: webhook, poll', '- max_subscriptions_per_grant: 20', '- retry: {"first_seconds":5}'])
    expect(text).toContain(line)
  for (const line of GUIDANCE) expect(text).toContain(line)
  const none = await use('event_subscription_capabilities', {}, { body: { capabilities: {} } })
  expect(none.structured).toEqual({ data: { supported: false } })
  expect(none.text).toContain('changes_since')
})
