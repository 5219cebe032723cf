import { expect, it } from 'vitest'
import { message, messages } from '../../../../tests/fixtures/server.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { caughtUp, eventServer, eventually, FAST, PATH, subscribe } from './events-support.ts'
import { receiver, verify } from './receiver.ts'

const CHANGED = 'pdpp.records.changed'
const times = { ...FAST, firstRetryMs: 8, timeoutMs: 1000 }

async function ready(answer?: Parameters<typeof receiver>[0]) {
  const hook = await receiver(answer)
  const test = await eventServer({}, { reach: hook.reach, eventTimes: times })
  const { token, grantId, get } = await test.grant({ connections: ['home', 'work'] })
  const subscribed = await subscribe(test, token, { callback_url: hook.url })
  const read = async () => (await subscribed.call('GET', `${PATH}/${subscribed.id}`)).body
  const status = (wanted: string) =>
    eventually(async () => {
      const found = await read()
      return found.status === wanted ? found : undefined
    })
  return { hook, test, token, grantId, get, ...subscribed, read, status, secret: subscribed.created.body.secret }
}

it('verifies the receiver, then sends signed events with a bookmark', async () => {
  const { hook, test, status, secret, created, get, id } = await ready()
  expect(created.body).toMatchObject({ status: 'pending_verification', delivery: 'webhook', callback_url: hook.url })
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const [challenge] = await hook.events('pdpp.subscription.verify')
  expect(verify(secret, challenge!).data).toEqual({
    subscription_id: id,
    challenge: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
  await status('active')
  await test.ingest('messages', 'home', messages(3))
  const [sent] = await hook.events(CHANGED)
  const event = verify(secret, sent!)
  expect(sent!.headers).toMatchObject({
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'webhook-id': event.id,
  })
  expect(event.data).toMatchObject({ stream: 'messages', connection_id: 'home', change_count: 3 })
  const changes = await get(`/v1/streams/messages/records?connection_id=home&changes_since=${event.data.changes_since}`)
  expect(changes.body.data).toHaveLength(3)
  expect((await eventually(async () => await (await status('active')).last_success_at)) > created.body.created_at).toBe(
    true,
  )
})

verifies('checklist 27', 'never activates a receiver that answers the challenge wrongly', async () => {
  const wrong = await ready((_one, response) => {
    response.end('{"challenge":"00000000000000000000000000000000"}')
    return true
  })
  const { hook, test, call, id, status } = wrong
  const failed = await status('disabled_failure')
  expect(failed).toMatchObject({
    disabled_reason: 'verification_failed',
    last_failure: { status: 200, reason: 'wrong_challenge' },
  })
  expect(hook.received).toHaveLength(5)
  expect((await call('POST', `${PATH}/${id}/test-event`)).body.error.code).toBe('invalid_state')
  // Disabling and enabling leads to another challenge, and to nothing else.
  await call('PATCH', `${PATH}/${id}`, { enabled: false })
  const enabled = await call('PATCH', `${PATH}/${id}`, { enabled: true })
  expect(enabled.body.subscription.status).toBe('pending_verification')
  await test.ingest('messages', 'home', messages(3))
  await status('disabled_failure')
  expect(new Set(hook.received.map(({ event }) => event.type))).toEqual(new Set(['pdpp.subscription.verify']))
  expect(hook.received).toHaveLength(10)
})

it('repeats a failed delivery unchanged, then continues in order', async () => {
  let isFailing = true
  const { hook, test, status, secret, read } = await ready(({ event }, response) => {
    if (event.type !== CHANGED || !isFailing) return
    response.writeHead(503).end('the body of an answer is never shown')
    return true
  })
  await status('active')
  await test.ingest('messages', 'home', [message(1)])
  await hook.events(CHANGED, 2)
  await test.ingest('messages', 'home', [message(2)])
  await test.ingest('messages', 'home', [message(3)])
  await caughtUp(test)
  isFailing = false
  await eventually(() => hook.received.at(-1)!.event.data.change_count === 2)
  const sent = await hook.events(CHANGED, 4)
  expect(new Set(sent.slice(0, -1).map(({ body }) => body)).size).toBe(1)
  expect(sent.map(({ event }) => event.data.change_count)).toEqual([...sent.slice(1).map(() => 1), 2])
  for (const one of sent) verify(secret, one)
  const state = await eventually(async () => {
    const found = await read()
    return found.last_success_at > found.last_failure.at ? found : undefined
  })
  expect(state.last_failure).toEqual({ at: expect.any(String), status: 503, reason: 'status' })
  expect(JSON.stringify(state)).not.toContain('never shown')
})

it.each([
  ['a redirect', 302, 'redirect'],
  ['a refusal', 400, 'status'],
])('takes %s for a failure and does not follow it', async (_name, code, reason) => {
  let isFailing = true
  const { hook, test, status, read } = await ready(({ event }, response) => {
    if (event.type !== CHANGED || !isFailing) return
    response.writeHead(code, { location: '/elsewhere' }).end()
    return true
  })
  await status('active')
  await test.ingest('messages', 'home', [message(1)])
  await hook.events(CHANGED, 2)
  expect(hook.received.every(({ path }) => path === '/hook')).toBe(true)
  expect((await read()).last_failure).toMatchObject({ status: code, reason })
  isFailing = false
  await eventually(async () => (await read()).last_success_at > (await read()).last_failure.at)
})

it('ends a subscription whose receiver answers 410', async () => {
  const { hook, test, status } = await ready(({ event }, response) => {
    if (event.type !== CHANGED) return
    response.writeHead(410).end()
    return true
  })
  await status('active')
  await test.ingest('messages', 'home', [message(1)])
  expect(await status('disabled_failure')).toMatchObject({ disabled_reason: 'receiver_gone' })
  await test.ingest('messages', 'home', [message(2)])
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(hook.received.filter(({ event }) => event.type === CHANGED)).toHaveLength(1)
})

it('does not wait for the end of an answer, and reads no long one', async () => {
  const endless = await ready(({ event }, response) => {
    if (event.type !== CHANGED) return
    response.writeHead(200).write('x'.repeat(100_000))
    return true
  })
  await endless.status('active')
  await endless.test.ingest('messages', 'home', [message(1)])
  const [sent] = await endless.hook.events(CHANGED)
  await eventually(async () => (await endless.read()).last_success_at >= new Date(sent!.at).toISOString())
  expect((await endless.read()).last_failure).toBeUndefined()
  const long = await ready((_one, response) => {
    response.end(JSON.stringify({ challenge: 'x'.repeat(5000) }))
    return true
  })
  expect((await long.status('disabled_failure')).last_failure.reason).toBe('wrong_challenge')
})

it('waits as long as Retry-After says', async () => {
  let isFirst = true
  const { hook, test, status } = await ready(({ event }, response) => {
    if (event.type !== CHANGED || !isFirst) return
    isFirst = false
    response.writeHead(429, { 'retry-after': '1' }).end()
    return true
  })
  await status('active')
  await test.ingest('messages', 'home', [message(1)])
  const [first, second] = await hook.events(CHANGED, 2)
  expect(second!.at - first!.at).toBeGreaterThanOrEqual(990)
})

it('counts slow receivers as unreachable, and slows nobody else', async () => {
  const slow = await ready(({ event }, response) => {
    if (event.type !== CHANGED) return
    if (event.data.connection_id === 'work') response.destroy()
    return true
  })
  const { hook, test, token, status, read } = slow
  await status('active')
  const fast = await subscribe(test, token, { filters: { connection_ids: ['home'] } })
  await test.ingest('messages', 'home', [message(1)])
  await hook.events(CHANGED)
  const started = Date.now()
  await test.ingest('messages', 'home', messages(50))
  expect(Date.now() - started).toBeLessThan(900)
  expect((await fast.next())[0].data.change_count).toBeGreaterThan(0)
  const { last_failure: failure } = await eventually(async () => {
    const found = await read()
    return found.last_failure && found
  })
  expect(failure).toEqual({ at: expect.any(String), reason: 'unreachable' })
})

it('signs with both secrets for a day after a rotation', async () => {
  const { hook, test, status, secret, call, id } = await ready()
  await status('active')
  const rotated = await call('PATCH', `${PATH}/${id}`, { rotate_secret: true })
  expect(rotated.body.secret).not.toBe(secret)
  expect(JSON.stringify((await call('GET', `${PATH}/${id}`)).body)).not.toContain('whsec_')
  await test.ingest('messages', 'home', [message(1)])
  const [sent] = await hook.events(CHANGED)
  expect(sent!.headers['webhook-signature']!.split(' ')).toHaveLength(2)
  expect(verify(secret, sent!)).toEqual(verify(rotated.body.secret, sent!))
  const third = await call('PATCH', `${PATH}/${id}`, { rotate_secret: true })
  await call('POST', `${PATH}/${id}/test-event`)
  const [tested] = await hook.events('pdpp.subscription.test')
  expect(() => verify(secret, tested!)).toThrow()
  for (const valid of [rotated.body.secret, third.body.secret]) verify(valid, tested!)
})

it('tells of what changed between the request and its verification', async () => {
  const release = Promise.withResolvers<undefined>()
  const { hook, test, status } = await ready(({ event }) =>
    event.type === 'pdpp.subscription.verify' ? release.promise : undefined,
  )
  await hook.events('pdpp.subscription.verify')
  await test.ingest('messages', 'home', messages(4))
  release.resolve(undefined)
  await status('active')
  const [sent] = await hook.events(CHANGED)
  expect(sent!.event.data.change_count).toBe(4)
})
