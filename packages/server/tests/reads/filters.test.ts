import { expect, it } from 'vitest'
import { at, mailServer, message, messages } from '../../../../tests/fixtures/server.ts'

const path = '/v1/streams/messages/records'
const ids = (answer: { body: any }) => answer.body.data.map((record: any) => record.id)

it('filters by equality and range on typed values', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(30))
  await test.ingest('messages', 'work', messages(30, 10))
  const { get } = await test.grant({ connections: ['home', 'work'] })
  expect(ids(await get(`${path}?filter[sender]=s1&filter[size][gte]=100&filter[size][lte]=130&order=asc`))).toEqual([
    'm10',
    'm10',
    'm13',
    'm13',
  ])
  expect(ids(await get(`${path}?filter[size]=70`))).toEqual(['m7'])
  expect(ids(await get(`${path}?filter[subject]=${encodeURIComponent('Subject 3')}`))).toEqual(['m3'])
  const zoned = at(5).replace('Z', '').replace('T05', 'T07')
  expect(ids(await get(`${path}?filter[sent_at]=${encodeURIComponent(`${zoned}+02:00`)}&connection_id=home`))).toEqual([
    'm5',
  ])
  const counted = await get(`${path}?filter[sender]=s0&count=exact&limit=3`)
  expect(counted.body.meta.count.value).toBe(20)
  const all: string[] = []
  for (let next = counted; ; next = await get(next.body.links.next)) {
    all.push(...ids(next))
    if (!next.body.has_more) break
  }
  expect(all).toHaveLength(20)
  const cursor = encodeURIComponent(counted.body.next_cursor)
  expect((await get(`${path}?filter[sender]=s1&cursor=${cursor}`)).body.error.code).toBe('invalid_cursor')
})

it('compares whole numbers of any size, in number fields too', async () => {
  const test = await mailServer()
  const declared = structuredClone((await test.owner('GET', '/connectors/mail')).body)
  declared.streams[0].schema.properties.ratio = { type: 'number' }
  declared.streams[0].query.range_filters.ratio = ['gt']
  declared.declaration_version = '2'
  await test.owner('POST', '/connectors', declared)
  const numbers = [
    '9007199254740992',
    '9007199254740993',
    '9223372036854775807',
    '9223372036854775808',
    '1e300',
    '123456789012345678901234',
  ]
  const lines = numbers.map((n, index) => `{"data":{"id":"n${index}","size":${n === '1e300' ? 1 : n},"ratio":${n}}}`)
  await test.owner('POST', '/v1/ingest/messages?connection_id=home', lines.join('\n'))
  const { get } = await test.grant({ connections: ['home'] })
  const found = async (filter: string) => ids(await get(`${path}?${filter}&sort=size`))
  for (const [index, digits] of numbers.entries()) {
    expect([digits, await found(`filter[ratio]=${digits}`)]).toEqual([digits, [`n${index}`]])
    if (digits !== '1e300') expect(await found(`filter[size]=${digits}`)).toEqual([`n${index}`])
  }
  expect(await found('filter[size][gte]=9223372036854775808')).toEqual(['n3', 'n5'])
  expect(await found('filter[size][lte]=-99999999999999999999')).toEqual([])
  expect(await found('filter[ratio][gt]=9007199254740992')).toEqual(['n4', 'n1', 'n2', 'n3', 'n5'])
})

it('finds the empty text, which aggregates and schema name as a value', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', [message(1, { sender: '' }), message(2), { data: { id: 'none' } }])
  const { get } = await test.grant({ connections: ['home'] })
  expect(ids(await get(`${path}?filter[sender]=`))).toEqual(['m1'])
})

it('filters by fields of any name', async () => {
  const test = await mailServer()
  const declared = structuredClone((await test.owner('GET', '/connectors/mail')).body)
  const names = ['back\\slash', 'c:\\new', 'q"uote', "it's", 'a.b', '$.x', 'sp ace', 'constructor', 'toString', '日本']
  for (const name of names) declared.streams[0].schema.properties[name] = { type: 'string' }
  declared.declaration_version = '2'
  await test.owner('POST', '/connectors', declared)
  const data = { id: 'all', ...Object.fromEntries(names.map((name) => [name, `in ${name}`])) }
  await test.ingest('messages', 'home', [{ data }, { data: { id: 'none' } }])
  const { get } = await test.grant({ connections: ['home'] })
  for (const name of names) {
    const filter = new URLSearchParams({ [`filter[${name}]`]: `in ${name}` })
    expect([name, ids(await get(`${path}?${filter}`))]).toEqual([name, ['all']])
  }
  const { status, body } = await get('/v1/schema?view=compact&stream=messages')
  expect([status, body.connectors?.[0].streams[0].field_capabilities.constructor]).toEqual([200, 't=string,eq'])
})

it('refuses what cannot be filtered, with the choices', async () => {
  const test = await mailServer()
  const { get } = await test.grant({
    connections: ['home'],
    streams: [{ name: 'messages', fields: ['subject', 'size', 'headers'] }],
  })
  for (const [filter, status, code, says] of [
    ['filter[size]=large', 400, 'invalid_filter', 'a whole number'],
    ['filter[size][gt]=3', 400, 'invalid_filter', 'filter[size][gte]'],
    ['filter[subject][gte]=a', 400, 'invalid_filter', 'filter[subject]'],
    ['filter[headers]=x', 400, 'invalid_filter', 'filter by "headers", which is'],
    ['filter[sent_at][gte]=yesterday', 400, 'invalid_filter', 'RFC 3339'],
    ['filter[sent_at]=2026-01-01T00:00:00', 400, 'invalid_filter', 'with a zone'],
    ['filter[nonsense]=1', 400, 'unknown_field', 'Fields you can use'],
    ['filter[sender]=s1', 403, 'field_not_granted', 'outside the grant'],
    ['filter=size', 400, 'invalid_filter', 'filter[field]=value'],
    ['filter[size]=', 400, 'invalid_filter', 'a whole number'],
    ['filter[sent_at][gte]=', 400, 'invalid_filter', 'RFC 3339'],
  ] as const) {
    const answer = await get(`${path}?${filter}`)
    expect([filter, answer.status, answer.body.error?.code]).toEqual([filter, status, code])
    expect(answer.body.error.message).toContain(says)
  }
})

