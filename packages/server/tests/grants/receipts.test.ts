import { receiptSchema } from '@pdpp/protocol'
import { expect, it } from 'vitest'
import { mailServer, messages } from '../../../../tests/fixtures/server.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'

verifies('checklist 24', 'leaves a receipt for every client read, and none for the owner', async () => {
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

it('keeps them for as long as the owner says', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(100))
  const { get } = await test.grant({ connections: ['home'] })
  await get('/v1/streams/messages/records?limit=100')
  for (let n = 0; n < 200; n++) await get('/v1/streams/messages/records?limit=100')
  await test.server.context.storage.receipts.list('owner_local', { limit: 1 })
  const { receipts } = await test.server.context.storage.receipts.list('owner_local', { limit: 500 })
  expect(receipts).toHaveLength(201)
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

verifies('checklist 24', 'does not answer a read whose receipt cannot be written', async () => {
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

verifies('checklist 24', 'a receipt that cannot be written is 503 everywhere', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(1))
  const upload = '/v1/blobs?connection_id=home&stream=messages&record_key=m0'
  const { body: blob } = await test.owner('POST', upload, 'some bytes')
  const good = await test.grant({ connections: ['home'] })
  const revoked = await test.grant({ connections: ['home'] })
  await test.owner('POST', `/v1/owner/grants/${revoked.grantId}/revoke`)
  const spent = await test.grant({ connections: ['home'] })
  // The client is told once that it exceeds its allowance. That refusal has a receipt too.
  test.server.context.allowances.take = (
    (take) => (accessId: string) =>
      accessId === spent.grantId ? { isReported: true, what: 'requests', limit: 1, seconds: 7 } : take(accessId)
  )(
    test.server.context.allowances.take.bind(test.server.context.allowances),
  ) as typeof test.server.context.allowances.take
  test.server.context.storage.receipts.append = async () => {
    throw new Error('disk full')
  }
  const reads = [
    '/v1/schema',
    '/v1/search?q=subject',
    '/v1/connectors',
    '/v1/streams',
    '/v1/streams/messages',
    '/v1/streams/messages/aggregate?metric=count',
    '/v1/streams/messages/records',
    '/v1/streams/messages/records/m0',
    '/v1/streams/messages/records/m0/field-window?field=body',
    '/v1/streams/messages/records/nothing',
    '/v1/streams/unknown/records',
    '/v1/streams/messages/records?limit=wrong',
    `/v1/blobs/${blob.blob_id}`,
  ]
  const answers: unknown[] = []
  for (const { get } of [good, revoked, spent])
    for (const path of reads) {
      const { status, headers, text } = await get(path)
      answers.push([path, status, text.includes('"server_busy"'), headers.get('retry-after')])
      expect(text).not.toMatch(/Subject 0|some bytes/)
    }
  expect(answers).toEqual([good, revoked, spent].flatMap(() => reads.map((path) => [path, 503, true, '5'])))
  // A client tries routes of the owner.
  for (const { token } of [good, revoked]) {
    const { status, body } = await test.as(token)('GET', '/v1/owner/grants')
    expect([status, body.error.code]).toEqual([503, 'server_busy'])
  }
  // At /mcp, the request itself can be refused, or the read that a tool makes.
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'search', arguments: { query: 'subject' } },
  }
  const mcp = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  for (const path of ['/mcp', '/mcp/developer']) {
    const door = await test.as(revoked.token)('POST', path, call, mcp)
    expect([door.status, door.headers.get('retry-after')]).toEqual([503, '5'])
  }
  const tool = await test.as(good.token)('POST', '/mcp', call, mcp)
  expect(tool.text).toContain('server_busy')
  expect(tool.text).not.toContain('Subject 0')
})
