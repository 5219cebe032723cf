import { expect, it } from 'vitest'
import { at, mailServer, message, messages } from '../../../../tests/fixtures/server.ts'

const path = '/v1/streams/messages/records?changes_since='

it('starts at the beginning and resumes across connections', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(5))
  await test.ingest('messages', 'work', messages(5))
  const { get } = await test.grant({ connections: ['home', 'work'] })
  const first = await get(`${path}beginning&limit=4`)
  expect(first.body.next_changes_since).toBeUndefined()
  await test.ingest('messages', 'home', [message(77)])
  const seen = first.body.data.map((record: any) => `${record.connection_id}/${record.id}`)
  let last = first.body
  while (last.has_more) {
    last = (await get(last.links.next)).body
    seen.push(...last.data.map((record: any) => `${record.connection_id}/${record.id}`))
  }
  expect(seen).toHaveLength(10)
  expect(seen).not.toContain('home/m77')
  const next = await get(path + last.next_changes_since)
  expect(next.body.data.map((record: any) => record.id)).toEqual(['m77'])
  const nothing = await get(path + next.body.next_changes_since)
  expect(nothing.body.data).toEqual([])
})

it('gives a bookmark for now without walking over what is there', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(5))
  const { get } = await test.grant({ connections: ['home', 'work'] })
  const now = (await get(`${path}now`)).body
  expect([now.data, now.has_more]).toEqual([[], false])
  await test.ingest('messages', 'home', [message(2, { subject: 'Changed' }), message(9)])
  await test.ingest('messages', 'work', [message(1)])
  const { body } = await get(path + now.next_changes_since)
  expect(body.data.map((record: any) => `${record.connection_id}/${record.id}`)).toEqual([
    'home/m2',
    'home/m9',
    'work/m1',
  ])
  const hints = (await test.as(undefined)('GET', '/.well-known/oauth-protected-resource')).body.pdpp_discovery_hints
  expect([hints.changes_since_bootstrap, hints.changes_since_now]).toEqual(['beginning', true])
})

it.each(['2026-10-25', 'yesterday', 'AAAA'])('says how to begin where changes_since is %s', async (token) => {
  const test = await mailServer()
  const { get } = await test.grant({ connections: ['home'] })
  const { error } = (await get(path + token)).body
  expect([error.code, error.param]).toEqual(['invalid_cursor', 'changes_since'])
  expect(error.message).toContain('"now", "beginning"')
  expect(error.next_step).toMatch(/changes_since=now.*changes_since=beginning.*filter by a time field/)
})

it('hidden changes are silent, also in emitted_at', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(2))
  const { get } = await test.grant({ connections: ['home'], streams: [{ name: 'messages', fields: ['subject'] }] })
  const { body: start } = await get(`${path}beginning`)
  const before = await get('/v1/streams/messages/records/m0')
  await test.ingest('messages', 'home', [
    { ...message(0, { body: 'hidden change', size: 1 }), emitted_at: '2026-05-05T00:00:00Z' },
  ])
  expect((await get(path + start.next_changes_since)).body.data).toEqual([])
  expect((await get('/v1/streams/messages/records/m0')).text).toBe(before.text)
  await test.ingest('messages', 'home', [
    { ...message(0, { subject: 'New', body: 'hidden change' }), emitted_at: '2026-06-06T00:00:00Z' },
  ])
  const { body } = await get(path + start.next_changes_since)
  expect(body.data).toHaveLength(1)
  expect(body.data[0]).toMatchObject({
    id: 'm0',
    emitted_at: '2026-06-06T00:00:00.000Z',
    data: { id: 'm0', subject: 'New', sent_at: at(0) },
  })
})

it('tells of deletions, and of records that leave the granted time', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(4))
  const { get } = await test.grant({ connections: ['home'], streams: [{ name: 'messages' }], since: at(1) })
  const { body: start } = await get(`${path}beginning`)
  expect(start.data.map((record: any) => record.id)).toEqual(['m1', 'm2', 'm3'])
  expect((await test.owner('DELETE', '/v1/streams/messages/records/m2?connection_id=home')).status).toBe(204)
  await test.owner('DELETE', '/v1/streams/messages/records/m0?connection_id=home')
  await test.ingest('messages', 'home', [message(3, { sent_at: at(-50) })])
  const { body } = await get(path + start.next_changes_since)
  expect(body.data.map((record: any) => [record.id, record.deleted])).toEqual([
    ['m2', true],
    ['m3', true],
  ])
  expect((await get('/v1/streams/messages/records/m3')).status).toBe(404)
})

it('expires with 410 when the stream was wiped', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(3))
  const { get } = await test.grant({ connections: ['home'] })
  const { body: start } = await get(`${path}beginning`)
  const wiped = await test.owner('DELETE', '/v1/streams/messages/records?connection_id=home')
  expect(wiped.body.records_deleted).toBe(3)
  const expired = await get(path + start.next_changes_since)
  expect([expired.status, expired.body.error.code]).toEqual([410, 'cursor_expired'])
  expect(expired.body.error.next_step).toContain('changes_since=beginning')
  for (const clash of ['sort=sent_at', 'order=asc', 'count=exact']) {
    expect((await get(`${path}beginning&${clash}`)).status).toBe(400)
  }
  for (const bad of ['2026-01-01T00:00:00Z', 'zzz'])
    expect((await get(path + bad)).body.error.code).toBe('invalid_cursor')
})
