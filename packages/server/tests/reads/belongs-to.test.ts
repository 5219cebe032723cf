import { expect, it } from 'vitest'
import { type TestServer, testServer } from '../../../../tests/fixtures/server.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'

const text = { type: 'string' }
const time = { type: 'string', format: 'date-time' }

/** As an existing connector ships it: a belongs-to relation is a `has_one` with a foreign key of its own stream. */
const chat = {
  connector_id: 'https://registry.example/chat',
  version: '1',
  display_name: 'Chat',
  streams: [
    {
      name: 'rooms',
      semantics: 'mutable_state',
      schema: { type: 'object', properties: { id: text, title: text, topic: text, opened_at: time } },
      primary_key: ['id'],
      consent_time_field: 'opened_at',
      relationships: [{ name: 'messages', stream: 'messages', foreign_key: 'room_id', cardinality: 'has_many' }],
      query: { expand: [{ name: 'messages', max_limit: 500 }] },
    },
    {
      name: 'messages',
      semantics: 'append',
      schema: {
        type: 'object',
        properties: { id: text, room_id: { type: ['string', 'null'] }, reply_to: text, body: text, sent_at: time },
      },
      primary_key: ['id'],
      cursor_field: 'sent_at',
      consent_time_field: 'sent_at',
      relationships: [
        { name: 'room', stream: 'rooms', foreign_key: 'room_id', cardinality: 'has_one' },
        { name: 'answers', stream: 'messages', foreign_key: 'reply_to', cardinality: 'has_one' },
      ],
    },
  ],
}

const at = (day: number) => `2026-03-${String(day).padStart(2, '0')}T10:00:00Z`
const room = (id: string, more: object = {}) => ({
  data: { id, title: `Room ${id}`, topic: `Topic of ${id}`, opened_at: at(1), ...more },
})
const said = (n: number, roomId: string | null, more: object = {}) => ({
  data: { id: `m${n}`, room_id: roomId, body: `Text ${n}`, sent_at: at(n + 1), ...more },
})

async function chatServer(connections: readonly string[] = ['home']): Promise<TestServer> {
  const test = await testServer()
  const declared = await test.owner('POST', '/connectors', chat)
  expect(declared.status).toBe(201)
  expect(declared.body.warnings.map(({ code, path }: any) => [code, path])).toEqual([
    ['limit_clamped', 'streams.0.query.expand.0.max_limit'],
    ['semantics_read_as_append_only', 'streams.1.semantics'],
    ['relation_read_as_belongs_to', 'streams.1.relationships.0'],
    ['relation_read_as_belongs_to', 'streams.1.relationships.1'],
  ])
  for (const id of connections)
    await test.owner('POST', '/v1/owner/connections', { connector_key: 'chat', connection_id: id })
  return test
}

const titles = (body: any) => body.data.map(({ id, expanded }: any) => [id, expanded.room?.data.title ?? null])

it("shows a child's parent, and a parent's children", async () => {
  const test = await chatServer()
  await test.ingest('rooms', 'home', [room('a'), room('b')])
  await test.ingest('messages', 'home', [
    said(1, 'a'),
    said(2, 'b', { reply_to: 'm1' }),
    said(3, 'gone'),
    said(4, null),
    said(5, 'a'),
  ])
  const { get } = await test.grant({ connections: ['home'] })
  const { body } = await get('/v1/streams/messages/records?expand=room,answers&order=asc')
  expect(titles(body)).toEqual([
    ['m1', 'Room a'],
    ['m2', 'Room b'],
    ['m3', null],
    ['m4', null],
    ['m5', 'Room a'],
  ])
  expect(body.data[1].expanded.answers).toMatchObject({ object: 'record', stream: 'messages', id: 'm1' })
  expect(body.data[0].expanded.room).toMatchObject({
    object: 'record',
    id: 'a',
    stream: 'rooms',
    connection_id: 'home',
    connector_key: 'chat',
  })
  // The foreign key need not be among the fields that are shown.
  const one = await get('/v1/streams/messages/records/m2?fields=body&expand=room&expand_limit[room]=3')
  expect(one.body.data).toEqual({ body: 'Text 2' })
  expect(one.body.expanded.room.data.title).toBe('Room b')
  const back = await get('/v1/streams/rooms/records?expand=messages&order=asc')
  expect(back.body.data.map(({ expanded }: any) => expanded.messages.data.map(({ id }: any) => id))).toEqual([
    ['m1', 'm5'],
    ['m2'],
  ])
  // Each parent that was shown is in the receipt once.
  const receipts = await test.owner('GET', '/v1/owner/receipts?stream=rooms')
  const shown = receipts.body.data.map(({ records }: any) => records.map(({ record_id }: any) => record_id).toSorted())
  expect(shown).toContainEqual(['a', 'b'])
  expect(shown).toContainEqual(['b'])
})

