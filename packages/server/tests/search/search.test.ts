import { expect, it } from 'vitest'
import {
  at,
  mailDeclaration,
  mailServer,
  message,
  messages,
  type TestServer,
} from '../../../../tests/fixtures/server.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'

const find = (query: string, rest = '') => `/v1/search?q=${encodeURIComponent(query)}${rest}`
const ids = (answer: { body: any }) => answer.body.data.map((hit: any) => hit.record_key)

async function library(): Promise<TestServer> {
  const test = await mailServer()
  await test.ingest('messages', 'home', [
    message(1, { subject: 'Lighthouse trip', body: 'We walked to the lighthouse before the storm and ate herring.' }),
    message(2, { subject: 'Invoice 2231', body: 'The kitchen invoice is 4,200 euros, says Anneke.' }),
    message(3, { subject: 'Re: Invoice 2231', body: 'Too much. The storm broke the window too.' }),
    message(4, { subject: 'Καλημέρα', body: 'Το πλοίο φεύγει αύριο.' }),
    message(5, { subject: '旅行の予定', body: '来週、京都へ旅行に行きます。' }),
    message(6, {
      subject: 'Café Zürich',
      body: `${'filler words here. '.repeat(400)}The zeppelin lands at noon.${' more filler.'.repeat(400)}`,
    }),
  ])
  await test.ingest('messages', 'work', [
    message(7, { subject: 'Storm plan', body: 'Lighthouse storm plan for the winter.' }),
  ])
  return test
}

it('finds words in any form, phrases, fields and exclusions, best first', async () => {
  const test = await library()
  const { get } = await test.grant({ connections: ['home', 'work'] })
  expect(ids(await get(find('lighthouse storm')))).toEqual(['m7', 'm1', 'm3'])
  expect(ids(await get(find('What does the kitchen invoice cost?')))[0]).toBe('m2')
  expect(ids(await get(find('invoices'))).toSorted()).toEqual(['m2', 'm3'])
  expect(ids(await get(find('"storm plan"')))).toEqual(['m7'])
  expect(ids(await get(find('storm -winter'))).toSorted()).toEqual(['m1', 'm3'])
  expect(ids(await get(find('subject:storm')))).toEqual(['m7'])
  expect(ids(await get(find('cafe zurich')))).toEqual(['m6'])
  expect(ids(await get(find('旅行')))).toEqual(['m5'])
  expect(ids(await get(find('ΠΛΟΊΟ')))).toEqual(['m4'])
  expect(ids(await get(find('storm', '&connection_id=work')))).toEqual(['m7'])
  expect(ids(await get(find('storm', `&since=${at(2)}&until=${at(4)}`)))).toEqual(['m3'])
  expect(ids(await get(find('storm', '&streams=messages&filter[sender]=s1'))).toSorted()).toEqual(['m1', 'm7'])
})

it('takes a short word for its own forms only, and proves every hit', async () => {
  const test = await mailServer()
  const bodies = ['two cars', 'a car', 'take care', 'the carpet', 'cards', 'card']
  await test.ingest(
    'messages',
    'home',
    bodies.map((body, n) => message(n, { subject: 'x', body })),
  )
  const { get } = await test.grant({ connections: ['home'] })
  const { body } = await get(find('cars', '&count=exact'))
  expect(body.data.map((hit: any) => hit.record_key)).toEqual(['m0', 'm1'])
  expect(body.meta.count.value).toBe(2)
  expect(body.data.every((hit: any) => hit.evidence_excerpts.length > 0)).toBe(true)
})

verifies('001.5.1', 'shows for each proven match the words around it and how to read on', async () => {
  const test = await library()
  const { get } = await test.grant({ connections: ['home', 'work'] })
  const { body } = await get(find('zeppelin'))
  const [hit] = body.data
  expect(hit).toMatchObject({
    id: 'home/messages:m6',
    title: 'Café Zürich',
    connection_id: 'home',
    connector_key: 'mail',
    display_name: 'Home mail',
    authored_at: at(6),
  })
  const [excerpt] = hit.evidence_excerpts
  expect(excerpt).toMatchObject({ field_path: 'body', truncated: true, offset_chars: expect.any(Number) })
  expect(excerpt.preview_text).toMatch(/^….*The <mark>zeppelin<\/mark> lands at noon.*…$/s)
  // The template of the page, filled from the hit and the excerpt, continues exactly where the excerpt begins.
  const { method, route, parameters } = body.meta.read
  const path = route.replace(/\{(\w+)\}/g, (_all: string, name: string) => encodeURIComponent(hit[name]))
  const filled = Object.entries(parameters).map(([name, from]): [string, string] => [
    name,
    String({ ...hit, ...excerpt }[from as string]),
  ])
  const chars = excerpt.end_chars - excerpt.offset_chars
  const window = await get(`${path}?${new URLSearchParams(filled)}&limit_chars=${chars}`)
  expect(method).toBe('GET')
  expect(excerpt.offset_chars).toBeGreaterThan(0)
  expect(window.body.window).toMatchObject({ start_chars: excerpt.offset_chars, total_chars: excerpt.total_chars })
  expect(`…${window.body.window.text}…`).toBe(excerpt.preview_text.replace(/<\/?mark>/g, ''))
  const short = (await get(find('herring'))).body.data[0].evidence_excerpts[0]
  expect(short).toEqual({
    field_path: 'body',
    preview_text: 'We walked to the lighthouse before the storm and ate <mark>herring</mark>.',
    offset_chars: 0,
  })
  const plain = (await get(find('herring', '&highlight=false'))).body.data[0].evidence_excerpts[0]
  expect(plain).toEqual({ ...short, preview_text: short.preview_text.replace(/<\/?mark>/g, '') })
})

