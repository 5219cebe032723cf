import { expect, it } from 'vitest'
import { declaration, key, stream } from '../../../../tests/fixtures/declaration.ts'
import { at, mailDeclaration, mailServer, messages } from '../../../../tests/fixtures/server.ts'
import { note, packageServer } from '../grants/package-support.ts'

it('gives an index of everything in reach, connections once per source', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(3))
  await test.ingest('messages', 'work', messages(4))
  const { get, grantId } = await test.grant({ connections: ['home', 'work'] })
  const { body } = await get('/v1/schema?view=compact')
  expect(body).toMatchObject({
    object: 'schema',
    detail: 'compact',
    connector_count: 1,
    stream_count: 2,
    bearer: { token_kind: 'client', grant_id: grantId },
  })
  expect(body.connectors).toEqual([
    {
      object: 'connector',
      connector_key: 'mail',
      display_name: 'Mail',
      source: mailDeclaration.source,
      stream_count: 2,
      granted_connections: [{ connection_id: 'home', display_name: 'Home mail' }, { connection_id: 'work' }],
      streams: [
        { name: 'messages', record_count: 7 },
        { name: 'labels', record_count: 0 },
      ],
    },
  ])
})

it('gives flags, legend, span and a working example for one stream', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(3))
  const { get } = await test.grant({
    connections: ['home'],
    streams: [{ name: 'messages', fields: ['subject', 'size'] }],
  })
  const { body } = await get('/v1/schema?view=compact&stream=messages')
  const [stream] = body.connectors[0].streams
  expect(stream.field_capabilities).toMatchObject({
    subject: 't=string,role=primary-title,eq,lex',
    body: 't=string,g=false',
    sent_at: 't=date-time,eq,r=gte|gt|lte|lt,s',
    size: 't=integer,eq,r=gte|lte,s',
  })
  expect(Object.keys(body.field_capability_legend)).toEqual(expect.arrayContaining(['t', 'role', 's', 'g=false']))
  expect(stream.time_span).toEqual({ earliest: at(0), latest: at(2) })
  expect(stream.freshness.status).toBe('current')
  const example = await get(stream.example.replace('GET ', ''))
  expect([example.status, example.body.data.length]).toEqual([200, 3])
})

it('gives the most common values and an example that works', async () => {
  const test = await packageServer()
  const declared = structuredClone((await test.owner('GET', '/connectors/notes')).body)
  declared.streams.push({ ...structuredClone(mailDeclaration.streams[0]!), name: 'messages' })
  declared.declaration_version = '2'
  await test.owner('POST', '/connectors', declared)
  await test.ingest('notes', 'diary', [note('n1'), note('n2', { mood: 'wild' }), note('n3')])
  const member = await test.grant({ connections: ['diary'], streams: [{ name: 'notes' }, { name: 'messages' }] })
  const other = await test.grant({ connections: ['home'] })
  const pack = await test.pack([member.grantId, other.grantId])
  for (const get of [(path: string) => test.owner('GET', path), pack.get]) {
    for (const view of ['', 'view=compact&']) {
      for (const name of ['notes', 'messages']) {
        const { body } = await get(`/v1/schema?${view}stream=${name}`)
        for (const { streams } of body.connectors) {
          const read = await get(streams[0].example.replace('GET ', ''))
          expect([streams[0].example, read.status]).toEqual([streams[0].example, 200])
        }
      }
    }
    const { body } = await get('/v1/schema?stream=notes')
    const moods = [
      { value: 'calm', count: 2 },
      { value: 'wild', count: 1 },
    ]
    expect(body.connectors[0].streams[0].frequent_values).toEqual({ mood: moods })
  }
  declared.streams[0].query.aggregations.group_by = ['text']
  declared.declaration_version = '3'
  await test.owner('POST', '/connectors', declared)
  const { body } = await pack.get('/v1/schema?stream=notes')
  expect(Object.keys(body.connectors[0].streams[0].frequent_values)).toEqual(['text'])
})

it('never lists streams outside the grant', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(1))
  const { get } = await test.grant({ connections: ['home', 'work'], streams: [{ name: 'messages' }] })
  for (const path of ['/v1/schema', '/v1/schema?view=compact', '/v1/streams', '/v1/connectors']) {
    expect([path, (await get(path)).text.includes('labels')]).toEqual([path, false])
  }
  const scoped = await get('/v1/schema?view=compact&connection_id=work')
  expect(scoped.body.connectors[0].granted_connections).toEqual([{ connection_id: 'work' }])
  expect((await get('/v1/schema?connection_id=elsewhere')).body.error.code).toBe('connection_not_found')
  expect((await get('/v1/streams')).body.data.map((row: any) => [row.connection_id, row.record_count])).toEqual([
    ['home', 1],
    ['work', 0],
  ])
  expect((await get('/v1/streams/messages')).body).toMatchObject({
    object: 'stream_metadata',
    name: 'messages',
    record_count: 1,
  })
})

it('gives the full schema of one stream of one connection', async () => {
  const test = await mailServer()
  const { get } = await test.grant({ connections: ['home', 'work'] })
  const ambiguous = await get('/v1/schema?detail=full&stream=messages')
  expect([ambiguous.status, ambiguous.body.error.code, ambiguous.body.error.retry_with]).toEqual([
    409,
    'ambiguous_connection',
    'connection_id',
  ])
  const { body } = await get('/v1/schema?detail=full&stream=messages&connection_id=home')
  const [stream] = body.connectors[0].streams
  expect(stream.schema.properties.subject.type).toBe('string')
  expect(stream.field_capabilities.subject).toMatchObject({
    type: 'string',
    granted: true,
    exact_filter: { declared: true, usable: true },
  })
  // Nothing undeclared is mentioned, and the JSON Schema is there once.
  expect(stream.field_capabilities.subject).not.toHaveProperty('sort')
  expect(stream.field_capabilities.subject).not.toHaveProperty('schema')
})

it('asks the owner which source, where two have the stream', async () => {
  const test = await mailServer()
  const other = declaration('chat', { messages: stream({ id: key() }, { semantics: 'append_only' }) })
  await test.owner('POST', '/connectors', other)
  await test.owner('POST', '/v1/owner/connections', { connector_key: 'chat', connection_id: 'room' })
  const { status, body } = await test.owner('GET', '/v1/streams/messages/records')
  expect([status, body.error.code]).toEqual([409, 'ambiguous_connection'])
  expect(body.error.available_connections.map((row: any) => row.connection_id).toSorted()).toEqual([
    'home',
    'room',
    'work',
  ])
  expect((await test.owner('GET', '/v1/streams/messages/records?connector_id=chat')).status).toBe(200)
  expect(
    (await test.owner('GET', '/v1/streams/messages/records?connector_instance_id=room')).body.meta.warnings[0].code,
  ).toBe('deprecated_alias_used')
})
