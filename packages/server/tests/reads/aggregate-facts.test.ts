// An aggregate explains its number: what was counted, in which unit, and over which periods.
import { expect, it } from 'vitest'
import { declaration as declare, key, stream, text, time } from '../../../../tests/fixtures/declaration.ts'
import { testServer } from '../../../../tests/fixtures/server.ts'

const declaration = declare('shop', {
  orders: stream(
    {
      id: key(),
      at: time({ type: 'string', format: 'date-time' }),
      category: text(),
      total: { type: 'integer', x_pdpp_type: 'currency', x_pdpp_unit: 'cents' },
      weight: { type: 'integer', x_pdpp_unit: 'kg' },
      currency: text(),
    },
    {
      query: {
        range_filters: { total: ['gte', 'lt'] },
        aggregations: {
          count: true,
          group_by: ['category', 'currency'],
          group_by_time: ['at'],
          sum: ['total', 'weight'],
          min: ['total', 'at'],
        },
      },
    },
  ),
})

type Order = { at: string; total?: number; currency?: string; category?: string }

async function shopServer(orders: readonly Order[], connection = 'mine') {
  const test = await testServer()
  await test.owner('POST', '/connectors', declaration)
  for (const id of ['mine', 'theirs'])
    await test.owner('POST', '/v1/owner/connections', { connector_key: 'shop', connection_id: id })
  await test.ingest(
    'orders',
    connection,
    orders.map((data, n) => ({ data: { id: `o${n}`, total: 100, currency: 'EUR', category: 'food', ...data } })),
  )
  return test
}

const path = (query: string) => `/v1/streams/orders/aggregate?${query}`

it('repeats the filter as it was understood, with its time zone', async () => {
  const test = await shopServer([{ at: '2026-03-05T10:00:00Z' }])
  const { get } = await test.grant({ connections: ['mine'] })
  const { body } = await get(
    path(
      'metric=count&filter[category]=food&filter[at][gte]=2026-03-01&filter[at][lt]=2026-04-01&filter[total][gte]=5',
    ),
  )
  expect(body).toMatchObject({
    value: 1,
    filter: {
      category: 'food',
      at: { gte: '2026-03-01T00:00:00Z', lt: '2026-04-01T00:00:00Z' },
      total: { gte: 5 },
    },
    filter_time_zone: 'UTC',
  })
  const exact = (await get(path('metric=count&filter[at][gte]=2026-03-01T01:00:00%2B01:00'))).body
  expect(exact.filter).toEqual({ at: { gte: '2026-03-01T00:00:00Z' } })
  expect(exact.filter_time_zone).toBeUndefined()
  // Times are shown as in results, to the minute.
  expect((await get(path('metric=count&filter[at][gte]=2026-03-05 10:00Z'))).body.value).toBe(1)
  expect((await get(path('metric=count'))).body.filter).toBeUndefined()
})

it('names the declared unit and the currency of the counted records', async () => {
  const test = await shopServer([
    { at: '2026-03-05T10:00:00Z' },
    { at: '2026-03-06T10:00:00Z' },
    { at: '2026-05-06T10:00:00Z', currency: 'SEK' },
  ])
  const { get, grantId } = await test.grant({ connections: ['mine'] })
  const march = (await get(path('metric=sum&field=total&filter[at][lt]=2026-04-01'))).body
  expect(march).toMatchObject({ value: 200, unit: 'cents', currency: 'EUR', meta: { warnings: [] } })
  const { data } = (await test.owner('GET', `/v1/owner/receipts?grant_id=${grantId}`)).body
  expect(data[0].fields.toSorted()).toEqual(['at', 'currency', 'total'])
  const all = (await get(path('metric=sum&field=total'))).body
  expect(all.currency).toBeUndefined()
  expect(all.meta.warnings).toMatchObject([{ code: 'mixed_currencies', field: 'currency' }])
  const each = (await get(path('metric=sum&field=total&group_by=currency'))).body
  expect([each.meta.warnings, each.unit]).toEqual([[], 'cents'])
  expect((await get(path('metric=sum&field=weight'))).body).toMatchObject({ unit: 'kg' })
  expect((await get(path('metric=count'))).body.unit).toBeUndefined()
})

