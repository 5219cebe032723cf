import { fieldWindowSchema } from '@pdpp/protocol'
import { expect, it } from 'vitest'
import { mailServer, message } from '../../../../tests/fixtures/server.ts'

const text = Array.from({ length: 3000 }, (_, n) => `${n} 👩‍👩‍👧 Zürich é `).join('')
const path = '/v1/streams/messages/records/m1/field-window'

async function reader() {
  const test = await mailServer()
  await test.ingest('messages', 'home', [message(1, { body: text, headers: { b: 1, a: [true] }, photo: 'aGVsbG8=' })])
  const { get } = await test.grant({ connections: ['home'] })
  return get
}

it('windows laid end to end give the text back, counted in code points', async () => {
  const get = await reader()
  let whole = ''
  for (let offset: number | null = 0; offset !== null; ) {
    const { body } = await get(`${path}?field=body&offset_chars=${offset}&limit_chars=16384`)
    expect(fieldWindowSchema.safeParse(body).error).toBeUndefined()
    expect(body.window.start_chars).toBe([...whole].length)
    whole += body.window.text
    expect(body.window.has_more).toBe(body.window.next_offset_chars !== null)
    offset = body.window.next_offset_chars
  }
  expect(whole).toBe(text)
  const { body } = await get(`${path}?field=body`)
  expect([...body.window.text].length).toBe(body.window.end_chars)
  expect(4096 - body.window.end_chars).toBeLessThan([...'👩‍👩‍👧'].length)
  expect(body.window).toMatchObject({
    start_chars: 0,
    limit_chars: 4096,
    total_chars: [...text].length,
    complete: false,
  })
})

it('finds a place by its words, with context', async () => {
  const get = await reader()
  const { body } = await get(`${path}?field=body&q=${encodeURIComponent('2000 👩')}&before_chars=10&after_chars=20`)
  const { window } = body
  const chars = [...text]
  expect(chars.slice(window.match_start_chars, window.match_end_chars).join('')).toBe('2000 👩')
  expect(window.text).toBe(chars.slice(window.match_start_chars - 10, window.match_end_chars + 19).join(''))
  expect((await get(`${path}?field=body&q=ZÜRICH`)).body.window.match_start_chars).toBe(chars.indexOf('Z'))
  expect((await get(`${path}?field=body&q=nowhere`)).body.error.code).toBe('query_not_found')
})

it('windows JSON as its text and describes binary', async () => {
  const get = await reader()
  const json = await get(`${path}?field=headers`)
  expect(json.body.window.text).toBe('{"a":[true],"b":1}')
  expect(json.body.field).toMatchObject({ type: 'object', size_bytes: 18 })
  expect((await get(`${path}?field=size`)).body.window.text).toBe('10')
  const binary = await get(`${path}?field=photo`)
  expect(binary.body.window).toBeNull()
  expect(binary.body.field).toMatchObject({
    type: 'binary',
    media_type: 'image/png',
    size_bytes: 5,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(binary.body.read_with).toMatchObject({ route: '/v1/streams/messages/records/m1', fields: ['photo'] })
})

it('refuses windows that make no sense', async () => {
  const get = await reader()
  for (const [query, code] of [
    ['', 'invalid_request'],
    ['?field=body&q=a&offset_chars=3', 'invalid_window'],
    ['?field=body&before_chars=3', 'invalid_window'],
    ['?field=body&offset_chars=99999999', 'invalid_window'],
    ['?field=body&offset_chars=-1', 'invalid_argument'],
    ['?field=body&q=a&before_chars=9000', 'invalid_argument'],
    ['?field=sender.name', 'unknown_field'],
  ]) {
    const { body } = await get(path + query)
    expect([query, body.error?.code]).toEqual([query, code])
  }
  expect((await get(`${path}?field=body&limit_chars=99999`)).body.meta.warnings[0].code).toBe('limit_clamped')
})