it('a hit says each fact once, and its address unless it is asked not to', async () => {
  const test = await library()
  const { get } = await test.grant({ connections: ['home', 'work'] })
  const [hit] = (await get(find('zeppelin'))).body.data
  expect(Object.keys(hit)).toEqual([
    'id',
    'stream',
    'record_key',
    'connection_id',
    'connector_key',
    'display_name',
    'emitted_at',
    'title',
    'authored_at',
    'actor',
    'match',
    'url',
    'evidence_excerpts',
  ])
  const { url, ...rest } = hit
  expect(url).toContain('/r/home%2Fmessages%3Am6')
  expect((await get(find('zeppelin', '&urls=false'))).body.data).toEqual([rest])
  expect((await get(find('zeppelin', '&urls=false&made_titles=false'))).body.data).toEqual([rest])
  const old = await get(find('zeppelin', '&view=compact'))
  expect([old.status, old.body.error.param]).toEqual([400, 'view'])
})

it('searches, ranks, shows and counts granted fields only', async () => {
  const test = await library()
  const { get } = await test.grant({
    connections: ['home', 'work'],
    streams: [{ name: 'messages', fields: ['subject'] }],
  })
  expect(ids(await get(find('herring')))).toEqual([])
  const storm = await get(find('storm lighthouse', '&count=exact'))
  expect(ids(storm).toSorted()).toEqual(['m1', 'm7'])
  expect(storm.body.meta.count).toEqual({ kind: 'exact', value: 2 })
  expect(storm.text).not.toMatch(/herring|winter/)
  for (const query of ['body:herring', 'storm -BODY:"calm sea"']) {
    const named = await get(find(query))
    expect([named.status, named.body.error?.code, named.body.error?.param]).toEqual([403, 'field_not_granted', 'q'])
  }
  expect(ids(await get(find('size:storm')))).toEqual(['m7'])
  const none = await test.grant({ connections: ['home'], streams: [{ name: 'messages', fields: ['size'] }] })
  expect((await none.get(find('storm'))).body.meta.explanation.reason).toBe('not_granted')
  expect((await none.get(find('storm', `&since=${at(0)}`))).body.meta.explanation.reason).toBe('not_granted')
  const timed = await test.grant({ connections: ['home', 'work'], streams: [{ name: 'messages' }], until: at(3) })
  expect(ids(await timed.get(find('storm')))).toEqual(['m1'])
  expect((await timed.get(find('storm', `&since=${at(5)}`))).body.error.code).toBe('grant_time_range_exceeded')
  const one = await test.grant({ connections: ['home', 'work'], streams: [{ name: 'messages' }], resources: ['m3'] })
  expect(ids(await one.get(find('storm invoice')))).toEqual(['m3'])
  expect((await one.get(find('storm', '&streams=labels'))).body.error.code).toBe('grant_stream_not_allowed')
})

it('gives the same bytes whatever hidden fields hold', async () => {
  const texts = await Promise.all(
    [0, 1].map(async (variant) => {
      const test = await mailServer({ publicUrl: 'https://data.example.org' })
      const rows = messages(40).map((row, n) =>
        message(n, {
          subject: row.data.subject.replace(
            /\d+/,
            (digits) => `storm ${Number(digits) % 3 ? 'harbour' : 'harbour harbour'}`,
          ),
          body: variant ? 'storm '.repeat(n * 7) : 'calm',
        }),
      )
      await test.ingest('messages', 'home', rows)
      const { get } = await test.grant({ connections: ['home'], streams: [{ name: 'messages', fields: ['subject'] }] })
      const answers = await Promise.all(
        ['storm', 'harbour storm', '"harbour harbour"', 'calm'].map((query) =>
          get(find(query, '&limit=30&count=exact')),
        ),
      )
      return answers.map(({ text }) =>
        text.replaceAll(/"indexed_through":"[^"]+"|"next_cursor":"[^"]+"|cursor=[\w-]+/g, ''),
      )
    }),
  )
  expect(texts[1]).toEqual(texts[0])
})

