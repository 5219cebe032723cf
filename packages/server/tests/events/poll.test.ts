import { expect, it } from 'vitest'
import { at, message, messages } from '../../../../tests/fixtures/server.ts'
import { caughtUp, eventServer, PATH, subscribe } from './events-support.ts'

const changes = (event: any) =>
  `/v1/streams/${event.data.stream}/records?connection_id=${event.data.connection_id}&changes_since=${event.data.changes_since}`

it('tells of a burst with one event and a bookmark to read from', async () => {
  const test = await eventServer()
  await test.ingest('messages', 'home', messages(3))
  const { token, get } = await test.grant({ connections: ['home', 'work'] })
  const subscribed = await subscribe(test, token)
  expect(subscribed.created.body).toMatchObject({
    object: 'event_subscription',
    authority_kind: 'client_grant',
    delivery: 'poll',
    status: 'active',
    scope: { streams: [{ name: 'messages', instance_ids: ['home', 'work'] }, { name: 'labels' }] },
  })
  expect(subscribed.created.body.secret).toBeUndefined()
  const waiting = subscribed.next(20)
  await test.ingest('messages', 'home', [message(1, { subject: 'Changed' }), message(7), message(8)])
  const [event, ...others] = await waiting
  expect(others).toEqual([])
  expect(event).toEqual({
    specversion: '1.0',
    pdppversion: '1',
    id: expect.stringMatching(/^evt_[0-9a-f]{24}$/),
    type: 'pdpp.records.changed',
    source: `${PATH}/${subscribed.id}`,
    time: expect.stringMatching(/Z$/),
    datacontenttype: 'application/json',
    data: {
      subscription_id: subscribed.id,
      stream: 'messages',
      connection_id: 'home',
      connector_key: 'mail',
      changes_since: expect.any(String),
      change_count: 3,
      change_count_hint: 3,
    },
  })
  expect((await get(changes(event))).body.data.map((record: any) => record.id)).toEqual(['m1', 'm7', 'm8'])
  expect(await subscribed.next(0)).toEqual([])
  await test.owner('DELETE', '/v1/streams/messages/records/m7?connection_id=home')
  const [deleted] = await subscribed.next()
  expect(deleted.data.change_count).toBe(1)
  expect((await get(changes(deleted))).body.data).toMatchObject([{ id: 'm7', deleted: true }])
})

it('repeats events until the client acknowledges them', async () => {
  const test = await eventServer()
  const { token } = await test.grant({ connections: ['home'] })
  const { id, call } = await subscribe(test, token)
  await test.ingest('messages', 'home', messages(2))
  const first = await call('GET', `${PATH}/${id}/events?wait=10`)
  expect(first.body.data).toHaveLength(1)
  const again = await call('GET', `${PATH}/${id}/events`)
  expect(again.body.data).toEqual(first.body.data)
  // An event that was already fetched stays the same. Later changes create another event.
  await test.ingest('messages', 'home', messages(3, 10))
  const next = await call('GET', `${PATH}/${id}/events?wait=10&after=${first.body.next_cursor}`)
  expect(next.body.data).toMatchObject([{ data: { change_count: 3 } }])
  expect(next.body.data[0].id).not.toBe(first.body.data[0].id)
  for (const after of ['zzz', first.body.next_cursor.slice(1)])
    expect((await call('GET', `${PATH}/${id}/events?after=${after}`)).body.error).toMatchObject({
      code: 'invalid_cursor',
      param: 'after',
    })
})

it('collects unread changes in one event per stream and connection', async () => {
  const test = await eventServer()
  const { token, get } = await test.grant({ connections: ['home', 'work'] })
  const { next, call, id } = await subscribe(test, token)
  for (let n = 0; n < 5; n++) {
    await test.ingest('messages', 'home', [message(n)])
    await test.ingest('messages', 'work', [message(n)])
    await caughtUp(test)
  }
  await test.ingest('labels', 'home', [{ data: { box: 'a', name: 'b' }, emitted_at: at(0) }])
  await caughtUp(test)
  const events = await next()
  const found = events.map(({ data }: any) => [data.stream, data.connection_id, data.change_count])
  // Two connections that change together have no order.
  expect(found.toSorted()).toEqual([
    ['labels', 'home', 1],
    ['messages', 'home', 5],
    ['messages', 'work', 5],
  ])
  expect((await get(changes(events[0]))).body.data).toHaveLength(5)
  const limited = await call('GET', `${PATH}/${id}/events?limit=2`)
  expect([limited.body.data.length, limited.body.has_more]).toEqual([2, true])
})

it('filters by stream, connection and kind of change', async () => {
  const test = await eventServer()
  await test.ingest('messages', 'home', messages(3))
  const { token } = await test.grant({ connections: ['home', 'work'] })
  const filters = { streams: ['messages'], connection_ids: ['home'], change_kinds: ['deleted'] }
  const { next, created } = await subscribe(test, token, { delivery: 'poll', filters })
  expect(created.body.scope).toMatchObject({ streams: [{ name: 'messages', instance_ids: ['home'] }], filters })
  await test.ingest('messages', 'work', messages(3))
  await test.ingest('messages', 'home', messages(5))
  await test.owner('DELETE', '/v1/streams/messages/records/m1?connection_id=work')
  await test.owner('DELETE', '/v1/streams/messages/records/m1?connection_id=home')
  const [event] = await next()
  expect(event.data).toMatchObject({ connection_id: 'home', change_count: 1 })
  expect(await next(0)).toEqual([])
})
