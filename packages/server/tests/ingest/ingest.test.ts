import { request } from 'node:http'
import { Readable } from 'node:stream'
import { ingestReplySchema, parseJson } from '@pdpp/protocol'
import { OWNER } from '@pdpp/server'
import { expect, it, vi } from 'vitest'
import { mailServer, message, messages, type TestServer, testServer } from '../../../../tests/fixtures/server.ts'
import type { RecordWriter } from '../../src/records/record-store.ts'

it('counts accepted, unchanged and refused rows', async () => {
  const test = await mailServer()
  const lines = [
    JSON.stringify(message(0)),
    '',
    'not json',
    '[1]',
    '{"key":"x"}',
    '{"key":"x","data":{"id":"y"}}',
    '{"key":"x","data":{"id":"x","size":"large"}}',
    '{"key":"x","data":{"id":"x","sent_at":"yesterday"}}',
    '{"key":"x","data":{"id":"x"},"op":"merge"}',
    '{"key":"x","data":{"id":"x"},"emitted_at":"soon"}',
    JSON.stringify(message(0)),
    JSON.stringify(message(1)),
  ]
  const { status, body } = await test.owner(
    'POST',
    '/v1/ingest/messages?connector_id=mail&connection_id=home',
    lines.join('\n'),
  )
  expect(status).toBe(200)
  expect(ingestReplySchema.safeParse(body).error).toBeUndefined()
  expect(body).toMatchObject({ records_attempted: 11, records_accepted: 3, records_unchanged: 1, records_rejected: 8 })
  expect(body.rejections.map((row: any) => [row.input_index, row.code])).toEqual([
    [1, 'malformed_ndjson'],
    [2, 'malformed_ndjson'],
    [3, 'invalid_record'],
    [4, 'invalid_record_identity'],
    [5, 'invalid_record'],
    [6, 'invalid_record'],
    [7, 'invalid_record'],
    [8, 'invalid_record'],
  ])
  expect(body.rejections[4].message).toContain('size')
})

it('answers for rows that are objects as it does for lines', async () => {
  const test = await mailServer()
  const lines = [
    JSON.stringify(message(0)),
    '{"key":"x"}',
    '{"key":"x","data":{"id":"y"}}',
    '{"key":"x","data":{"id":"x","size":"large"}}',
    '{"key":"x","data":{"id":"x","size":1e999}}',
    `{"key":"x","data":{"id":"x","other":${'['.repeat(501)}${']'.repeat(501)}}}`,
    `{"key":"x","data":{"id":"x","text":"${'\\u0001'.repeat(2_800_000)}"}}`,
    JSON.stringify(message(0)),
  ]
  const target = { subjectId: OWNER, connectorKey: 'mail', connectionId: 'home', stream: 'messages' }
  const { ingest } = test.server.context
  const fromLines = await ingest.ingest(target, Readable.from([Buffer.from(lines.join('\n'))]))
  const fromRows = await ingest.ingestRows(
    target,
    lines.map((line) => parseJson(line) as Record<string, unknown>),
  )
  expect(fromLines).toMatchObject({ accepted: 2, unchanged: 1, rejected: 6 })
  expect(fromRows).toEqual({ ...fromLines, unchanged: 2 })
})

it('accepts the same batch twice', async () => {
  const test = await mailServer()
  const rows = messages(40)
  const counts = { records_attempted: 40, records_accepted: 40, records_rejected: 0, errors: [] }
  const first = await test.ingest('messages', 'home', rows)
  expect(first.body).toMatchObject({ ...counts, records_unchanged: 0 })
  const second = await test.ingest('messages', 'home', rows)
  expect(second.body).toMatchObject({ ...counts, records_unchanged: 40 })
  const changed = rows.map((row, n) => (n < 3 ? { ...row, data: { ...row.data, subject: 'Otherwise' } } : row))
  const third = await test.ingest('messages', 'home', [...changed, { key: 'x' }])
  expect(third.body).toMatchObject({ ...counts, records_attempted: 41, records_unchanged: 37, records_rejected: 1 })
})

