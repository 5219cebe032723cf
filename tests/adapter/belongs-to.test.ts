// A model learns from text alone which record another one belongs to.
import { OWNER } from '@pdpp/server'
import { afterAll, beforeAll, expect } from 'vitest'
import { declaration, key, stream, text } from '../fixtures/declaration.ts'
import { verifies } from '../fixtures/verifies.ts'
import { type AdapterServer, startAdapter } from './adapter-server.ts'

const shop = {
  declaration: declaration('shop', {
    orders: stream({ id: key(), note: text() }, { semantics: 'append_only' }),
    lines: stream(
      { id: key(), order_id: text(), title: text() },
      {
        semantics: 'append_only',
        relationships: [{ name: 'order', stream: 'orders', foreign_key: 'order_id', cardinality: 'belongs_to' }],
      },
    ),
  }),
  connections: [{ id: 'shop', name: 'Shop' }],
  feeds: [
    { connection: 'shop', stream: 'orders', records: [{ key: 'o1', data: { id: 'o1', note: 'Leave it with Hazel' } }] },
    {
      connection: 'shop',
      stream: 'lines',
      records: ['o1', 'o1', 'gone'].map((order, n) => ({
        key: `l${n}`,
        data: { id: `l${n}`, order_id: order, title: `Rope ${n}` },
      })),
    },
  ],
}

let adapter: AdapterServer
beforeAll(async () => {
  adapter = await startAdapter([shop])
})
afterAll(() => adapter.close())

verifies('004.5.1', 'the relation to the parent is in schema, pages and documents', async () => {
  const schema = await adapter.call('schema', { stream: 'lines' })
  expect(schema.text).toContain('order (one of orders)')
  const page = await adapter.call('query_records', { stream: 'lines', expand: ['order'], expand_limit: { order: 1 } })
  expect(page.isError).toBe(false)
  expect(page.text).toContain('Leave it with Hazel')
  expect(page.text).toContain('shop/orders:o1')
  const document = await adapter.call('fetch', { id: 'shop/lines:l1', expand: ['order'] })
  expect(document.structured['text']).toMatch(/\norder: 1\n- shop\/orders:o1 .*Leave it with Hazel/)
  const alone = await adapter.call('fetch', { id: 'shop/lines:l2', expand: ['order'] })
  expect(alone.structured['text']).toMatch(/\norder: 0/)
})

verifies('003.2.2', 'a call with expand leaves one receipt that names each stream', async () => {
  const { receipts } = adapter.server.context
  const newest = async () => (await receipts.list(OWNER, { limit: 10 })).receipts
  for (const [tool, args] of [
    ['query_records', { stream: 'lines', expand: ['order'] }],
    ['fetch', { id: 'shop/lines:l1', expand: ['order'] }],
  ] as const) {
    const [last] = await newest()
    expect((await adapter.call(tool, args)).isError).toBe(false)
    const all = await newest()
    const made = all.slice(
      0,
      all.findIndex(({ receipt_id }) => receipt_id === last?.receipt_id),
    )
    const told = made.map(({ operation, stream, also }) => [operation, stream, also?.map((line) => line.stream)])
    expect(told).toEqual([[tool, 'lines', ['orders']]])
    expect(made[0]!.also![0]).toMatchObject({ records: [{ connection_id: 'shop', record_id: 'o1' }] })
  }
})

verifies('004.5.2', 'the parent, which declares no relation back, cannot be expanded', async () => {
  const { isError, text: told } = await adapter.call('fetch', { id: 'shop/orders:o1', expand: ['lines'] })
  expect([isError, told.includes('invalid_expand')]).toEqual([true, true])
})