it('advises only what the source lets be done about several currencies', async () => {
  const test = await shopServer([{ at: '2026-03-05T10:00:00Z', currency: 'SEK' }, { at: '2026-03-05T10:00:00Z' }])
  const advice = async () => (await test.owner('GET', path('metric=sum&field=total'))).body.meta.warnings[0].message
  expect(await advice()).toContain(': filter or group by "currency".')
  const [orders] = declaration.streams
  const query = { ...orders!.query, aggregations: { ...orders!.query.aggregations, group_by: ['category'] } }
  await test.owner('POST', '/connectors', { ...declaration, declaration_version: '2', streams: [{ ...orders, query }] })
  expect(await advice()).toContain(': filter by "currency".')
})

it('a currency that the grant hides is not looked at', async () => {
  const answers: string[] = []
  for (const currency of ['EUR', 'SEK']) {
    const test = await shopServer([{ at: '2026-03-05T10:00:00Z', currency }, { at: '2026-03-05T10:00:00Z' }])
    const { get } = await test.grant({ connections: ['mine'], streams: [{ name: 'orders', fields: ['total', 'at'] }] })
    answers.push((await get(path('metric=sum&field=total'))).text)
  }
  expect(answers[1]).toBe(answers[0])
  expect(answers[0]).not.toMatch(/EUR|SEK|currenc/)
})

const spanning = (from: string, to: string): Order[] => [{ at: from }, { at: to }]

it.each([
  ['day', '2026-01-01T00:00:00Z', '2026-03-03T23:59:59Z'],
  ['month', '2026-01-01T00:00:00Z', '2026-03-04T00:00:00Z'],
  ['month', '2020-02-29T00:00:00Z', '2025-02-28T23:59:59Z'],
  ['year', '2020-01-01T00:00:00Z', '2025-01-01T00:00:00Z'],
])('time groups without a granularity are those of a %s from %s to %s', async (granularity, from, to) => {
  const test = await shopServer(spanning(from, to))
  const { body } = await test.owner('GET', path('metric=count&group_by_time=at'))
  expect(body).toMatchObject({ granularity, granularity_chosen: true, time_span: { earliest: from, latest: to } })
  const given = (await test.owner('GET', path('metric=count&group_by_time=at&granularity=week'))).body
  expect([given.granularity, given.granularity_chosen, given.time_span]).toEqual(['week', undefined, undefined])
})

it('without any record in reach the groups are days, and there are none', async () => {
  const test = await shopServer([])
  const { body } = await test.owner('GET', path('metric=count&group_by_time=at'))
  expect(body).toMatchObject({ granularity: 'day', granularity_chosen: true, groups: [] })
  expect(body.time_span).toBeUndefined()
})

it('records outside the grant or filter do not change time groups', async () => {
  const answers: string[] = []
  for (const others of [[], spanning('1999-01-01T00:00:00Z', '2026-12-01T00:00:00Z')]) {
    const test = await shopServer([...spanning('2026-03-01T00:00:00Z', '2026-03-20T00:00:00Z'), ...others])
    await test.ingest('orders', 'theirs', [{ data: { id: 'x', at: '1990-01-01T00:00:00Z' } }])
    const { get } = await test.grant({ connections: ['mine'], since: '2026-02-01', until: '2026-04-01' })
    const wide = await test.grant({ connections: ['mine'] })
    const query = 'metric=count&group_by_time=at&filter[at][gte]=2026-02-01&filter[at][lt]=2026-04-01'
    answers.push((await get(path('metric=count&group_by_time=at'))).text, (await wide.get(path(query))).text)
  }
  expect(answers.slice(2)).toEqual(answers.slice(0, 2))
  expect(JSON.parse(answers[0]!).granularity).toBe('day')
})

it('names the metrics where none is given, and is advertised', async () => {
  const test = await shopServer([])
  const { error } = (await test.owner('GET', path('group_by=category'))).body
  expect([error.code, error.param]).toEqual(['invalid_request', 'metric'])
  expect(error.message).toContain('count, sum, min, max, avg, count_distinct')
  const { body } = await test.as(undefined)('GET', '/.well-known/oauth-protected-resource')
  expect(body.pdpp_discovery_hints.aggregate.granularity_default).toBe('by_span')
})
