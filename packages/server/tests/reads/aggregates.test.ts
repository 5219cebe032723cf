import { describe, expect, it } from 'vitest'
import { declaration as declare, integer, key, stream, text, time } from '../../../../tests/fixtures/declaration.ts'
import type { Answer } from '../../../../tests/fixtures/http.ts'
import { type TestServer, testServer } from '../../../../tests/fixtures/server.ts'

const declaration = declare('bank', {
  payments: stream(
    {
      id: key(),
      at: time(),
      booked_on: { type: 'string', format: 'date' },
      shop: text(),
      kind: text(),
      cents: integer(),
      rate: { type: 'number' },
      paid: { type: 'boolean' },
      note: text(),
      secret: text(),
      salary: integer(),
      parts: { type: 'array' },
    },
    {
      query: {
        range_filters: { cents: ['gte', 'lt'] },
        aggregations: {
          count_distinct: ['shop', 'note', 'secret'],
          group_by: ['shop', 'kind', 'paid', 'secret'],
          group_by_time: ['at', 'booked_on'],
          min: ['cents', 'at', 'booked_on'],
          max: ['cents', 'at', 'booked_on', 'salary'],
          sum: ['cents', 'rate', 'salary'],
        },
      },
    },
  ),
  rates: stream(
    { id: key(), value: { type: 'number' } },
    { semantics: 'append_only', query: { aggregations: { sum: ['value'], avg: [] } } },
  ),
})

async function bankServer(): Promise<TestServer> {
  const test = await testServer()
  await test.owner('POST', '/connectors', declaration)
  for (const connection_id of ['joint', 'own'])
    await test.owner('POST', '/v1/owner/connections', { connector_key: 'bank', connection_id })
  return test
}

let next = 0
function payment(members: Record<string, unknown>) {
  const id = `p${next++}`
  const text = JSON.stringify({ key: id, data: { id, ...members }, emitted_at: '2026-02-01T00:00:00Z' })
  return JSON.parse(text)
}

const path = (query: string) => `/v1/streams/payments/aggregate?${query}`
const brief = ({ body }: Answer) =>
  body.groups.map(({ key, keys, count, value }: any) => [keys ?? key, count, ...(value === undefined ? [] : [value])])

describe('a value over all records', () => {
  it('adds connections up, exactly, also beyond what a double holds', async () => {
    const test = await bankServer()
    await test.ingest('payments', 'joint', [
      payment({ cents: 9007199254740991, shop: 'a' }),
      payment({ cents: 1, shop: 'b' }),
    ])
    const line =
      '{"key":"big","data":{"id":"big","cents":9223372036854775807,"rate":0.5},"emitted_at":"2026-02-01T00:00:00Z"}'
    await test.owner('POST', '/v1/ingest/payments?connection_id=own', `${line}\n${line.replaceAll('big', 'bigger')}`)
    const value = async (query: string) => /"value":([^,}]+)/.exec((await test.owner('GET', path(query))).text)?.[1]
    expect(await value('metric=sum&field=cents')).toBe(String(2n * 9223372036854775807n + 9007199254740992n))
    expect(await value('metric=sum&field=cents&connection_id=joint')).toBe('9007199254740992')
    expect(await value('metric=max&field=cents')).toBe('9223372036854775807')
    expect(await value('metric=min&field=cents')).toBe('1')
    expect(await value('metric=avg&field=rate')).toBe('0.5')
    expect(await value('metric=sum&field=rate')).toBe('1')
    expect(await value('metric=count_distinct&field=shop')).toBe('2')
    expect(await value('metric=count')).toBe('4')
    expect(await value('metric=count&filter[shop]=a')).toBe('1')
  })

  it('shows times in UTC, dates as dates, and null for none', async () => {
    const test = await bankServer()
    const value = async (query: string) => (await test.owner('GET', path(query))).body.value
    expect([await value('metric=max&field=at'), await value('metric=sum&field=cents')]).toEqual([null, null])
    expect(await value('metric=count_distinct&field=note')).toBe(0)
    await test.ingest('payments', 'own', [
      payment({ at: '2026-01-01T02:00:00+02:00', booked_on: '2026-01-03' }),
      payment({ at: '2026-01-01T00:00:00.120456Z', booked_on: '2026-01-01' }),
    ])
    expect(await value('metric=min&field=at')).toBe('2026-01-01T00:00:00Z')
    expect(await value('metric=max&field=at')).toBe('2026-01-01T00:00:00.120456Z')
    expect(await value('metric=min&field=booked_on')).toBe('2026-01-01')
  })

  it('has one shape', async () => {
    const test = await bankServer()
    await test.ingest('payments', 'own', [payment({ cents: 5 })])
    expect((await test.owner('GET', path('metric=sum&field=cents'))).body).toEqual({
      object: 'aggregation',
      links: { self: path('metric=sum&field=cents') },
      meta: { count: { kind: 'none' }, warnings: [] },
      stream: 'payments',
      connector_key: 'bank',
      metric: 'sum',
      field: 'cents',
      group_by: null,
      group_by_time: null,
      granularity: null,
      filtered_record_count: 1,
      approximate: false,
      value: 5,
    })
  })
})