it('pages exactly while others write, until the search fields change', async () => {
  const test = await mailServer()
  await test.ingest(
    'messages',
    'home',
    Array.from({ length: 60 }, (_, n) => message(n, { body: `harbour ${'tide '.repeat(n % 7)}` })),
  )
  const { get } = await test.grant({ connections: ['home'] })
  const seen: string[] = []
  let path: string | null = find('harbour tide', '&limit=7')
  let first: any
  while (path) {
    const { body } = await get(path)
    first ??= body
    seen.push(...body.data.map((hit: any) => hit.record_key))
    path = body.links.next
  }
  expect([seen.length, new Set(seen).size]).toEqual([60, 60])
  await test.ingest('messages', 'home', [message(99, { body: 'harbour tide' })])
  const [shown, next] = [first.data, (await get(first.links.next)).body.data].map((hits) =>
    hits.map((hit: any) => hit.record_key),
  )
  expect(next).toHaveLength(7)
  expect(next!.filter((key: string) => shown!.includes(key))).toEqual([])
  const changed = structuredClone(mailDeclaration) as any
  changed.declaration_version = '2'
  changed.streams[0].query.search.lexical_fields = ['body']
  expect((await test.owner('POST', '/connectors', changed)).status).toBe(200)
  const expired = await get(first.links.next)
  expect([expired.status, expired.body.error.code]).toEqual([410, 'cursor_expired'])
  const tight = await get(find('harbour tide', '&max_bytes=3000'))
  expect(Buffer.byteLength(tight.text)).toBeLessThanOrEqual(3000)
  const tiny = await get(find('harbour tide', '&max_bytes=2000'))
  expect(Buffer.byteLength(tiny.text)).toBeLessThanOrEqual(2000)
  expect(tiny.body.data).toHaveLength(1)
  expect(tight.body.has_more).toBe(true)
})

it('explains few and no matches, and keeps up with every write', async () => {
  const test = await library()
  const { get } = await test.grant({ connections: ['home', 'work'] })
  const few = await get(find('herring zeppelin'))
  expect(few.body.meta.words).toEqual([
    { word: 'herring', records: 1 },
    { word: 'zeppelin', records: 1 },
  ])
  expect(ids(few).toSorted()).toEqual(['m1', 'm6'])
  const nothing = await get(find('xylophone'))
  expect(nothing.body.meta).toMatchObject({
    explanation: { reason: 'no_match' },
    index: { state: 'current', indexed_through: expect.any(String) },
    recall: { complete: true },
  })
  const inverted = await get(find('storm', `&since=${at(4)}&until=${at(2)}`))
  expect([inverted.status, inverted.body.error.code, inverted.body.error.param]).toEqual([
    400,
    'invalid_filter',
    'until',
  ])
  expect((await get(find('storm', `&since=${at(2)}&until=${at(2)}`))).status).toBe(400)
  const said = async (query: string, rest = '') => (await get(find(query, rest))).body.meta.explanation.message
  expect(await said('xylophone')).toBe('No record in reach has any of these words.')
  expect(await said('storm', `&until=${at(0)}`)).toBe(
    'No record that the filter and the times leave has any of these words.',
  )
  for (const demand of ['"herring storm"', 'subject:herring', 'herring -storm'])
    expect(await said(demand)).toContain('none has everything it asks for')
  await test.ingest('messages', 'home', [message(1, { subject: 'Changed', body: 'xylophone' })])
  expect(ids(await get(find('xylophone')))).toEqual(['m1'])
  expect(ids(await get(find('herring')))).toEqual([])
  await test.owner('DELETE', '/v1/streams/messages/records/m1?connection_id=home')
  expect(ids(await get(find('xylophone')))).toEqual([])
  await test.owner('DELETE', '/v1/owner/connections/work')
  expect(ids(await get(find('winter')))).toEqual([])
  const receipts = await test.owner('GET', '/v1/owner/receipts?stream=messages')
  expect(receipts.body.data.filter((receipt: any) => receipt.operation === 'search').length).toBeGreaterThan(0)
})

