// Tests a listener with a scripted server: its requests, its reports, and when it ends.
import { PdppError } from '@pdpp/protocol'
import { expect, onTestFinished, test } from 'vitest'
import type { Reply } from '../resource-server/resource-server.ts'
import { readServerFeatures } from '../resource-server/server-features.ts'
import type { SubscriptionServer } from '../resource-server/subscription-server.ts'
import { ChangeListener, type StreamChange } from './change-listener.ts'
import { ListenError, requireAddresses } from './listen-request.ts'

type Polled = Partial<Reply> | Error

const changed = (id: string, stream: string, connection_id: string) => ({
  id,
  type: 'pdpp.records.changed',
  time: '2026-11-17T08:00:00Z',
  data: { subscription_id: 'sub_1', stream, connection_id, changes_since: `mark ${id}`, change_count: 2 },
})
const page = (next_cursor: string, ...data: object[]) => ({ status: 200, body: { object: 'list', data, next_cursor } })

/** Answers polls in turn. After the last answer, a poll waits until it is aborted. */
function scripted(polls: Polled[], created: Partial<Reply> = {}) {
  const sent: string[] = []
  let subscriptions = 0
  const server: SubscriptionServer = {
    providerUrl: 'https://data.example',
    features: async () => readServerFeatures(undefined),
    getBytes: () => Promise.reject(new Error('no bytes')),
    send: async ({ method, path, body }) => {
      sent.push(`${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`)
      const id = `sub_${++subscriptions}`
      return { status: method === 'POST' ? 201 : 204, body: { subscription_id: id }, requestId: undefined, ...created }
    },
    get: async ({ path, query, signal }) => {
      sent.push(`GET ${path}?${query.map((pair) => pair.join('=')).join('&')}`)
      const next = polls.shift()
      if (next instanceof Error) throw next
      if (next) return { status: 200, body: {}, requestId: undefined, ...next }
      return new Promise((_, reject) => signal!.addEventListener('abort', () => reject(new Error('aborted'))))
    },
  }
  return { server, sent }
}

async function opened(server: SubscriptionServer, uris: string[], idleMs?: number) {
  const changes: StreamChange[] = []
  const ends: string[] = []
  const listener = await ChangeListener.open({
    server,
    addresses: requireAddresses(uris),
    onChange: (change) => changes.push(change),
    onEnd: (reason) => ends.push(reason),
    ...(idleMs === undefined ? {} : { idleMs }),
  })
  onTestFinished(() => listener.stop())
  return { listener, changes, ends }
}

const HOME = 'pdpp://stream/home/messages'

test('one poll subscription for each connection, removed at the end', async () => {
  const { server, sent } = scripted([])
  const { listener } = await opened(server, [HOME, 'pdpp://stream/home/attachments', 'pdpp://stream/work/messages'])
  await listener.stop()
  expect(sent).toEqual([
    'POST /v1/event-subscriptions {"delivery":"poll","filters":{"connection_ids":["home"],"streams":["messages","attachments"]}}',
    'POST /v1/event-subscriptions {"delivery":"poll","filters":{"connection_ids":["work"],"streams":["messages"]}}',
    'GET /v1/event-subscriptions/sub_1/events?wait=20',
    'GET /v1/event-subscriptions/sub_2/events?wait=20',
    'DELETE /v1/event-subscriptions/sub_1',
    'DELETE /v1/event-subscriptions/sub_2',
  ])
})

test('sends an event with its bookmark, acknowledged by the next request', async () => {
  const events = [changed('evt_1', 'messages', 'home'), { type: 'pdpp.subscription.test', data: {} }]
  const { server, sent } = scripted([page('c1', ...events), page('c2', changed('evt_2', 'other', 'home'))])
  const { changes, ends } = await opened(server, [HOME])
  await expect.poll(() => sent.at(-1)).toContain('after=c2')
  expect(changes).toEqual([
    {
      uri: HOME,
      event: {
        id: 'evt_1',
        time: '2026-11-17T08:00:00Z',
        stream: 'messages',
        connection_id: 'home',
        changes_since: 'mark evt_1',
        change_count: 2,
      },
    },
  ])
  expect(sent.filter((line) => line.includes('after=c1'))).toHaveLength(1)
  expect(ends).toEqual([])
})

test.each([
  { status: 403, body: { error: { code: 'grant_revoked', message: 'The owner has revoked it.' } } },
  new PdppError('grant_revoked', 'The owner has revoked it.'),
])('a grant that has ended ends the listener', async (refused) => {
  const { server } = scripted([page('c1'), refused])
  const { ends } = await opened(server, [HOME])
  await expect.poll(() => ends).toHaveLength(1)
  expect(ends[0]).toContain('The owner has revoked it.')
})

test('a server that is away for a moment does not end it', async () => {
  const away = [new PdppError('server_unreachable', 'Away.'), { status: 503, retryAfter: '0', body: {} }]
  const { server, sent } = scripted([page('c1'), ...away, page('c2', changed('evt_1', 'messages', 'home'))])
  const { changes, ends } = await opened(server, [HOME])
  await expect.poll(() => changes).toHaveLength(1)
  expect(ends).toEqual([])
  expect(sent.filter((line) => line.endsWith('after=c1'))).toHaveLength(3)
})

test('it ends if nothing changes for long', async () => {
  const { server, sent } = scripted([])
  const { ends } = await opened(server, [HOME], 20)
  await expect.poll(() => ends).toEqual(['Nothing has changed for long.'])
  await expect.poll(() => sent.at(-1)).toBe('DELETE /v1/event-subscriptions/sub_1')
})

test('a refusal of the server opens nothing', async () => {
  const error = { code: 'grant_stream_not_allowed', message: 'No such stream.', type: 'permission_error' }
  const { server } = scripted([], { status: 403, body: { error } })
  const refused = await opened(server, [HOME]).catch((thrown: unknown) => thrown)
  expect(refused).toBeInstanceOf(ListenError)
  expect(refused).toMatchObject({
    message: expect.stringContaining('grant_stream_not_allowed: No such stream.'),
    data: { error: { code: 'grant_stream_not_allowed', http_status: 403 } },
  })
})

test.each([
  ['another kind of resource', ['pdpp://record/x']],
  ['a stream without its connection', ['pdpp://stream/messages']],
  ['a name that is none', ['pdpp://stream/home/..%2F..']],
  ['a broken escape', ['pdpp://stream/home/%zz']],
  ['too many streams', Array.from({ length: 51 }, (_, index) => `pdpp://stream/home/s${index}`)],
  ['too many connections', Array.from({ length: 5 }, (_, index) => `pdpp://stream/c${index}/s`)],
])('%s cannot be listened to', (_, uris) => {
  expect(() => requireAddresses(uris)).toThrow(ListenError)
})
