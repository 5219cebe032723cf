import { expect, it } from 'vitest'
import { declaration, integer, key, stream, text } from '../../../../tests/fixtures/declaration.ts'
import { type TestServer, testServer } from '../../../../tests/fixtures/server.ts'

const shop = declaration('shop', {
  orders: stream(
    { id: key(), total: integer() },
    {
      relationships: [
        { name: 'items', stream: 'items', foreign_key: 'order_id', cardinality: 'has_many' },
        { name: 'invoice', stream: 'invoices', foreign_key: 'order_id', cardinality: 'has_one' },
      ],
      query: { expand: [{ name: 'items', default_limit: 2, max_limit: 5 }, { name: 'invoice' }] },
    },
  ),
  items: stream({ id: key(), order_id: text(), title: text(), cost: integer() }, { semantics: 'append_only' }),
  invoices: stream({ id: key(), order_id: text() }, { semantics: 'append_only' }),
})

async function shopServer(): Promise<TestServer> {
  const test = await testServer()
  await test.owner('POST', '/connectors', shop)
  for (const id of ['one', 'two']) {
    await test.owner('POST', '/v1/owner/connections', { connector_key: 'shop', connection_id: id })
    await test.ingest(
      'orders',
      id,
      [1, 2, 3].map((n) => ({ data: { id: `o${n}`, total: n } })),
    )
    await test.ingest(
      'items',
      id,
      Array.from({ length: 9 }, (_, n) => ({
        data: { id: `${id}-i${n}`, order_id: `o${(n % 2) + 1}`, title: `t${n}`, cost: n },
      })),
    )
    await test.ingest('invoices', id, [{ data: { id: `${id}-v`, order_id: 'o2' } }])
  }
  return test
}

it('reads declared relations beside each record, from its own connection', async () => {
  const test = await shopServer()
  const { get } = await test.grant({ connections: ['one', 'two'] })
  const { body } = await get(
    '/v1/streams/orders/records?expand=items&expand=invoice&expand_limit[items]=3&order=asc&connection_id=one',
  )
  const [first, second, third] = body.data
  expect(first.expanded.items).toMatchObject({ object: 'list', has_more: true })
  expect(first.expanded.items.data.map((row: any) => row.id)).toEqual(['one-i4', 'one-i6', 'one-i8'])
  expect(first.expanded.invoice).toBeNull()
  expect(second.expanded.invoice).toMatchObject({ object: 'record', id: 'one-v', stream: 'invoices' })
  expect(third.expanded.items).toEqual({ object: 'list', has_more: false, data: [] })
  const record = await get('/v1/streams/orders/records/o1?connection_id=two&expand=items')
  expect(record.body.expanded.items.data.map((row: any) => row.id)).toEqual(['two-i6', 'two-i8'])
  const receipts = await test.owner('GET', '/v1/owner/receipts?stream=items')
  expect(receipts.body.data.map((receipt: any) => receipt.record_count)).toEqual([2, 6])
})

it('limits children by the grant of their own stream', async () => {
  const test = await shopServer()
  const narrow = await test.grant({
    connections: ['one'],
    streams: [{ name: 'orders' }, { name: 'items', fields: ['order_id', 'title'] }],
  })
  const { body } = await narrow.get('/v1/streams/orders/records/o1?expand=items')
  expect(Object.keys(body.expanded.items.data[0].data).toSorted()).toEqual(['id', 'order_id', 'title'])
  const without = await test.grant({
    connections: ['one'],
    streams: [{ name: 'orders' }, { name: 'items', fields: ['title'] }],
  })
  for (const [get, query, status, code] of [
    [narrow.get, 'expand=invoice', 403, 'insufficient_scope'],
    [without.get, 'expand=items', 403, 'insufficient_scope'],
    [narrow.get, 'expand=nothing', 400, 'invalid_expand'],
    [narrow.get, 'expand=items.order', 400, 'invalid_expand'],
    [narrow.get, 'expand=items&expand_limit[items]=6', 400, 'invalid_expand'],
    [narrow.get, 'expand_limit[items]=2', 400, 'invalid_expand'],
  ] as const) {
    const answer = await get(`/v1/streams/orders/records?${query}`)
    expect([query, answer.status, answer.body.error?.code]).toEqual([query, status, code])
    const param = query.includes('expand_limit') ? 'expand_limit[items]' : 'expand'
    expect([query, answer.body.error.param]).toEqual([query, param])
  }
  const refused = await narrow.get('/v1/streams/orders/records?expand=nothing')
  expect(refused.body.error.next_step).toContain('GET /v1/schema?stream=')
  expect(refused.body.error.message).toContain('It has: items.')
  expect((await narrow.get('/v1/streams/items/records?expand=orders')).body.error.message).toContain('"items"')
})

it('says in the schema exactly which relations work', async () => {
  const test = await shopServer()
  const { get } = await test.grant({ connections: ['one'], streams: [{ name: 'orders' }, { name: 'items' }] })
  const { body } = await get('/v1/schema?stream=orders')
  const capabilities = body.connectors[0].streams[0].expand_capabilities
  expect(capabilities).toMatchObject([
    { name: 'items', target_stream: 'items', usable: true, default_limit: 2, max_limit: 5 },
  ])
  expect(JSON.stringify(body)).not.toContain('invoice')
  const narrow = await test.grant({
    connections: ['one'],
    streams: [{ name: 'orders' }, { name: 'items', fields: ['title'] }],
  })
  const narrowed = (await narrow.get('/v1/schema?stream=orders')).body.connectors[0].streams[0].expand_capabilities
  expect(narrowed).toMatchObject([{ name: 'items', usable: false, reason: 'field_not_granted' }])
  for (const { name, usable } of capabilities) {
    expect([name, (await get(`/v1/streams/orders/records?expand=${name}`)).status]).toEqual([name, usable ? 200 : 403])
  }
})

it('finds related records by keys of every type', async () => {
  for (const [type, keys] of [
    [{ type: 'integer' }, ['9007199254740992', '9007199254740993', '12']],
    [{ type: 'number' }, ['9007199254740993', '1.5', '7']],
    [{ type: 'string', format: 'date' }, ['"2026-01-01"', '"2026-01-02"']],
    [{ type: 'string' }, ['"7"', '"07"', '"a\\"b"']],
  ] as const) {
    const test = await testServer()
    const declared = structuredClone(shop)
    for (const { schema } of declared.streams) {
      const { properties } = schema as { properties: Record<string, unknown> }
      Object.assign(properties, 'order_id' in properties ? { order_id: type } : { id: type })
    }
    expect((await test.owner('POST', '/connectors', declared)).status).toBe(201)
    await test.owner('POST', '/v1/owner/connections', { connector_key: 'shop', connection_id: 'one' })
    const send = (stream: string, lines: readonly string[]) =>
      test.owner('POST', `/v1/ingest/${stream}?connection_id=one`, lines.map((data) => `{"data":${data}}`).join('\n'))
    await send(
      'orders',
      keys.map((key) => `{"id":${key}}`),
    )
    await send(
      'items',
      keys.map((key, n) => `{"id":"i${n}","order_id":${key}}`),
    )
    const { body } = await test.owner('GET', '/v1/streams/orders/records?expand=items&connector_id=shop')
    const related = body.data.map(({ expanded }: any) => expanded.items.data.map(({ id }: any) => id))
    expect([type, related.toReversed()]).toEqual([type, keys.map((_, n) => [`i${n}`])])
  }
})