describe('groups', () => {
  it('are the largest over all connections, and the rest is counted', async () => {
    const test = await bankServer()
    const some = (shop: string | undefined, count: number) =>
      Array.from({ length: count }, () => payment({ shop, cents: 10, paid: count > 3 }))
    await test.ingest('payments', 'joint', [...some('a', 5), ...some('both', 4), ...some(undefined, 2)])
    await test.ingest('payments', 'own', [...some('b', 5), ...some('both', 4)])
    const answer = await test.owner('GET', path('metric=count&group_by=shop&limit=1'))
    expect(brief(answer)).toEqual([['both', 8]])
    expect(answer.body).toMatchObject({
      limit: 1,
      group_count: 4,
      other_count: 12,
      filtered_record_count: 20,
      group_by: 'shop',
    })
    const all = await test.owner('GET', path('metric=sum&field=cents&group_by=shop'))
    expect(brief(all)).toEqual([
      ['both', 8, 80],
      ['a', 5, 50],
      ['b', 5, 50],
      [null, 2, 20],
    ])
    expect(all.body.other_count).toBe(0)
    const two = await test.owner('GET', path('metric=count&group_by=paid,shop&filter[cents][gte]=1'))
    expect(brief(two)).toEqual([
      [[true, 'both'], 8],
      [[true, 'a'], 5],
      [[true, 'b'], 5],
      [[false, null], 2],
    ])
    expect(two.body.group_by).toEqual(['paid', 'shop'])
    const clamped = await test.owner('GET', path('metric=count&group_by=shop&limit=500'))
    expect(clamped.body.limit).toBe(100)
    expect(clamped.body.meta.warnings).toMatchObject([
      { code: 'limit_clamped', detail: { max_limit: 100, requested_limit: 500 } },
    ])
  })

  it('follow the calendar and the clocks of a zone', async () => {
    const test = await bankServer()
    const times = [
      '2026-11-01T03:59:59Z',
      '2026-11-01T05:30:00Z',
      '2026-11-01T06:30:00Z',
      '2026-11-02T04:59:59Z',
      '2026-11-02T05:00:00Z',
      null,
    ]
    await test.ingest(
      'payments',
      'joint',
      times.map((at, n) => payment({ at, shop: n % 2 ? 'x' : 'y' })),
    )
    const base = 'metric=count&group_by_time=at&time_zone=America/New_York'
    const days = await test.owner('GET', path(`${base}&granularity=day`))
    expect(brief(days)).toEqual([
      ['2026-11-02', 1],
      ['2026-11-01', 3],
      ['2026-10-31', 1],
      [null, 1],
    ])
    expect(days.body).toMatchObject({
      time_zone: 'America/New_York',
      granularity: 'day',
      group_by_time: 'at',
      group_count: 4,
    })
    expect(days.body.groups[1].starts_at).toBe('2026-11-01T04:00:00Z')
    const hours = await test.owner('GET', path(`${base}&granularity=hour&order=asc&limit=3`))
    expect(hours.body.groups).toEqual([
      { key: '2026-10-31T23:00', starts_at: '2026-11-01T03:00:00Z', count: 1 },
      { key: '2026-11-01T01:00', starts_at: '2026-11-01T05:00:00Z', count: 1 },
      { key: '2026-11-01T01:00', starts_at: '2026-11-01T06:00:00Z', count: 1 },
    ])
    expect(hours.body.other_count).toBe(3)
    const weeks = await test.owner('GET', path('metric=count&group_by_time=at&granularity=week'))
    expect([weeks.body.time_zone, brief(weeks)]).toEqual([
      'UTC',
      [
        ['2026-11-02', 2],
        ['2026-10-26', 3],
        [null, 1],
      ],
    ])
    const both = await test.owner('GET', path(`${base}&granularity=month&group_by=shop`))
    expect(brief(both)).toEqual([
      [['x', '2026-11-01'], 2],
      [['y', '2026-11-01'], 2],
      [['y', '2026-10-01'], 1],
      [['x', null], 1],
    ])
  })

  it('keep dates where they are, whatever zone is asked for', async () => {
    const test = await bankServer()
    await test.ingest('payments', 'own', [payment({ booked_on: '2026-01-01' })])
    const answer = await test.owner(
      'GET',
      path('metric=count&group_by_time=booked_on&granularity=day&time_zone=America/New_York'),
    )
    expect(brief(answer)).toEqual([['2026-01-01', 1]])
    expect([answer.body.time_zone, answer.body.meta.warnings[0].param]).toEqual(['UTC', 'time_zone'])
  })
})