it('refuses numbers beyond a double and names the field', async () => {
  const test = await testServer()
  const properties = { id: { type: 'string' }, size: { type: 'number' } }
  const schema = { type: 'object', properties }
  const query = { aggregations: { sum: ['size'] } }
  const streams = [{ name: 'readings', semantics: 'append_only', schema, primary_key: ['id'], query }]
  const meter = { connector_id: 'https://tests.example/meter', version: '1', display_name: 'Meter', streams }
  await test.owner('POST', '/connectors', meter)
  const line = (id: string, more: string) => `{"data":{"id":"${id}",${more}}}`
  const lines = [
    line('a', '"size":1e999'),
    line('b', `"size":${'9'.repeat(100_000)}`),
    line('c', '"size":1,"other":{"deep":[1,{"down":-1e400}]}'),
    line('d', '"size":12345678901234567890'),
    line('e', '"size":3,"other":1e-999,"text":"1e999"'),
  ]
  const { body } = await test.owner('POST', '/v1/ingest/readings?connector_id=meter', lines.join('\n'))
  expect(body).toMatchObject({ records_accepted: 2, records_rejected: 3 })
  expect(body.rejections.map(({ code, message, key }: any) => [code, message.split(' ')[0], key])).toEqual([
    ['invalid_record', 'size', 'a'],
    ['invalid_record', 'size', 'b'],
    ['invalid_record', 'other.deep.1.down', 'c'],
  ])
  const sum = await test.owner('GET', '/v1/streams/readings/aggregate?metric=sum&field=size')
  expect(sum.body.value).toBeGreaterThan(1e19)
})

it('refuses lines that are not UTF-8 or too long', async () => {
  const test = await mailServer()
  const good = (n: number) => Buffer.from(`${JSON.stringify(message(n))}\n`)
  const long = Buffer.from(`{"key":"big","data":{"id":"big","body":"${'x'.repeat(17_000_000)}"}}\n`)
  const body = Buffer.concat([good(1), Buffer.from([0x7b, 0xff, 0xfe, 0x0a]), long, good(2)])
  const reply = await post(test, '/v1/ingest/messages?connection_id=home', body)
  expect(reply.rejections.map((row: any) => row.code)).toEqual(['invalid_utf8', 'resource_limit'])
  expect(reply.records_accepted).toBe(2)
})

it('keeps the first record of an append-only stream', async () => {
  const test = await mailServer()
  const label = (colour: string) => ({ key: ['in', 'todo'], data: { box: 'in', name: 'todo', colour } })
  await test.ingest('labels', 'home', [label('red')])
  const { body } = await test.ingest('labels', 'home', [label('red'), label('blue')])
  expect(body).toMatchObject({ records_accepted: 1, records_unchanged: 1, records_rejected: 1 })
  expect(body.rejections[0]).toMatchObject({ input_index: 1, code: 'append_only_conflict', key: '["in","todo"]' })
  expect((await test.owner('GET', '/v1/streams/labels/records?connection_id=home')).body.data[0].data.colour).toBe(
    'red',
  )
})

it('keeps a prefix when the connection breaks', async () => {
  const test = await mailServer()
  const rows = messages(6000)
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  await cutOff(test, text.slice(0, Math.floor(text.length * 0.7)))
  const { body: partial } = await test.owner(
    'GET',
    '/v1/streams/messages/records?connection_id=home&count=exact&order=asc&limit=100',
  )
  const count = partial.meta.count.value
  expect(count).toBeGreaterThan(0)
  expect(count).toBeLessThan(6000)
  expect(partial.data.map((row: any) => row.id)).toEqual(rows.slice(0, 100).map((row) => row.key))
  const { body } = await test.owner('POST', '/v1/ingest/messages?connection_id=home', text)
  expect(body).toMatchObject({ records_accepted: 6000, records_unchanged: count, records_rejected: 0 })
})

