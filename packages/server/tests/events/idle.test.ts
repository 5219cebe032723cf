import { expect, it, onTestFinished } from 'vitest'
import { OWNER } from '../../src/context.ts'
import { IdleSubscriptions } from '../../src/subscriptions/idle-subscriptions.ts'
import { eventServer, PATH, subscribe } from './events-support.ts'

it('removes a subscription that nobody asks for', async () => {
  const test = await eventServer()
  const { token } = await test.grant({ connections: ['home'] })
  const [left, asked, endless] = [
    await subscribe(test, token, { idle_seconds: 60 }),
    await subscribe(test, token, { idle_seconds: 120 }),
    await subscribe(test, token),
  ]
  expect(left.created.body.idle_seconds).toBe(60)
  const { idleSubscriptions } = test.server.context
  await idleSubscriptions.sweep(Date.now() + 50_000)
  expect((await left.call('GET', `${PATH}/${left.id}`)).status).toBe(200)
  await asked.next(0)
  await idleSubscriptions.sweep(Date.now() + 61_000)
  expect((await left.call('GET', `${PATH}/${left.id}`)).status).toBe(404)
  await idleSubscriptions.sweep(Date.now() + 119_000)
  for (const { id, call } of [asked, endless]) expect((await call('GET', `${PATH}/${id}`)).status).toBe(200)
  // A later process finds them at its start.
  const later = new IdleSubscriptions(test.server.context.storage.subscriptions)
  onTestFinished(() => later.stop())
  await later.start(OWNER)
  await later.sweep(Date.now() + 121_000)
  expect((await asked.call('GET', PATH)).body.data).toMatchObject([{ subscription_id: endless.id }])
})

it.each([{ idle_seconds: 59 }, { idle_seconds: 604_801 }, { idle_seconds: 60, callback_url: 'https://a.example/' }])(
  'refuses %j',
  async (body) => {
    const test = await eventServer()
    const { token } = await test.grant({ connections: ['home'] })
    const { status, body: answer } = await test.as(token)('POST', PATH, body)
    expect([status, answer.error.param]).toEqual([400, 'idle_seconds'])
  },
)