describe('refusals', () => {
  const GRANTED = { connections: ['own'], streams: [{ name: 'payments', fields: ['shop', 'cents', 'note', 'kind'] }] }
  const REFUSED = [
    ['', 'invalid_request', 'metric'],
    ['metric=median', 'invalid_argument', 'metric'],
    ['metric=count&field=cents', 'invalid_argument', 'field'],
    ['metric=sum', 'invalid_request', 'field'],
    ['metric=sum&field=nothing', 'unknown_field', 'field'],
    ['metric=sum&field=shop', 'invalid_request', 'field'],
    ['metric=sum&field=salary', 'field_not_granted', 'field'],
    ['metric=count_distinct&field=secret', 'field_not_granted', 'field'],
    ['metric=count&group_by=secret', 'field_not_granted', 'group_by'],
    ['metric=count&group_by=note', 'invalid_request', 'group_by'],
    ['metric=count&group_by=nothing', 'unknown_field', 'group_by'],
    ['metric=count&group_by=shop,shop', 'invalid_argument', 'group_by'],
    ['metric=count&group_by=shop,kind,paid', 'invalid_argument', 'group_by'],
    ['metric=count&group_by=shop&group_by=kind&group_by_time=at&granularity=day', 'invalid_argument', 'group_by'],
    ['metric=count&group_by_time=at&granularity=decade', 'invalid_argument', 'granularity'],
    ['metric=count&group_by_time=booked_on&granularity=day', 'field_not_granted', 'group_by_time'],
    ['metric=count&group_by_time=shop&granularity=day', 'invalid_request', 'group_by_time'],
    ['metric=count&group_by_time=at&granularity=day&time_zone=Mars/Olympus', 'invalid_argument', 'time_zone'],
    ['metric=count&granularity=day', 'invalid_argument', 'granularity'],
    ['metric=count&time_zone=UTC', 'invalid_argument', 'time_zone'],
    ['metric=count&group_by=shop&order=asc', 'invalid_argument', 'order'],
    ['metric=count&limit=5', 'invalid_argument', 'limit'],
    ['metric=count&group_by=shop&limit=0', 'invalid_argument', 'limit'],
    ['metric=count&groupby=shop', 'invalid_request', 'groupby'],
    ['metric=count&filter[salary]=1', 'field_not_granted', 'filter[salary]'],
    ['metric=count&connection_id=joint', 'connection_not_found', 'connection_id'],
  ] as const

  it('name the parameter and say what is wrong with it', async () => {
    const test = await bankServer()
    const { get } = await test.grant(GRANTED)
    const answers = await Promise.all(
      REFUSED.map(async ([query]) => [query, (await get(path(query))).body.error] as const),
    )
    expect(answers.map(([query, error]) => [query, error?.code, error?.param])).toEqual(REFUSED)
  })

  it('name the declared choices that the grant includes', async () => {
    const test = await bankServer()
    const { get } = await test.grant(GRANTED)
    expect((await get(path('metric=sum&field=shop'))).body.error.message).toMatch(/Declared for sum: cents\.$/)
    expect((await test.owner('GET', '/v1/streams/rates/aggregate?metric=avg&field=value')).body.error.message).toMatch(
      /\(nothing\)/,
    )
  })
})

describe('a grant', () => {
  const QUERIES = [
    'metric=count',
    'metric=sum&field=cents',
    'metric=avg&field=cents',
    'metric=count_distinct&field=note',
    'metric=count&group_by=shop',
    'metric=max&field=at&group_by=shop,kind',
    'metric=sum&field=cents&group_by_time=at&granularity=day&time_zone=Europe/Berlin',
    'metric=count&group_by_time=at&granularity=month&filter[cents][gte]=20',
  ]

  it('limits time, records and connections', async () => {
    const answers = []
    for (const hidden of [
      { secret: 'a', salary: 1, rate: 2 },
      { secret: 'zzz', rate: 7.5, paid: true, parts: [1] },
    ]) {
      const test = await bankServer()
      const rows = Array.from({ length: 30 }, (_, n) => ({
        key: `p${n}`,
        data: {
          id: `p${n}`,
          at: `2026-01-${String((n % 20) + 1).padStart(2, '0')}T23:30:00Z`,
          shop: `s${n % 3}`,
          cents: n,
          note: `n${n % 7}`,
          ...(n % 2 ? hidden : {}),
        },
        emitted_at: '2026-02-01T00:00:00Z',
      }))
      await test.ingest('payments', 'own', rows)
      await test.ingest('payments', 'joint', rows)
      const streams = [{ name: 'payments', fields: ['shop', 'cents', 'note', 'kind'] }]
      const { get } = await test.grant({
        connections: ['own'],
        streams,
        since: '2026-01-05',
        resources: ['p1', 'p7', 'p8', 'p9', 'p28'],
      })
      expect((await get(path('metric=count'))).body.value).toBe(4)
      answers.push(await Promise.all(QUERIES.map(async (query) => (await get(path(query))).text)))
      // Receipts of the same moment may be in any order.
      const { body } = await test.owner('GET', `/v1/owner/receipts?limit=${QUERIES.length}`)
      const fields = expect.arrayContaining(['at', 'cents'])
      expect(body.data).toContainEqual(expect.objectContaining({ stream: 'payments', fields }))
    }
    expect(answers[0]!.every((text) => text.includes('"object":"aggregation"'))).toBe(true)
    expect(answers[1]).toEqual(answers[0])
  })
})
