import { expect, it } from 'vitest'
import { testServer } from '../../../../tests/fixtures/server.ts'

/** As an existing connector ships it: times as counts since 1970. */
const games = (property: object) => ({
  connector_id: 'https://registry.example/games',
  version: '1',
  display_name: 'Games',
  streams: [
    {
      name: 'plays',
      semantics: 'append_only',
      schema: { type: 'object', properties: { id: { type: 'string' }, played: { type: 'integer', ...property } } },
      primary_key: ['id'],
      cursor_field: 'played',
      consent_time_field: 'played',
      query: { aggregations: { min: ['played'], max: ['played'], group_by_time: ['played'] } },
    },
  ],
})

const seconds = (day: number) => Date.UTC(2026, 2, day) / 1000
const plays = (factor: number) => [1, 5, 9].map((day) => ({ data: { id: `d${day}`, played: seconds(day) * factor } }))

it.each([
  [{ format: 'unix-time' }, 1],
  [{ unit: 'epoch_milliseconds' }, 1000],
])('a whole number that says what it counts (%j) is a time', async (unit, factor) => {
  const test = await testServer()
  const { body: declared } = await test.owner('POST', '/connectors', games(unit))
  expect(declared.warnings.map(({ code }: any) => code)).toEqual(['time_read_as_epoch'])
  await test.owner('POST', '/v1/owner/connections', { connector_key: 'games', connection_id: 'home' })
  await test.ingest('plays', 'home', [
    ...plays(factor),
    { data: { id: 'never' } },
    { data: { id: 'far', played: 9e15 } },
  ])
  const ids = (body: any) => body.data.map(({ id }: any) => id).toSorted()

  const { get } = await test.grant({ connections: ['home'], since: '2026-03-02', until: '2026-03-08' })
  const list = await get('/v1/streams/plays/records?count=exact')
  expect([ids(list.body), list.body.meta.count.value]).toEqual([['d5'], 1])
  // The record is unchanged, as its source wrote it.
  expect(list.body.data[0].data.played).toBe(seconds(5) * factor)
  expect((await get('/v1/streams/plays/records/d9')).status).toBe(404)
  expect((await get(`/v1/streams/plays/records?filter[played][gte]=${seconds(9) * factor}`)).status).toBe(403)

  const owner = (query: string) => test.owner('GET', `/v1/streams/plays/${query}`)
  expect(ids((await owner(`records?filter[played][gte]=${seconds(5) * factor}`)).body)).toEqual(['d5', 'd9'])
  expect(ids((await owner('records?filter[played][lt]=2026-03-05T00:00:00Z')).body)).toEqual(['d1'])
  expect((await owner('records?filter[played]=soon')).body.error.message).toContain('since 1970')
  expect((await owner('aggregate?metric=max&field=played')).body.value).toBe('2026-03-09T00:00:00Z')
  const since = (await owner('aggregate?metric=count&filter[played][gte]=2026-03-05')).body
  expect([since.filter, since.filter_time_zone]).toEqual([{ played: { gte: '2026-03-05T00:00:00Z' } }, 'UTC'])
  const days = await owner('aggregate?metric=count&group_by_time=played&granularity=day')
  expect(days.body.groups.map(({ count }: any) => count).filter((count: number) => count > 0)).toEqual([1, 1, 1, 2])
})

it('a whole number without a unit is no time', async () => {
  const test = await testServer()
  const accepted = await test.owner('POST', '/connectors', games({}))
  expect(accepted.body.warnings.map(({ code, path }: any) => [code, path])).toEqual([
    ['time_field_dropped', 'streams.0.consent_time_field'],
    ['time_field_dropped', 'streams.0.query.aggregations.group_by_time'],
  ])
  await test.owner('POST', '/v1/owner/connections', { connector_key: 'games', connection_id: 'home' })
  await test.ingest('plays', 'home', plays(1))
  await expect(test.grant({ connections: ['home'], since: '2026-03-02' })).rejects.toThrow('since')
  const kept = await test.owner('GET', '/connectors/games/warnings')
  expect(kept.body.data).toEqual(accepted.body.warnings)
})
