import { expect, it } from 'vitest'
import { mailServer } from '../../../../tests/fixtures/server.ts'

const KEYS = [
  'a/b',
  'Journal/2026/März: Umzug',
  'https://x.example/?a=1&b=%20#f',
  'a%2Fb',
  '%',
  '..%2f..',
  'a/../b',
  'x\\y',
  'with space',
  '日本語',
  '👪',
  '["a","b"]',
  '-1',
  'a:b:c',
  '~',
  '+',
  'é',
  'e\u0301',
]

it('reads back every key that was stored, and only that one', async () => {
  const test = await mailServer()
  const reply = await test.ingest(
    'messages',
    'home',
    KEYS.map((id, n) => ({ key: id, data: { id, subject: `s${n}` } })),
  )
  expect(reply.body).toMatchObject({ records_accepted: KEYS.length, records_rejected: 0 })
  const { get } = await test.grant({ connections: ['home'] })
  for (const [n, key] of KEYS.entries()) {
    const path = `/v1/streams/messages/records/${encodeURIComponent(key)}`
    const { status, body } = await get(path)
    expect([key, status, body.id, body.data?.subject]).toEqual([key, 200, key, `s${n}`])
    expect((await get(`${path}/field-window?field=subject`)).body.record_id).toBe(key)
  }
})

it('reads compound keys by their canonical form', async () => {
  const test = await mailServer()
  await test.ingest('labels', 'home', [
    { key: ['in/box', 'ünread'], data: { box: 'in/box', name: 'ünread', colour: 'red' } },
    { data: { box: 'a', name: 'b', colour: 'blue' } },
  ])
  const { get } = await test.grant({ connections: ['home'], streams: [{ name: 'labels' }] })
  const { body } = await get(`/v1/streams/labels/records/${encodeURIComponent('["in/box","ünread"]')}`)
  expect(body.data).toEqual({ box: 'in/box', name: 'ünread', colour: 'red' })
  expect((await get(`/v1/streams/labels/records/${encodeURIComponent('["a","b"]')}`)).status).toBe(200)
})

it('refuses keys that could not be named', async () => {
  const test = await mailServer()
  const bad = ['', '.', '..', 'x'.repeat(513), 'nul\u0000']
  const { body } = await test.ingest(
    'messages',
    'home',
    bad.map((id) => ({ key: id, data: { id } })),
  )
  expect(body.records_rejected).toBe(bad.length)
  expect(new Set(body.rejections.map((rejection: any) => rejection.code))).toEqual(new Set(['invalid_record_identity']))
})