it('narrows a filter to the granted time', async () => {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(20))
  const { get } = await test.grant({
    connections: ['home'],
    streams: [{ name: 'messages' }],
    since: at(5),
    until: at(10),
  })
  const narrowed = await get(`${path}?filter[sent_at][gte]=${at(3)}&filter[sent_at][lt]=${at(8)}`)
  expect(ids(narrowed)).toEqual(['m7', 'm6', 'm5'])
  expect(narrowed.body.meta.warnings[0].code).toBe('time_range_narrowed')
  const inside = await get(`${path}?filter[sent_at][gte]=${at(6)}&filter[sent_at][lt]=${at(8)}`)
  expect([ids(inside), inside.body.meta.warnings]).toEqual([['m7', 'm6'], []])
  for (const [open, shown] of [
    [`filter[sent_at][gt]=${at(7)}`, ['m9', 'm8']],
    [`filter[sent_at][lte]=${at(6)}`, ['m6', 'm5']],
  ] as const) {
    const answer = await get(`${path}?${open}`)
    expect([ids(answer), answer.body.meta.warnings[0]?.code]).toEqual([shown, 'time_range_narrowed'])
  }
  const contrary = await get(`${path}?filter[sent_at][gte]=${at(8)}&filter[sent_at][lt]=${at(7)}`)
  expect([contrary.status, ids(contrary)]).toEqual([200, []])
  for (const outside of [
    `filter[sent_at][lt]=${at(5)}`,
    `filter[sent_at][gte]=${at(10)}`,
    `filter[sent_at]=${at(1)}`,
  ]) {
    const answer = await get(`${path}?${outside}`)
    expect([outside, answer.status, answer.body.error?.code]).toEqual([outside, 403, 'grant_time_range_exceeded'])
  }
})

it('gives the records around one, in reading order and in both directions', async () => {
  const test = await mailServer()
  const declared = structuredClone((await test.owner('GET', '/connectors/mail')).body)
  declared.streams[0].query.group_field = 'sender'
  declared.declaration_version = '2'
  await test.owner('POST', '/connectors', declared)
  await test.ingest('messages', 'home', messages(60))
  await test.ingest('messages', 'work', [message(200, { sender: 's1' })])
  const whole = await test.grant({ connections: ['home', 'work'] })
  const centred = await whole.get(`${path}?around=m31&limit=5`)
  expect(ids(centred)).toEqual(['m25', 'm28', 'm31', 'm34', 'm37'])
  expect(ids(await whole.get(centred.body.links.next))).toEqual(['m40', 'm43', 'm46', 'm49', 'm52'])
  const before = await whole.get(centred.body.links.previous)
  expect(ids(before)).toEqual(['m10', 'm13', 'm16', 'm19', 'm22'])
  expect(ids(await whole.get(before.body.links.previous))).toEqual(['m1', 'm4', 'm7'])
  expect(ids(await whole.get(before.body.links.next))).toEqual(['m25', 'm28', 'm31', 'm34', 'm37'])
  expect(ids(await whole.get(`${path}?around=m58&limit=5`))).toEqual(['m46', 'm49', 'm52', 'm55', 'm58'])
  const ungrouped = await test.grant({ connections: ['home'], streams: [{ name: 'messages', fields: ['subject'] }] })
  expect(ids(await ungrouped.get(`${path}?around=m31&limit=3`))).toEqual(['m30', 'm31', 'm32'])
  expect((await whole.get(`${path}?around=m31&limit=5&count=exact`)).body.meta.count.value).toBe(20)
  const tight = await whole.get(`${path}?around=m31&limit=50&max_bytes=1500`)
  expect(ids(tight)).toContain('m31')
  expect(tight.body.previous_cursor).toBeTruthy()
  expect((await whole.get(`${path}?around=nope`)).status).toBe(404)
  expect((await whole.get(`${path}?around=m31&sort=size`)).body.error.code).toBe('invalid_argument')
})

it('walks from any record to both ends without repeats or gaps', async () => {
  const test = await mailServer()
  const untimed = [3, 4, 8].map((n) => message(n, { sent_at: null }))
  await test.ingest('messages', 'home', [message(0), message(1), message(2), ...untimed, message(5), message(6)])
  const { get } = await test.grant({ connections: ['home'] })
  for (const order of ['asc', 'desc']) {
    const all: string[] = ids(await get(`${path}?order=${order}`))
    for (const key of all) {
      for (const limit of [1, 2, 3]) {
        const centred = await get(`${path}?around=${key}&order=${order}&limit=${limit}`)
        const walked: string[] = ids(centred)
        for (let page = centred; page.body.links.next; ) {
          page = await get(page.body.links.next)
          walked.push(...ids(page))
        }
        for (let page = centred; page.body.links.previous; ) {
          page = await get(page.body.links.previous)
          walked.unshift(...ids(page))
        }
        expect([order, key, limit, walked]).toEqual([order, key, limit, all])
      }
    }
  }
})
