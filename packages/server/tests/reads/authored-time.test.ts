// 000.6.1: a record is dated by when it was written or happened, not by when a copy of it was made.
import { expect } from 'vitest'
import { declaration, key, searched, stream } from '../../../../tests/fixtures/declaration.ts'
import { type TestServer, testServer } from '../../../../tests/fixtures/server.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'

const [WRITTEN, COPIED] = ['2020-02-02T09:30:00Z', '2026-09-09T09:09:00Z']
const time = { type: 'string', format: 'date-time' }

interface Declared {
  readonly fields: Record<string, object>
  readonly data: Record<string, unknown>
  readonly more?: Record<string, unknown>
}

const STREAMS: Record<string, Declared> = {
  // A sync cursor is very common.
  synced: {
    fields: { sent_at: time, emitted_at: time },
    data: { sent_at: WRITTEN, emitted_at: COPIED },
    more: { cursor_field: 'emitted_at', consent_time_field: 'emitted_at' },
  },
  undeclared: { fields: { sentAt: time }, data: { sentAt: WRITTEN } },
  daily: { fields: { date: { type: 'string', format: 'date' } }, data: { date: '2020-02-02' } },
  changed: {
    fields: { created_at: time, updated_at: time },
    data: { created_at: WRITTEN, updated_at: COPIED },
    more: { cursor_field: 'updated_at' },
  },
  // A mark of the source wins over every name.
  marked: {
    fields: { sent_at: time, held_at: { ...time, x_pdpp_role: 'event-time' } },
    data: { sent_at: COPIED, held_at: WRITTEN },
  },
  // No name tells the time, so the time that the declaration names is used, and then the cursor.
  own: {
    fields: { logged: time, seen: time },
    data: { logged: WRITTEN, seen: COPIED },
    more: { consent_time_field: 'logged', cursor_field: 'seen' },
  },
  // A time that the source named itself is better than the time of a copy, even if the grant limits the latter.
  filed: {
    fields: { logged: time, synced_at: time },
    data: { logged: WRITTEN, synced_at: COPIED },
    more: { consent_time_field: 'synced_at', cursor_field: 'logged' },
  },
  // There is no other time.
  copies: { fields: { fetched_at: time }, data: { fetched_at: WRITTEN }, more: { cursor_field: 'fetched_at' } },
  // A record without the better time has the next one.
  partly: { fields: { sent_at: time, started_at: time }, data: { started_at: WRITTEN } },
}

async function server(): Promise<TestServer> {
  const test = await testServer()
  const streams = Object.entries(STREAMS).map(([name, { fields, more = {} }]) => {
    const members = { id: key(), text: searched(), ...fields }
    return [name, stream(members, { semantics: 'append_only', ...more })]
  })
  await test.owner('POST', '/connectors', declaration('times', Object.fromEntries(streams)))
  await test.owner('POST', '/v1/owner/connections', {
    connector_key: 'times',
    connection_id: 'clock',
    display_name: 'Clock',
  })
  for (const [stream, { data }] of Object.entries(STREAMS)) {
    const rows = [{ key: 'a', data: { id: 'a', text: 'heron', ...data }, emitted_at: COPIED }]
    expect((await test.ingest(stream, 'clock', rows)).body.records_rejected).toBe(0)
  }
  return test
}

verifies.each('000.6.1', Object.keys(STREAMS))(
  '%s: hits, titles and labels have the time of writing',
  async (stream) => {
    const test = await server()
    const { get } = await test.grant({ connections: ['clock'] })
    const [hit] = (await get(`/v1/search?q=heron&streams=${stream}`)).body.data
    const day = stream === 'daily'
    expect(hit.authored_at).toBe(day ? '2020-02-02' : WRITTEN)
    expect(hit.title).toBe(`Clock / ${stream} / 2020-02-02${day ? '' : ' 09:30Z'}`)
    const record = (await get(`/v1/streams/${stream}/records/a?label=true`)).body
    expect([record.authored_at, record.title]).toEqual([hit.authored_at, hit.title])
  },
)

verifies('000.6.1', 'a time that the grant leaves out dates nothing', async () => {
  const test = await server()
  const { get } = await test.grant({
    connections: ['clock'],
    streams: [{ name: 'changed', fields: ['text', 'updated_at'] }],
  })
  const { body, text } = await get('/v1/search?q=heron')
  expect(body.data[0].authored_at).toBe(COPIED)
  expect(text).not.toContain('2020-02-02')
})
