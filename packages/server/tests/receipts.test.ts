import { statSync } from 'node:fs'
import { join } from 'node:path'
import { receiptSchema } from '@pdpp/protocol'
import { expect, it } from 'vitest'
import { mailServer, messages } from './support.ts'

it('checklist 24: leaves a receipt for every client read, allowed or refused, and none for the owner', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(5))
  const first = await test.grant({ connections: ['home'], streams: [{ name: 'messages', fields: ['subject'] }] })
  const second = await test.grant({ connections: ['home'] })
  const page = await first.get('/v1/streams/messages/records?limit=2')
  await first.get('/v1/streams/messages/records?fields=body')
  await first.get('/v1/streams/messages/records/m1')
  await first.get('/v1/schema')
  await second.get('/v1/streams/messages/records/m1/field-window?field=body')
  await test.owner('GET', '/v1/streams/messages/records?connection_id=home')
  const { body } = await test.owner('GET', '/v1/owner/receipts')
  for (const receipt of body.data) expect(receiptSchema.safeParse(receipt).error).toBeUndefined()
  expect(body.data.map((receipt: any) => [receipt.operation, receipt.outcome, receipt.record_count])).toEqual([
    ['field_window', 'ok', 1],
    ['schema', 'ok', 0],
    ['record', 'ok', 1],
    ['records', 'field_not_granted', 0],
    ['records', 'ok', 2],
  ])
  const last = body.data.at(-1)
  expect(last).toMatchObject({
    grant_id: first.grantId,
    surface: 'rest',
    stream: 'messages',
    connection_ids: ['home'],
    fields: ['id', 'subject', 'sent_at'],
    records: [
      { connection_id: 'home', record_id: 'm3' },
      { connection_id: 'home', record_id: 'm4' },
    ],
    bytes: Buffer.byteLength(page.text),
    request_id: page.headers.get('request-id'),
  })
})

it('answers who saw a record, what a grant read, and what was read when', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(5))
  const first = await test.grant({ connections: ['home'] })
  const second = await test.grant({ connections: ['home'] })
  await first.get('/v1/streams/messages/records/m1')
  await second.get('/v1/streams/messages/records')
  await second.get('/v1/streams/messages/records/m2')
  const list = async (query: string) => (await test.owner('GET', `/v1/owner/receipts?${query}`)).body
  expect((await list(`record=${encodeURIComponent('home/messages:m1')}`)).data).toHaveLength(2)
  expect((await list(`record=${encodeURIComponent('home/messages:m1')}&grant_id=${first.grantId}`)).data).toHaveLength(
    1,
  )
  expect((await list(`grant_id=${second.grantId}`)).data).toHaveLength(2)
  expect((await list('stream=labels')).data).toEqual([])
  expect((await list('since=2100-01-01')).data).toEqual([])
  const paged = await list('limit=2')
  expect([paged.has_more, paged.data.length]).toEqual([true, 2])
  expect((await list(`limit=2&cursor=${paged.next_cursor}`)).data).toHaveLength(1)
  expect((await test.owner('GET', '/v1/owner/receipts?record=nonsense')).status).toBe(400)
})

it('keeps them small, and for as long as the owner says', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(100))
  const { get } = await test.grant({ connections: ['home'] })
  const file = join(test.server.context.config.dataDir, 'receipts.db')
  const size = () => statSync(file).size + statSync(`${file}-wal`).size
  await get('/v1/streams/messages/records?limit=100')
  const before = size()
  for (let n = 0; n < 200; n++) await get('/v1/streams/messages/records?limit=100')
  await test.server.context.storage.receipts.list('owner_local', { limit: 1 })
  const { receipts } = await test.server.context.storage.receipts.list('owner_local', { limit: 500 })
  expect(receipts).toHaveLength(201)
  expect(before).toBeGreaterThan(0)
  expect(await test.server.context.storage.receipts.verify('owner_local')).toMatchObject({
    checked: 201,
    brokenAt: undefined,
  })
  expect((await test.owner('PATCH', '/v1/owner/settings', { receipt_retention_days: 0 })).status).toBe(400)
  expect(
    (await test.owner('PATCH', '/v1/owner/settings', { receipt_retention_days: 30 })).body.receipt_retention_days,
  ).toBe(30)
  expect((await test.owner('GET', '/v1/owner/settings')).body.receipt_retention_days).toBe(30)
  expect((await test.owner('GET', '/v1/owner/receipts?limit=1')).body.data).toHaveLength(1)
})

it('checklist 24: does not answer a read whose receipt cannot be written', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(1))
  const { get } = await test.grant({ connections: ['home'] })
  const { receipts } = test.server.context.storage
  receipts.append = async () => {
    throw new Error('disk full')
  }
  const { status, body } = await get('/v1/streams/messages/records')
  expect([status, body.error.code]).toEqual([503, 'server_busy'])
})
