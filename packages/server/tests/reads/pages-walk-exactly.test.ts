import { recordListSchema } from '@pdpp/protocol'
import { expect, it } from 'vitest'
import { declaration, key, stream, text } from '../../../../tests/fixtures/declaration.ts'
import { at, mailServer, message, messages, type TestServer } from '../../../../tests/fixtures/server.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'

async function walk(
  test: TestServer,
  get: (path: string) => Promise<{ status: number; body: any; text: string }>,
  path: string,
) {
  const ids: string[] = []
  let next: string | null = path
  for (let pages = 0; next !== null; pages++) {
    const { status, body, text } = await get(next)
    if (status !== 200) throw new Error(text)
    expect(recordListSchema.safeParse(body).error).toBeUndefined()
    ids.push(...body.data.map((record: any) => `${record.connection_id}/${record.id}`))
    expect(body.has_more).toBe(body.next_cursor !== undefined)
    next = body.links.next
    if (pages > 500) throw new Error('The walk does not end.')
  }
  expect(test.server.url).toBeTruthy()
  return ids
}

it('merges connections into one order with one limit and one cursor', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(40))
  await test.ingest('messages', 'work', messages(40, 20))
  const { get } = await test.grant({ connections: ['home', 'work'] })
  const ids = await walk(test, get, '/v1/streams/messages/records?limit=7')
  expect(ids).toHaveLength(80)
  expect(new Set(ids).size).toBe(80)
  const numbers = ids.map((id) => Number(id.split('/m')[1]))
  expect(numbers).toEqual(numbers.toSorted((a, b) => b - a))
  expect(await walk(test, get, '/v1/streams/messages/records?limit=9&order=asc')).toEqual(ids.toReversed())
  expect(await walk(test, get, '/v1/streams/messages/records?limit=9&connection_id=work')).toHaveLength(40)
  const bySize = await walk(test, get, '/v1/streams/messages/records?limit=11&sort=size&fields=size')
  expect(bySize).toHaveLength(80)
})

it('walks each record that was there once while others arrive', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(30))
  const seen: string[] = []
  let path: string | null = '/v1/streams/messages/records?limit=4'
  for (let n = 0; path; n++) {
    const { body } = await test.owner('GET', path)
    seen.push(...body.data.map((record: any) => record.id))
    await test.ingest('messages', 'home', [message(100 + n), message(-1 - n)])
    path = n < 40 ? body.links.next : null
  }
  const originals = seen.filter((id) => /^m([12]?\d)$/.test(id))
  expect(originals).toHaveLength(30)
  expect(new Set(seen).size).toBe(seen.length)
})

it('ends a page before the record that is too large, and resumes', async () => {
  const test = await mailServer()
  await test.ingest(
    'messages',
    'home',
    Array.from({ length: 20 }, (_, n) => message(n, { body: 'ä'.repeat(n * 150) })),
  )
  const { get } = await test.grant({ connections: ['home'] })
  const ids: string[] = []
  let path: string | null = '/v1/streams/messages/records?max_bytes=8000'
  while (path) {
    const { body, text } = await get(path)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8000)
    expect(body.data.every((record: any) => record.described_fields === undefined)).toBe(true)
    ids.push(...body.data.map((record: any) => record.id))
    path = body.links.next
  }
  expect(ids).toEqual(Array.from({ length: 20 }, (_, n) => `m${19 - n}`))
})