it('declares sources whole: every mistake with its path', async () => {
  const test = await testServer()
  const bad = {
    connector_id: 'https://tests.example/journal',
    version: '1',
    display_name: 'Journal',
    streams: [{ name: 'a/b', semantics: 'sometimes', schema: { type: 'object', properties: {} }, primary_key: [] }],
  }
  const { status, body } = await test.owner('POST', '/connectors', bad)
  expect([status, body.error.code]).toEqual([400, 'connector_invalid'])
  for (const path of ['streams.0.name', 'streams.0.semantics', 'streams.0.primary_key'])
    expect(body.error.message).toContain(path)
  const good = {
    ...bad,
    streams: [
      {
        name: 'days',
        semantics: 'append_only',
        schema: { type: 'object', properties: { id: { type: 'string' } } },
        primary_key: ['id'],
      },
    ],
  }
  expect((await test.owner('POST', '/connectors', good)).body).toMatchObject({
    connector_key: 'journal',
    outcome: 'created',
  })
  const first = await test.owner('POST', '/v1/ingest/days?connector_id=journal', '{"data":{"id":"1"}}')
  expect(first.body.records_accepted).toBe(1)
  expect((await test.owner('GET', '/v1/owner/connections')).body.data).toHaveLength(1)
  const unknown = await test.owner('POST', '/v1/ingest/nights?connector_id=journal', '{}')
  expect([unknown.status, unknown.body.error.code]).toEqual([404, 'stream_not_declared'])
})

it('keeps connections and sync state for connectors', async () => {
  const test = await mailServer()
  expect(
    (await test.owner('POST', '/v1/owner/connections', { connector_key: 'mail', connection_id: 'a/b' })).status,
  ).toBe(400)
  expect(
    (await test.owner('POST', '/v1/owner/connections', { connector_key: 'mail', connection_id: 'home' })).status,
  ).toBe(409)
  expect((await test.owner('POST', '/v1/owner/connections', { connector_key: 'nope' })).body.error.code).toBe(
    'connector_not_found',
  )
  expect((await test.owner('PATCH', '/v1/owner/connections/work', { display_name: 'Office' })).body.display_name).toBe(
    'Office',
  )
  const ambiguous = await test.owner('PUT', '/v1/state/mail', { state: {} })
  expect([ambiguous.status, ambiguous.body.error.code]).toEqual([409, 'ambiguous_connection'])
  await test.owner('PUT', '/v1/state/mail?connection_id=home', { state: { messages: { uid: 7 } } })
  expect((await test.owner('GET', '/v1/state/mail?connection_id=home')).body.state).toEqual({ messages: { uid: 7 } })
  await test.ingest('messages', 'home', messages(3))
  expect((await test.owner('DELETE', '/v1/owner/connections/home')).status).toBe(204)
  expect((await test.owner('GET', '/v1/streams/messages/records?connector_id=mail')).body.data).toEqual([])
  expect((await test.owner('DELETE', '/v1/owner/connections/home')).status).toBe(404)
})

async function post(test: TestServer, path: string, body: Buffer): Promise<any> {
  const { accessToken } = await test.server.context.tokens.issueOwner('owner_local')
  const headers = { authorization: `Bearer ${accessToken}` }
  return (await fetch(test.server.url + path, { method: 'POST', headers, body: new Uint8Array(body) })).json()
}

/** Sends the start of a body, hangs up when some of it is stored, and waits until the server has noticed. */
async function cutOff(test: TestServer, text: string): Promise<void> {
  const token = (await test.server.context.tokens.issueOwner('owner_local')).accessToken
  const { port } = new URL(test.server.url)
  const path = '/v1/ingest/messages?connection_id=home'
  const { writer } = test.server.context.storage
  // PostgreSQL has no thread that reads lines.
  const write = writer.writeLines ? 'writeLines' : 'write'
  const [wrote, ingested] = [
    vi.spyOn(writer as Required<RecordWriter>, write),
    vi.spyOn(test.server.context.ingest, 'ingest'),
  ]
  await new Promise<void>((resolve) => {
    const sending = request({
      host: '127.0.0.1',
      port,
      path,
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'transfer-encoding': 'chunked' },
    })
    sending.on('error', () => undefined).on('close', resolve)
    sending.write(text)
    void vi.waitUntil(() => wrote.mock.results[0], { timeout: 20_000 }).finally(() => sending.destroy())
  })
  await Promise.allSettled([...ingested.mock.results, ...wrote.mock.results].map(({ value }) => value))
  for (const spy of [wrote, ingested]) spy.mockRestore()
}
