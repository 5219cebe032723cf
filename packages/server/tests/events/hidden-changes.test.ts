import { OWNER } from '@pdpp/server'
import { expect } from 'vitest'
import { at, message, messages, type TestServer } from '../../../../tests/fixtures/server.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { caughtUp, eventServer, eventually, FAST, PATH, subscribe } from './events-support.ts'
import { receiver } from './receiver.ts'

/** A server with a grant on part of one stream, heard by polling and by a webhook. */
async function world() {
  const hook = await receiver()
  const test = await eventServer({}, { reach: hook.reach, eventTimes: FAST })
  await test.ingest('messages', 'home', messages(20))
  await test.ingest('messages', 'work', messages(20))
  const { token } = await test.grant({
    connections: ['home'],
    streams: [{ name: 'messages', fields: ['subject'] }],
    since: at(5),
  })
  const poll = await subscribe(test, token)
  const sent = await subscribe(test, token, { callback_url: hook.url })
  await eventually(async () => (await poll.call('GET', `${PATH}/${sent.id}`)).body.status === 'active')
  return { test, hook, poll, sent }
}

type World = Awaited<ReturnType<typeof world>>

const visible: readonly ((test: TestServer, n: number) => Promise<unknown>)[] = [
  (test, n) => test.ingest('messages', 'home', [message(16 + (n % 4), { subject: `Seen ${n}` })]),
  (test, n) => test.ingest('messages', 'home', messages(3, 100 + n * 3)),
  (test, n) => test.owner('DELETE', `/v1/streams/messages/records/m${16 + (n % 4)}?connection_id=home`),
]
const hidden: readonly ((test: TestServer, n: number) => Promise<unknown>)[] = [
  // Changes that the grant hides: a field that is not granted, a record before the granted time, another connection,
  // another stream.
  (test, n) =>
    test.ingest('messages', 'home', [
      { ...message(6 + (n % 10)), data: { ...message(6 + (n % 10)).data, subject: 'Same', body: `Hidden ${n}` } },
    ]),
  (test, n) => test.ingest('messages', 'home', [message(n % 4, { subject: `Too early ${n}` })]),
  (test, n) => test.ingest('messages', 'work', messages(5, n)),
  (test, n) => test.ingest('labels', 'home', [{ data: { box: 'in', name: `n${n}` }, emitted_at: at(0) }]),
  (test, n) => test.owner('DELETE', `/v1/streams/messages/records/m${n % 4}?connection_id=home`),
  (test, n) => test.owner('DELETE', `/v1/streams/messages/records/m${n % 20}?connection_id=work`),
]

/** Ids and times differ between any two servers. Nothing else may differ, not even a length. */
const plain = (value: unknown): string =>
  JSON.stringify(value)
    .replace(/\b(evt|sub|grt|cli)_[0-9a-f]{24}/g, '$1_')
    .replace(/"challenge":"[0-9a-f]{32}"/g, '"challenge"')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]{12}Z/g, 'TIME')
    .replace(/"(changes_since|next_cursor)":"([\w-]+)"/g, (_all, name, text) => `"${name}":${text.length}`)
    .replace(/client\.example:\d+/g, 'client.example')

async function heard({ test, poll, sent, hook }: World, wanted: number) {
  await caughtUp(test)
  await eventually(() => hook.received.filter(({ event }) => event.type === 'pdpp.records.changed').length >= wanted)
  const heard = { subjectId: OWNER, subscriptionId: sent.id }
  await eventually(async () => (await test.server.context.storage.subscriptions.countEvents(heard)) === 0)
  const state = await poll.call('GET', PATH)
  return {
    events: plain(await poll.next(0)),
    state: plain(state.body),
    sent: plain(hook.received.map(({ event }) => event)),
  }
}

verifies('checklist 16', 'hidden changes make no event and change no byte of one', async () => {
  const [open, secret] = [await world(), await world()]
  // Both have the same content in the visible field from here on.
  for (const { test } of [open, secret])
    await test.ingest(
      'messages',
      'home',
      messages(20).map((one) => ({ ...one, data: { ...one.data, subject: 'Same' } })),
    )
  let count = 1
  expect(await heard(secret, count)).toEqual(await heard(open, count))
  for (let n = 0; n < 12; n++) {
    const before = await heard(secret, count)
    await hidden[n % hidden.length]!(secret.test, n)
    await hidden[(n * 5 + 1) % hidden.length]!(secret.test, n + 1)
    await caughtUp(secret.test)
    const after = await heard(secret, count)
    expect({ ...after, events: before.events }).toEqual({ ...before })
    expect(after.events).toBe('[]')
    if (n % 2 === 1) continue
    for (const { test } of [open, secret]) await visible[(n / 2) % visible.length]!(test, n)
    count++
    expect(await heard(secret, count)).toEqual(await heard(open, count))
  }
})
