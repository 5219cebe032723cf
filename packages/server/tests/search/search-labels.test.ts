// A hit describes a record in addition to its text: its size, its place, and nothing twice.
import { expect, it } from 'vitest'
import { declaration, key, searched, stream, title } from '../../../../tests/fixtures/declaration.ts'
import { testServer } from '../../../../tests/fixtures/server.ts'

const string = { type: 'string' }

async function shop() {
  const test = await testServer()
  await test.owner(
    'POST',
    '/connectors',
    declaration('shop', {
      orders: stream(
        {
          id: key(),
          merchant: title(),
          total_cents: { type: 'integer', x_pdpp_role: 'amount' },
          currency: string,
          parent_id: string,
        },
        { semantics: 'append_only', query: { group_field: 'parent_id' } },
      ),
      steps: stream(
        {
          id: key(),
          text: searched(),
          trail: string,
          distance: { type: 'number', x_pdpp_role: 'amount', x_pdpp_unit: 'km' },
          currency: string,
        },
        { semantics: 'append_only', query: { group_field: 'trail' } },
      ),
      bills: stream(
        {
          id: key(),
          text: searched(),
          owed: { type: 'integer', x_pdpp_role: 'amount', x_pdpp_type: 'currency', x_pdpp_unit: 'cents' },
          currency: string,
        },
        { semantics: 'append_only' },
      ),
    }),
  )
  await test.owner('POST', '/v1/owner/connections', { connector_key: 'shop', connection_id: 'shop' })
  const order = { id: 'o1', merchant: 'Heron Books', total_cents: 2559, currency: 'EUR', parent_id: 'ord_7h2k' }
  await test.ingest('orders', 'shop', [{ key: 'o1', data: order, emitted_at: '2026-02-01T00:00:00Z' }])
  const step = { id: 's1', text: 'Up to the heron pond', trail: 'North ridge', distance: 4.5, currency: 'EUR' }
  await test.ingest('steps', 'shop', [{ key: 's1', data: step, emitted_at: '2026-02-01T00:00:00Z' }])
  const bill = { id: 'b1', text: 'Heron feed', owed: 870, currency: 'EUR' }
  await test.ingest('bills', 'shop', [{ key: 'b1', data: bill, emitted_at: '2026-02-01T00:00:00Z' }])
  return test
}

const heron = async (get: (path: string) => Promise<{ body: any }>, stream: string) =>
  (await get(`/v1/search?q=heron&streams=${stream}`)).body.data[0]

it('shows the amount with its unit, and the merchant once', async () => {
  const { get } = await (await shop()).grant({ connections: ['shop'] })
  const order = await heron(get, 'orders')
  expect(order).toMatchObject({ title: 'Heron Books', amount: { field: 'total_cents', value: 2559, currency: 'EUR' } })
  expect([order.actor, order.place]).toEqual([undefined, undefined])
  expect(await heron(get, 'steps')).toMatchObject({
    place: 'North ridge',
    amount: { field: 'distance', value: 4.5, unit: 'km' },
  })
  // The unit is shown as in an aggregate, and only for money.
  expect((await heron(get, 'bills')).amount).toEqual({ field: 'owed', value: 870, unit: 'cents', currency: 'EUR' })
})

it('shows no amount, and no currency, that the grant leaves out', async () => {
  const test = await shop()
  const unpaid = await test.grant({
    connections: ['shop'],
    streams: [{ name: 'orders', fields: ['merchant', 'currency'] }],
  })
  expect(await heron(unpaid.get, 'orders')).not.toHaveProperty('amount')
  const bare = await test.grant({
    connections: ['shop'],
    streams: [{ name: 'orders', fields: ['merchant', 'total_cents'] }],
  })
  expect((await heron(bare.get, 'orders')).amount).toEqual({ field: 'total_cents', value: 2559 })
  const owed = await test.grant({ connections: ['shop'], streams: [{ name: 'bills', fields: ['text', 'owed'] }] })
  expect((await heron(owed.get, 'bills')).amount).toEqual({ field: 'owed', value: 870, unit: 'cents' })
})