verifies('004.5.3', 'says in the schema exactly which relations work, in both directions', async () => {
  const test = await chatServer()
  await test.ingest('rooms', 'home', [room('a')])
  await test.ingest('messages', 'home', [said(1, 'a')])
  const grants = {
    all: [{ name: 'rooms' }, { name: 'messages' }],
    withoutKey: [{ name: 'rooms' }, { name: 'messages', fields: ['body'] }],
    withoutParent: [{ name: 'messages' }],
  }
  const expected = {
    all: [
      ['room', 'rooms', true],
      ['answers', 'messages', true],
    ],
    withoutKey: [
      ['room', 'rooms', false],
      ['answers', 'messages', false],
    ],
    withoutParent: [['answers', 'messages', true]],
  }
  for (const [name, streams] of Object.entries(grants)) {
    const { get, token, grantId } = await test.grant({ connections: ['home'], streams })
    const schema = await get('/v1/schema?stream=messages')
    const capabilities = schema.body.connectors[0].streams[0].expand_capabilities
    const told = capabilities.map(({ name: relation, target_stream, usable }: any) => [relation, target_stream, usable])
    expect([name, told]).toEqual([name, expected[name as keyof typeof expected]])
    for (const { name: relation, usable } of capabilities) {
      const { status, body } = await get(`/v1/streams/messages/records?expand=${relation}`)
      expect([name, relation, status]).toEqual([name, relation, usable ? 200 : 403])
      if (!usable) expect(body.error.code).toBe('insufficient_scope')
    }
    expect(JSON.stringify(schema.body).includes('rooms')).toBe(name !== 'withoutParent')
    // If they are requested alone, they are the same, and nothing else of the stream is shown.
    const before = await test.owner('GET', `/v1/owner/receipts?grant_id=${grantId}&limit=100`)
    const only = async (more: string) =>
      (await test.as(token)('GET', `/v1/schema?view=compact&${more}`, undefined, { prefer: 'relations-only' })).body
    const { bearer, ...looked } = await only('stream=messages&connection_id=home')
    expect(bearer.token_kind).toBe('client')
    expect(looked).toEqual({
      object: 'schema',
      connectors: [{ connector_key: 'chat', streams: [{ name: 'messages', expand_capabilities: capabilities }] }],
    })
    for (const absent of ['stream=nothing', 'stream=messages&connection_id=elsewhere'])
      expect((await only(absent)).connectors).toEqual([])
    expect((await test.owner('GET', `/v1/owner/receipts?grant_id=${grantId}&limit=100`)).body).toEqual(before.body)
  }
  const owner = await test.owner('GET', '/v1/schema?stream=messages')
  expect(owner.body.connectors[0].streams[0].expand_capabilities[0]).toEqual({
    name: 'room',
    stream: 'messages',
    target_stream: 'rooms',
    cardinality: 'has_one',
    direction: 'to_parent',
    child_parent_key_field: 'room_id',
    foreign_key: 'room_id',
    granted: true,
    usable: true,
  })
  const rooms = await test.owner('GET', '/v1/schema?stream=rooms')
  expect(rooms.body.connectors[0].streams[0].expand_capabilities[0]).toMatchObject({
    cardinality: 'has_many',
    direction: 'to_children',
    child_parent_key_field: 'room_id',
    max_limit: 100,
  })
})

