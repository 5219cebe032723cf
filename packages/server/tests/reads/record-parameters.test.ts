// Parameters of record reads beyond the common contract: what they give, and that they are advertised.
import { expect, it } from 'vitest'
import { mailServer, message, messages } from '../../../../tests/fixtures/server.ts'

const path = '/v1/streams/messages/records'
const PICTURE = Buffer.alloc(45, 7).toString('base64')
const ids = ({ body }: any) => body.data.map(({ id }: any) => id)

it.each([
  ['sent_at desc', ['m2', 'm1', 'm0']],
  ['sent_at DESC', ['m2', 'm1', 'm0']],
  ['-sent_at  desc', ['m2', 'm1', 'm0']],
  ['sent_at asc', ['m0', 'm1', 'm2']],
  ['-sent_at', ['m2', 'm1', 'm0']],
])('sort=%s is understood', async (sort, expected) => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(3))
  expect(ids(await test.owner('GET', `${path}?sort=${encodeURIComponent(sort)}`))).toEqual(expected)
})

it('a sort with two directions is refused with the right form', async () => {
  const test = await mailServer()
  for (const query of ['sort=-sent_at%20asc', 'sort=sent_at%20desc&order=asc', 'sort=sent_at&order=desc']) {
    const { error } = (await test.owner('GET', `${path}?${query}`)).body
    expect([error.code, error.message]).toEqual(['invalid_sort', expect.stringContaining('-field')])
  }
})

it('the cursor of a page around a record knows its connection', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(9))
  await test.ingest('messages', 'work', messages(9))
  const { get } = await test.grant({ connections: ['home', 'work'] })
  const other = await test.grant({ connections: ['home', 'work'] })
  const { body } = await get(`${path}?around=m4&limit=3&connection_id=home`)
  for (const [cursor, expected] of [
    [body.next_cursor, ['home/m6', 'home/m7', 'home/m8']],
    [body.previous_cursor, ['home/m0', 'home/m1', 'home/m2']],
  ] as const) {
    for (const more of ['', '&connection_id=home']) {
      const page = await get(`${path}?limit=3&cursor=${cursor}${more}`)
      expect(page.body.data.map((row: any) => `${row.connection_id}/${row.id}`)).toEqual(expected)
    }
    expect((await get(`${path}?cursor=${cursor}&connection_id=work`)).body.error.code).toBe('invalid_cursor')
    expect((await other.get(`${path}?cursor=${cursor}`)).body.error.code).toBe('invalid_cursor')
  }
  // Any other cursor is bound to the connection that it was made for.
  const page = await get(`${path}?limit=3&connection_id=home`)
  expect((await get(`${path}?limit=3&cursor=${page.body.next_cursor}`)).body.error.code).toBe('invalid_cursor')
})

it('binary=described gives media type and size instead of bytes', async () => {
  const test = await mailServer()
  const large = Buffer.alloc(3_000, 9).toString('base64')
  await test.ingest('messages', 'home', [message(1, { photo: PICTURE }), message(2, { photo: large })])
  const { get } = await test.grant({ connections: ['home'] })
  const described = (size_bytes: number) => ({
    object: 'field_descriptor',
    type: 'binary',
    media_type: 'image/png',
    size_bytes,
  })
  const list = await get(`${path}?order=asc&binary=described`)
  expect(list.body.data.map(({ data }: any) => data.photo)).toEqual([described(45), described(3_000)])
  const one = await get(`${path}/m1?binary=described`)
  expect(one.body.data).toMatchObject({ photo: described(45), subject: 'Subject 1' })
  const small = await get(`${path}/m2?binary=described&max_bytes=1024`)
  expect(small.body.data.photo).toMatchObject(described(3_000))
  expect((await get(`${path}/m1`)).body.data.photo).toBe(PICTURE)
  expect((await get(`${path}/m1?binary=raw`)).body.error.param).toBe('binary')
  const window = (await get(`${path}/m2/field-window?field=photo`)).body
  expect(window.field).toMatchObject({ media_type: 'image/png', size_bytes: 3_000 })
})

it('long_field_chars gives the beginning of the longest text', async () => {
  const test = await mailServer()
  const body = 'word '.repeat(5_000)
  const encoded = 'A'.repeat(40_000)
  await test.ingest('messages', 'home', [message(1, { body, sender: encoded, photo: PICTURE }), message(2)])
  const { get, grantId } = await test.grant({ connections: ['home'] })
  const read = (await get(`${path}/m1?max_bytes=2000&long_field_chars=1000&binary=described`)).body
  expect(read.data.body).toMatchObject({ type: 'string', total_chars: 25_000, text_end_chars: 1_000 })
  expect(read.data.body.text).toBe(body.slice(0, 1_000))
  expect(read.data.body.preview).toBeUndefined()
  expect(read.data.sender.text).toBeUndefined()
  expect((await get(`${path}/m1?max_bytes=2000`)).body.data.body.text).toBeUndefined()
  // A value that fits is shown unchanged.
  expect((await get(`${path}/m2?max_bytes=2000&long_field_chars=5`)).body.data.body).toBe('Body of 2')
  const { data } = (await test.owner('GET', `/v1/owner/receipts?grant_id=${grantId}`)).body
  expect(data).toHaveLength(3)
  const hidden = await test.grant({ connections: ['home'], streams: [{ name: 'messages', fields: ['sender'] }] })
  expect((await hidden.get(`${path}/m1?max_bytes=1024&long_field_chars=1000`)).text).not.toContain('word')
})

it('says in its metadata what it takes', async () => {
  const test = await mailServer()
  const { body } = await test.as(undefined)('GET', '/.well-known/oauth-protected-resource')
  expect(body.pdpp_discovery_hints.records).toMatchObject({ binary: true, long_field_chars: true, around: true })
})
