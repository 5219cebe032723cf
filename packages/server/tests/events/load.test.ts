import { OWNER } from '@pdpp/server'
import { expect, it } from 'vitest'
import { repetitions } from '../../../../tests/fixtures/repetitions.ts'
import { PollWaiters } from '../../src/subscriptions/poll-waiters.ts'
import { caughtUp, eventServer, eventually, PATH, subscribe } from './events-support.ts'
import { receiver } from './receiver.ts'

const CHANGES = repetitions(5000, 100_000)

it(`makes a few events of ${CHANGES} changes, heard or not`, async () => {
  const hook = await receiver()
  const test = await eventServer({}, { reach: hook.reach, eventTimes: { windowMs: 50 } })
  const { token } = await test.grant({ connections: ['home'], streams: [{ name: 'messages' }] })
  const dead = await subscribe(test, token, { callback_url: hook.url })
  await eventually(async () => (await dead.call('GET', `${PATH}/${dead.id}`)).body.status === 'active')
  // The webhook never answers, and is tried again only after some seconds.
  hook.answerWith(() => true)
  const poll = await subscribe(test, token)
  const { ingest, storage } = test.server.context
  const target = { subjectId: OWNER, connectorKey: 'mail', connectionId: 'home', stream: 'messages' }
  const rows = Array.from({ length: CHANGES }, (_, n) => ({
    key: `k${n}`,
    data: { id: `k${n}`, subject: `Subject ${n}` },
    emitted_at: '2026-02-01T00:00:00Z',
  }))
  for (let at = 0; at < rows.length; at += 1000) {
    await ingest.ingestRows(target, rows.slice(at, at + 1000))
    expect(await storage.subscriptions.countEvents({ subjectId: OWNER, subscriptionId: dead.id })).toBeLessThanOrEqual(
      2,
    )
    expect(await storage.subscriptions.countEvents({ subjectId: OWNER, subscriptionId: poll.id })).toBeLessThanOrEqual(
      1,
    )
  }
  await caughtUp(test)
  const events = await poll.next(0)
  expect(events.map(({ data }: any) => data.change_count)).toEqual([CHANGES])
})

it('ends the oldest request of the grant with the most when too many wait', async () => {
  const waiters = new PollWaiters(5)
  const ended: string[] = []
  const wait = (subscriptionId: string, grantId: string) =>
    void waiters.wait({ subscriptionId, grantId }, 60_000, () => () => {}).done.then(() => ended.push(subscriptionId))
  for (const n of [1, 2, 3, 4]) wait(`greedy ${n}`, 'greedy')
  for (const n of [1, 2, 3]) wait(`modest ${n}`, `modest ${n}`)
  await Promise.resolve()
  expect([ended, waiters.size]).toEqual([['greedy 1', 'greedy 2'], 5])
  waiters.stop()
  await new Promise((resolve) => setImmediate(resolve))
  expect([ended.length, waiters.size]).toEqual([7, 0])
})