it('a parent that the grant hides is like a missing one', async () => {
  const own = Array.from({ length: 12 }, (_, n) => `m${n}`)
  const limits: [string, object, (there: boolean) => Record<string, unknown>[]][] = [
    [
      'by resources',
      { resources: ['a', ...own] },
      (there) => (there ? [room('b', { title: 'Hidden', topic: 'Hidden' }), room('c')] : []),
    ],
    [
      'by time',
      { since: at(1), until: at(15) },
      (there) => (there ? [room('b', { opened_at: at(19) }), room('c', { opened_at: at(18) })] : []),
    ],
    ['by a time that it lacks', { since: at(1) }, (there) => (there ? [{ data: { id: 'b', title: 'No time' } }] : [])],
    [
      'by fields',
      { streams: [{ name: 'rooms', fields: ['title'] }, { name: 'messages' }] },
      (there) => [room('b', { topic: there ? 'Hidden' : 'Other' })],
    ],
  ]
  for (const [what, limit, hidden] of limits) {
    const answers: string[] = []
    for (const there of [false, true]) {
      const test = await chatServer()
      await test.ingest('rooms', 'home', [room('a'), ...hidden(there)])
      await test.ingest(
        'messages',
        'home',
        Array.from({ length: 12 }, (_, n) => said(n, ['a', 'b', 'c', 'a'][n % 4]!)),
      )
      const { get } = await test.grant({ connections: ['home'], ...limit })
      const replies = []
      for (const query of [
        'messages/records?expand=room&limit=5&count=exact',
        'messages/records?expand=room&order=asc&fields=body',
        'messages/records?expand=room&expand=answers&max_bytes=4000',
        'messages/records/m1?expand=room',
        'messages/records/m2?expand=room&max_bytes=2000',
        'messages/records/m1?expand=rooms',
      ])
        replies.push(await get(`/v1/streams/${query}`))
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 400])
      answers.push(comparable(replies.map(({ body }) => body)))
    }
    expect([what, answers[1]]).toEqual([what, answers[0]])
  }
})

/** Sealed cursors differ in every answer, and times of arrival in every server. Only their lengths are compared. */
function comparable(bodies: unknown): string {
  return JSON.stringify(bodies, (name, value) => {
    if (name === 'request_id' || name === 'emitted_at') return '*'
    if (name === 'next_cursor' || name === 'next') return typeof value === 'string' ? value.length : value
    return typeof value === 'string' ? value.replace(/http:\/\/[^/]+/, '') : value
  })
}

it('reads only parents of the same, granted connection', async () => {
  const test = await chatServer(['home', 'work'])
  await test.ingest('rooms', 'home', [room('a', { title: 'At home' })])
  await test.ingest('rooms', 'work', [room('a', { title: 'At work' }), room('b', { title: 'Only at work' })])
  await test.ingest('messages', 'home', [said(1, 'a'), said(2, 'b')])
  await test.ingest('messages', 'work', [said(3, 'a'), said(4, 'b')])
  const both = await test.grant({ connections: ['home', 'work'] })
  const order = '/v1/streams/messages/records?expand=room&order=asc'
  expect(titles((await both.get(order)).body)).toEqual([
    ['m1', 'At home'],
    ['m2', null],
    ['m3', 'At work'],
    ['m4', 'Only at work'],
  ])
  expect(titles((await both.get(`${order}&connection_id=home`)).body)).toEqual([
    ['m1', 'At home'],
    ['m2', null],
  ])
  const home = await test.grant({ connections: ['home'] })
  expect(titles((await home.get(order)).body)).toEqual([
    ['m1', 'At home'],
    ['m2', null],
  ])
})

