// The schema of one stream helps a first read: people and places, views, an example. It never shows what a grant hides.
import { expect, it } from 'vitest'
import { declaration, key, searched, stream, text, time } from '../../../../tests/fixtures/declaration.ts'
import { testServer } from '../../../../tests/fixtures/server.ts'
import { OWNER } from '../../src/owner.ts'

function chat(name: string, changes: object = {}) {
  const messages = stream(
    {
      id: key(),
      conversation_id: text(),
      device: text(),
      channel: text(),
      writer: { ...text(), x_pdpp_role: 'actor' },
      said: searched(),
      sent_at: time({ type: 'string', format: 'date-time', x_pdpp_role: 'event-time' }),
    },
    {
      semantics: 'append_only',
      views: [
        { id: 'who', fields: ['id', 'writer'] },
        { id: 'words', fields: ['id', 'said'] },
      ],
      query: { aggregations: { group_by: ['conversation_id', 'device', 'channel', 'writer'] } },
    },
  )
  return declaration(name, { messages: { ...messages, ...changes } })
}

const rows = Array.from({ length: 200 }, (_, n) => ({
  key: `m${n}`,
  data: {
    id: `m${n}`,
    conversation_id: `conversation-of-a-long-name-${n % 90}`,
    device: `a telephone of the model ${n % 12}`,
    channel: `room of the house number-${n % 9}`,
    writer: `Somebody Longname the ${n % 10}th`,
    said: `words ${n}`,
    sent_at: new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString(),
  },
  emitted_at: '2026-02-01T00:00:00Z',
}))

async function chats(count: number) {
  const test = await testServer()
  const grants = []
  for (let at = 0; at < count; at++) {
    await test.owner('POST', '/connectors', chat(`chat-${at}`))
    await test.owner('POST', '/v1/owner/connections', { connector_key: `chat-${at}`, connection_id: `room-${at}` })
    await test.ingest('messages', `room-${at}`, rows)
    grants.push(await test.grant({ connections: [`room-${at}`] }))
  }
  return { test, grants }
}

it('shows people, then places, then kinds, and no ids', async () => {
  const { test, grants } = await chats(4)
  const [one] = grants
  const alone = (await one!.get('/v1/schema?view=compact&stream=messages')).body.connectors[0].streams[0]
  expect(Object.keys(alone.frequent_values)).toEqual(['writer', 'channel', 'device'])
  const { body } = await test.owner('POST', '/v1/owner/packages', { grants: grants.map(({ grantId }) => grantId) })
  const shared = await test.as(body.access_token)('GET', '/v1/schema?view=compact&stream=messages')
  expect(shared.body.connectors).toHaveLength(4)
  for (const { streams } of shared.body.connectors) {
    expect(Object.keys(streams[0].frequent_values).slice(0, 2)).toEqual(['writer', 'channel'])
    expect(streams[0].frequent_values.writer.length).toBeGreaterThanOrEqual(2)
  }
})

it('shows ids where a source has nothing else to group by', async () => {
  const test = await testServer()
  await test.owner('POST', '/connectors', chat('chat', { query: { aggregations: { group_by: ['conversation_id'] } } }))
  await test.owner('POST', '/v1/owner/connections', { connector_key: 'chat', connection_id: 'room' })
  await test.ingest('messages', 'room', rows)
  const { get } = await test.grant({ connections: ['room'] })
  const { body } = await get('/v1/schema?view=compact&stream=messages')
  expect(Object.keys(body.connectors[0].streams[0].frequent_values)).toEqual(['conversation_id'])
})

it('names no view, person or field that the grant leaves out', async () => {
  const look = async (records: readonly Record<string, unknown>[], changes: object) => {
    const test = await testServer()
    await test.owner('POST', '/connectors', chat('chat', changes))
    await test.owner('POST', '/v1/owner/connections', { connector_key: 'chat', connection_id: 'room' })
    await test.ingest('messages', 'room', records)
    const streams = [{ name: 'messages', fields: ['said', 'device'] }]
    const { get } = await test.grant({ connections: ['room'], streams })
    const forms = await Promise.all(
      ['view=compact', 'detail=full'].map((form) => get(`/v1/schema?${form}&stream=messages`)),
    )
    return forms.map(({ body }) => ({ ...body.connectors[0].streams[0], freshness: 0 }))
  }
  const [compact, full] = await look(rows, {})
  expect(compact.views).toEqual([{ id: 'words', fields: ['id', 'said'] }])
  expect(Object.keys(compact.frequent_values)).toEqual(['device'])
  expect(compact.example).toContain('fields=sent_at,said,device,id')
  const hidden = { writer: 'Another Person', channel: 'another room', conversation_id: 'another' }
  const others = rows.map((row) => ({ ...row, data: { ...row.data, ...hidden } }))
  expect(await look(others, {})).toEqual([compact, full])
  const views = [
    { id: 'words', fields: ['id', 'said'] },
    { id: 'rooms', fields: ['id', 'channel'] },
  ]
  expect((await look(rows, { views }))[0]).toEqual(compact)
})

it('describes eight sources of a stream and names the others', async () => {
  const test = await testServer()
  const grants = []
  for (let at = 0; at < 10; at++) {
    await test.owner('POST', '/connectors', chat(`chat-${at}`))
    await test.owner('POST', '/v1/owner/connections', { connector_key: `chat-${at}`, connection_id: `room-${at}` })
    grants.push((await test.grant({ connections: [`room-${at}`] })).grantId)
  }
  const { body } = await test.owner('POST', '/v1/owner/packages', { grants })
  const get = (path: string) => test.as(body.access_token)('GET', path)
  const all = (await get('/v1/schema?view=compact&stream=messages')).body
  expect([all.stream_count, all.described_streams]).toEqual([10, 8])
  const described = all.connectors.filter(({ streams }: any) => streams[0].field_capabilities)
  expect(described).toHaveLength(8)
  const [last] = all.connectors.filter(({ streams }: any) => !streams[0].field_capabilities)
  const id = last.granted_connections[0].connection_id
  const one = (await get(`/v1/schema?view=compact&stream=messages&connection_id=${id}`)).body
  expect(one.connectors[0].streams[0].field_capabilities.writer).toContain('role=actor')
})

it('lets the owner grant 1,000 connections, and no more', async () => {
  const test = await testServer()
  await test.owner('POST', '/connectors', chat('chat'))
  const ids = Array.from({ length: 1_001 }, (_, n) => `room-${n}`)
  for (const connectionId of ids)
    await test.server.context.connections.create(OWNER, { connectorKey: 'chat', connectionId })
  const { get } = await test.grant({ connections: ids.slice(0, 1_000) })
  expect((await get('/v1/schema?view=compact')).body.connectors[0].connection_count).toBe(1_000)
  const over = await test.owner('POST', '/v1/owner/grants', { client_name: 'Test client', connections: ids })
  expect([over.status, over.body.error.code]).toEqual([400, 'invalid_request'])
})