it('says if it shortens a query or a hit', async () => {
  const test = await library()
  const { get } = await test.grant({ connections: ['home'] })
  const warned = async (query: string, rest = '') => {
    const { body } = await get(find(query, rest))
    return body.meta.warnings.map((warning: any) => [warning.code, warning.param])
  }
  const many = (count: number, word: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => word(n)).join(' ')
  const cut = [['partial_results', 'q']]
  expect(await warned(many(48, (n) => `word${n}`))).toEqual([])
  expect(await warned(many(49, (n) => `word${n}`))).toEqual(cut)
  expect(await warned(`storm ${many(12, (n) => `-word${n}`)}`)).toEqual([])
  expect(await warned(`storm ${many(13, (n) => `-word${n}`)}`)).toEqual(cut)
  expect(await warned('storm '.repeat(700))).toEqual(cut)
  const bare = await get(find('zeppelin', '&max_bytes=1024'))
  expect(bare.body.data.map((hit: any) => hit.evidence_excerpts)).toEqual([[]])
  expect(bare.body.meta.warnings.map(({ param }: any) => param)).toEqual(['max_bytes'])
})

it('asks nothing of streams that have no search field', async () => {
  const test = await library()
  const { get } = await test.grant({ connections: ['home', 'work'] })
  const found = await get(find('storm', `&since=${at(2)}&until=${at(4)}&filter[sender]=s0`))
  expect([ids(found), found.body.meta.warnings]).toEqual([['m3'], []])
  expect((await get(find('storm', '&streams=messages,labels&filter[sender]=s0'))).body.error.code).toBe('unknown_field')
})

it('searches other fields once a source declares them', async () => {
  const test = await library()
  const declared = structuredClone((await test.owner('GET', '/connectors/mail')).body)
  declared.streams[0].query.search.lexical_fields = ['subject', 'body', 'sender']
  declared.declaration_version = '2'
  await test.owner('POST', '/connectors', declared)
  const { get } = await test.grant({ connections: ['home', 'work'] })
  expect(ids(await get(find('sender:s1'))).toSorted()).toEqual(['m1', 'm4', 'm7'])
  expect(ids(await get(find('herring')))).toEqual(['m1'])
})

it('refuses only what makes no sense: every text is a query', async () => {
  const test = await library()
  const { get } = await test.grant({ connections: ['home'] })
  for (const query of [
    '"',
    '""',
    '*',
    'AND OR NOT',
    'a*b^c:d',
    '(((',
    "'; drop table",
    '{c0} : x',
    '\u0000x',
    '-',
    '"unclosed',
    'x'.repeat(3000),
    '👪',
    'body:"',
    'NEAR(a b)',
  ]) {
    expect([query.slice(0, 20), (await get(find(query))).status]).toEqual([query.slice(0, 20), 200])
  }
  expect((await get(find('界'.repeat(4096)))).status).toBe(200)
  const endless = await get(find('x'.repeat(200_000)))
  expect([endless.status, endless.body.error.code]).toEqual([413, 'resource_limit'])
  expect(endless.headers.get('request-id')).toBe(endless.body.error.request_id)
  expect((await get('/v1/search')).body.error.code).toBe('invalid_request')
  expect((await get(find('x', '&mode=semantic'))).body.error.code).toBe('unsupported_search_mode')
  expect((await get(find('x', '&limit=0'))).status).toBe(400)
})

it('dates a record by the best time that the grant shows', async () => {
  const test = await library()
  const declared = structuredClone((await test.owner('GET', '/connectors/mail')).body)
  const [stream, labels] = declared.streams
  stream.schema.properties.happened_at = { type: 'string', format: 'date-time', x_pdpp_role: 'event-time' }
  labels.cursor_field = 'name'
  labels.query = { search: { lexical_fields: ['colour'] } }
  declared.declaration_version = '2'
  await test.owner('POST', '/connectors', declared)
  const happened = { happened_at: '2025-05-05T05:05:05Z' }
  await test.ingest('messages', 'home', [message(8, { body: 'quokka', ...happened }), message(9, { body: 'quokka' })])
  await test.ingest('labels', 'home', [{ data: { box: 'in', name: 'zoo', colour: 'quokka brown' } }])
  const whole = await test.grant({ connections: ['home'] })
  const times = async (get: typeof whole.get) =>
    new Map((await get(find('quokka'))).body.data.map((hit: any) => [hit.record_key, hit.authored_at]))
  expect(await times(whole.get)).toEqual(
    new Map([
      ['m8', happened.happened_at],
      ['m9', at(9)],
      ['["in","zoo"]', undefined],
    ]),
  )
  const narrow = await test.grant({ connections: ['home'], streams: [{ name: 'messages', fields: ['body'] }] })
  expect(await times(narrow.get)).toEqual(
    new Map([
      ['m9', at(9)],
      ['m8', at(8)],
    ]),
  )
})