it('finds parents by keys of every shape, with every digit', async () => {
  const shapes: [object, string[], object, string[]][] = [
    [
      { properties: { id: { type: 'integer' } }, key: ['id'] },
      ['{"id":9007199254740992}', '{"id":9007199254740993}', '{"id":12}'],
      { type: 'integer' },
      ['9007199254740992', '9007199254740993', '12'],
    ],
    [
      { properties: { id: { type: 'integer' } }, key: ['id'] },
      ['{"id":123456789012345678901234567890}', '{"id":123456789012345678901234567891}'],
      { type: 'integer' },
      ['123456789012345678901234567890', '123456789012345678901234567891'],
    ],
    [
      { properties: { play: text, act: { type: 'integer' } }, key: ['play', 'act'] },
      ['{"play":"x,y","act":1}', '{"play":"x","act":2}'],
      { type: 'array' },
      ['["x,y",1]', '["x","2"]'],
    ],
    [
      { properties: { play: text, act: { type: 'integer' } }, key: ['play', 'act'] },
      ['{"play":"x","act":1}', '{"play":"x","act":2}'],
      text,
      ['"[\\"x\\",\\"1\\"]"', '"[\\"x\\",\\"2\\"]"'],
    ],
    [
      { properties: { id: text }, key: ['id'] },
      ['{"id":"a/b"}', '{"id":"07"}', '{"id":"é\\n"}'],
      text,
      ['"a/b"', '"07"', '"é\\n"'],
    ],
  ]
  for (const [parent, parents, reference, references] of shapes) {
    const test = await testServer()
    const { properties, key } = parent as { properties: object; key: string[] }
    const streams = [
      { name: 'parents', semantics: 'append_only', schema: { type: 'object', properties }, primary_key: key },
      {
        name: 'children',
        semantics: 'append_only',
        schema: { type: 'object', properties: { n: { type: 'integer' }, of: reference } },
        primary_key: ['n'],
        relationships: [{ name: 'parent', stream: 'parents', foreign_key: 'of', cardinality: 'belongs_to' }],
      },
    ]
    const declared = { connector_id: 'https://tests.example/shapes', version: '1', display_name: 'Shapes', streams }
    expect((await test.owner('POST', '/connectors', declared)).body).toMatchObject({ outcome: 'created', warnings: [] })
    await test.owner('POST', '/v1/owner/connections', { connector_key: 'shapes', connection_id: 'one' })
    const send = (stream: string, lines: string[]) =>
      test.owner('POST', `/v1/ingest/${stream}?connection_id=one`, lines.map((data) => `{"data":${data}}`).join('\n'))
    expect((await send('parents', parents)).body.records_rejected).toBe(0)
    const rows = [...references, '"no such"', 'null', '{}', '[]'].map((of, n) => `{"n":${n},"of":${of}}`)
    await send('children', rows)
    const raw = (await test.owner('GET', '/v1/streams/children/records?expand=parent&order=asc&connection_id=one')).text
    const shown = [...raw.matchAll(/"expanded":\{"parent":(null|.*?"data":(\{.*?\}))/g)].map((match) => match[2])
    expect(shown.slice(0, parents.length)).toEqual(parents)
    expect(shown.slice(parents.length).every((data) => data === undefined)).toBe(true)
  }
})

it('keeps a page with large parents within its bytes', async () => {
  const test = await chatServer()
  const topic = 'long '.repeat(40_000)
  await test.ingest(
    'rooms',
    'home',
    ['a', 'b', 'c'].map((id) => room(id, { topic })),
  )
  await test.ingest(
    'messages',
    'home',
    Array.from({ length: 9 }, (_, n) => said(n, ['a', 'b', 'c'][n % 3]!)),
  )
  const { get } = await test.grant({ connections: ['home'] })
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await get(`/v1/streams/messages/records?expand=room&order=asc&max_bytes=20000${cursor}`)
    expect(JSON.stringify(body).length).toBeLessThan(21_000)
    for (const { id, expanded } of body.data) {
      expect(expanded.room).toMatchObject({ object: 'record', stream: 'rooms' })
      seen.push(id)
    }
    if (!body.has_more) break
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
  }
  expect(seen).toEqual(Array.from({ length: 9 }, (_, n) => `m${n}`))
})
