// Point 32: numbers of a search are exact, or say that they are not.
import { expect, it } from 'vitest'
import { at, mailServer, message } from '../../../../tests/fixtures/server.ts'

const find = (query: string, rest = '') => `/v1/search?q=${encodeURIComponent(query)}${rest}`

it('counts exactly up to 10,000, or in full on request', async () => {
  const test = await mailServer()
  const rows = Array.from({ length: 10_040 }, (_, n) =>
    message(n, { body: n < 400 ? 'tide ebb' : 'tide', subject: 'x' }),
  )
  for (let from = 0; from < rows.length; from += 2_000)
    expect((await test.ingest('messages', 'home', rows.slice(from, from + 2_000))).status).toBe(200)
  const { get } = await test.grant({ connections: ['home'] })
  const meta = async (query: string, rest: string) => (await get(find(query, rest))).body.meta
  expect((await meta('tide', '&count=estimated')).count).toEqual({ kind: 'lower_bound', value: 10_000 })
  expect((await meta('tide', '&count=exact')).count).toEqual({ kind: 'exact', value: 10_040 })
  expect((await meta('tide', '')).count).toEqual({ kind: 'none' })
  // Every match is ranked.
  const { count, recall } = await meta('ebb', '&count=estimated')
  expect([count, recall.ranked_candidate_count]).toEqual([{ kind: 'exact', value: 400 }, 400])
  expect((await meta('tide herring', '')).words).toEqual([
    { word: 'tide', records: 10_000, over: true },
    { word: 'herring', records: 0 },
  ])
  const timed = await test.grant({ connections: ['home'], streams: [{ name: 'messages' }], until: at(350) })
  const few = (await timed.get(find('ebb herring', '&count=estimated'))).body.meta
  expect([few.count, few.words[0]]).toEqual([
    { kind: 'exact', value: 350 },
    { word: 'ebb', records: 350 },
  ])
}, 120_000)

it('counts records with a word of content, not those with words like "the"', async () => {
  const test = await mailServer()
  const rows = Array.from({ length: 900 }, (_, n) =>
    message(n, { subject: 'x', body: n < 400 ? 'the kite flew' : n < 800 ? 'where is the key' : 'nothing' }),
  )
  await test.ingest('messages', 'home', rows)
  const { get } = await test.grant({ connections: ['home'] })
  for (const kind of ['estimated', 'exact']) {
    const { count } = (await get(find('where is the kite', `&count=${kind}`))).body.meta
    expect(count).toEqual({ kind: 'exact', value: 400 })
    const { body } = await get(find('where is the zeppelin', `&count=${kind}`))
    expect([body.data, body.meta.count]).toEqual([[], { kind: 'exact', value: 0 }])
    expect(body.meta.words).toEqual([{ word: 'zeppelin', records: 0 }])
    expect(body.meta.explanation.message).toBe('No record in reach has any of these words.')
    const functionWords = await get(find('where is the', `&count=${kind}`))
    expect(functionWords.body.meta.count).toEqual({ kind: 'exact', value: 800 })
  }
})

it('says if a text is longer than what is searched', async () => {
  const test = await mailServer()
  const long = `${'word '.repeat(220_000)} lighthouse`
  await test.ingest('messages', 'home', [message(1), message(2, { body: long })])
  await test.ingest('messages', 'work', [message(3)])
  const told = async (request: object, query = 'lighthouse') => {
    const { get } = await test.grant(request as { connections: string[] })
    const { body } = await get(find(query))
    const [warning] = body.meta.warnings
    const said = body.meta.explanation?.message ?? ''
    if (query === 'lighthouse') expect(said.includes('in the text that is searched')).toBe(warning !== undefined)
    return [warning?.code, warning?.detail?.fields, body.meta.recall.complete]
  }
  const partial = ['partial_index', [{ stream: 'messages', field: 'body' }], false]
  expect(await told({ connections: ['home'] })).toEqual(partial)
  expect(await told({ connections: ['home', 'work'] }, 'subject')).toEqual(partial)
  // Nothing hidden is mentioned: no other field, record, time or connection.
  const whole = [undefined, undefined, true]
  expect(await told({ connections: ['home'], streams: [{ name: 'messages', fields: ['subject'] }] })).toEqual(whole)
  expect(await told({ connections: ['home'], streams: [{ name: 'messages' }], resources: ['m1'] })).toEqual(whole)
  expect(await told({ connections: ['home'], streams: [{ name: 'messages' }], until: at(2) })).toEqual(whole)
  expect(await told({ connections: ['work'] })).toEqual(whole)
  await test.ingest('messages', 'home', [message(2, { body: 'short' })])
  expect(await told({ connections: ['home'] })).toEqual(whole)
})