it('describes the large fields of a record above the budget', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', [
    message(1, { body: '👪'.repeat(200_000), headers: { deep: 'x'.repeat(5000) } }),
    message(0),
  ])
  const { get } = await test.grant({ connections: ['home'] })
  const { body, text } = await get('/v1/streams/messages/records?max_bytes=4000')
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4000)
  const [record] = body.data
  expect(record.described_fields).toEqual(['body', 'headers'])
  expect(record.data.subject).toBe('Subject 1')
  expect(record.data.body).toMatchObject({
    object: 'field_descriptor',
    type: 'string',
    total_chars: 200_000,
    size_bytes: 800_002,
  })
  expect(record.data.body.preview.endsWith('👪…')).toBe(true)
  expect(body.meta.warnings[0].code).toBe('fields_described')
  expect(body.meta.warnings[0].message).toBe(
    'The record is larger than this answer may be. Large fields are described; field-window (read_record_field) reads them.',
  )
  const { read } = record.data.body
  const window = await get(`${read.route}?field=${read.field}&connection_id=${read.connection_id}&limit_chars=5`)
  expect(window.body.window.text).toBe('👪'.repeat(5))
  const rest = await get(body.links.next)
  expect(rest.body.data.map((row: any) => row.id)).toEqual(['m0'])
})

it('says that some of many short fields are left out', async () => {
  const test = await mailServer()
  const names = Array.from({ length: 200 }, (_, n) => `column_${n}`)
  const columns = Object.fromEntries(names.map((name, n) => [name, n === 0 ? key() : text()]))
  await test.owner('POST', '/connectors', declaration('sheet', { rows: stream(columns) }))
  await test.owner('POST', '/v1/owner/connections', { connector_key: 'sheet', connection_id: 'sheet' })
  await test.ingest('rows', 'sheet', [{ data: Object.fromEntries(names.map((name) => [name, 'short'])) }])
  const { get } = await test.grant({ connections: ['sheet'] })
  const { body } = await get('/v1/streams/rows/records?max_bytes=4000')
  expect(body.meta.warnings[0].message).toMatch(
    /^The record is larger than this answer may be\. \d+ of its fields are left out: name those you need in fields\.$/,
  )
})

verifies('checklist 17', 'binds cursors to the grant and the query', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(20))
  const first = await test.grant({ connections: ['home'] })
  const second = await test.grant({ connections: ['home'] })
  const { body } = await first.get('/v1/streams/messages/records?limit=5')
  const cursor = encodeURIComponent(body.next_cursor)
  expect((await first.get(`/v1/streams/messages/records?cursor=${cursor}&limit=50`)).body.data).toHaveLength(15)
  for (const [get, path] of [
    [second.get, `/v1/streams/messages/records?cursor=${cursor}`],
    [first.get, `/v1/streams/messages/records?cursor=${cursor}&fields=id`],
    [first.get, `/v1/streams/messages/records?cursor=${cursor}&order=asc`],
    [first.get, `/v1/streams/messages/records?cursor=${cursor}&connection_id=home`],
    [first.get, `/v1/streams/messages/records?cursor=${cursor.slice(0, -3)}xyz`],
    [first.get, '/v1/streams/messages/records?cursor=eyJrIjoxfQ'],
  ] as const) {
    const refused = await get(path)
    expect([refused.status, refused.body.error.code]).toEqual([400, 'invalid_cursor'])
  }
})

it('counts what the grant shows, and says when a limit was reduced', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(120))
  const { get } = await test.grant({ connections: ['home'], streams: [{ name: 'messages' }], since: at(20) })
  const { body } = await get('/v1/streams/messages/records?limit=1000&count=exact')
  expect(body.data).toHaveLength(100)
  expect(body.meta.count).toEqual({ kind: 'exact', value: 100 })
  expect(body.meta.warnings).toEqual([
    expect.objectContaining({
      code: 'limit_clamped',
      param: 'limit',
      detail: { max_limit: 100, requested_limit: 1000 },
    }),
  ])
})

it('keeps to the budget also with many small fields', async () => {
  const test = await mailServer()
  const headers = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`h${n}`, n]))
  await test.ingest('messages', 'home', [
    message(1, { subject: 's'.repeat(250), body: 'b'.repeat(250), sender: 'c'.repeat(250), headers }),
  ])
  const { body, text } = await test.owner('GET', '/v1/streams/messages/records?connection_id=home&max_bytes=1500')
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1500)
  expect(body.data[0].described_fields).toContain('headers')
  expect(body.data[0].data.id).toBe('m1')
})
