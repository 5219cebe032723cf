import { expect, it } from 'vitest'
import { Browser } from '../../../../tests/fixtures/browser.ts'
import { mailServer, messages } from '../../../../tests/fixtures/server.ts'
import { changeStored } from '../../../../tests/fixtures/stored-data.ts'

async function withReads() {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(30))
  const planner = await test.grant({ client_name: 'Trip planner', client_id: 'cli_planner', connections: ['home'] })
  const other = await test.grant({ client_name: 'Budget helper', client_id: 'cli_budget', connections: ['home'] })
  await planner.get('/v1/streams/messages/records?limit=3')
  await planner.get('/v1/streams/messages/records/m1?connection_id=home')
  await planner.get('/v1/streams/nothing/records')
  await other.get('/v1/search?q=Subject')
  const visitor = await new Browser(test.server).signIn()
  return { test, visitor, planner }
}

const count = (text: string, part: string) => text.split(part).length - 1

it('shows what each agent read, with first reads and refusals', async () => {
  const { visitor } = await withReads()
  const { status, text } = await visitor.get('/activity')
  expect(status).toBe(200)
  expect(text).toContain('Log verified: none of the 4 entries was altered.')
  expect(count(text, 'top-align receipt"')).toBe(4)
  expect(count(text, '>first read<')).toBe(2)
  expect(count(text, '>refused</span>')).toBe(1)
  expect(text).toMatch(/<td class="number">4<\/td><td class="number">1<\/td>/)
  expect(text).toContain('3 items')
})

it('marks a burst everywhere, and calls no refusal a first read', async () => {
  const { test, visitor, planner } = await withReads()
  for (let n = 0; n < 24; n++) await planner.get('/v1/streams/messages/records?limit=1')
  const late = await test.grant({ client_name: 'Late', client_id: 'cli_late', connections: ['home'] })
  await late.get('/v1/streams/nothing/records')
  const first = (await visitor.get('/activity?client=cli_late')).text
  expect([count(first, '>refused</span>'), count(first, '>first read<')]).toEqual([1, 0])
  await late.get('/v1/streams/messages/records?limit=1')
  expect(count((await visitor.get('/activity?client=cli_late')).text, '>first read<')).toBe(1)
  expect(count((await visitor.get('/activity')).text, '>many at once<')).toBe(23)
  // The next page has three of its 27 reads, and one that was refused.
  const older = await visitor.get('/activity?client=cli_planner&before=4')
  expect(count(older.text, '>many at once<')).toBe(3)
  expect(count((await visitor.get('/activity?client=cli_planner&outcome=refused')).text, '>many at once<')).toBe(1)
})

it('exports exactly the receipts that a filter shows', async () => {
  const { visitor } = await withReads()
  const rows = async (query: string) => count((await visitor.get(`/activity?${query}`)).text, 'top-align receipt"')
  expect(await rows('client=cli_planner')).toBe(3)
  expect(await rows('client=cli_planner&outcome=refused')).toBe(1)
  expect(await rows('stream=messages&outcome=ok')).toBe(3)
  expect(
    await rows(`since=${new Date().toISOString().slice(0, 10)}&until=${new Date().toISOString().slice(0, 10)}`),
  ).toBe(4)
  expect(await rows('until=2020-01-01')).toBe(0)
  const record = encodeURIComponent('home/messages:m1')
  expect(await rows(`record=${record}`)).toBeGreaterThan(0)
  expect((await visitor.get(`/activity?record=${record}`)).text).toContain('Who saw')
  expect((await visitor.get('/activity?since=yesterday')).status).toBe(400)
  const exported = await visitor.get('/activity/export?client=cli_planner')
  expect(exported.headers.get('content-disposition')).toContain('activity.jsonl')
  const lines = exported.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ client_id, outcome }) => [client_id, outcome])).toEqual([
    ['cli_planner', 'grant_stream_not_allowed'],
    ['cli_planner', 'ok'],
    ['cli_planner', 'ok'],
  ])
})

it('pages through more receipts than fit, and exports all of them', async () => {
  const { visitor, planner } = await withReads()
  for (let n = 0; n < 120; n++) await planner.get('/v1/schema')
  const { text } = await visitor.get('/activity')
  expect(count(text, 'top-align receipt"')).toBe(25)
  expect(text).toContain('many at once')
  const next = /href="(\/activity\?before=\d+)"/.exec(text)![1]!
  expect(count((await visitor.get(next)).text, 'top-align receipt"')).toBe(25)
  expect((await visitor.get('/activity/export')).text.trim().split('\n')).toHaveLength(124)
})

it('says where the chain is broken, and checks it again on request', async () => {
  const { test, visitor } = await withReads()
  expect((await visitor.get('/activity')).text).toContain('Log verified')
  const { dataDir } = test.server.context.config
  await changeStored(dataDir, 'receipts.db', 'update receipt set bytes = bytes + 1 where sequence = 2')
  // An intact chain is checked again when the owner asks for it.
  const again = await visitor.submit('/activity', '/activity/check')
  expect([again.status, again.headers.get('location')]).toEqual([303, '/activity?done=checking'])
  const { text } = await visitor.get('/activity')
  expect(text).toContain('The log was altered at entry 2.')
  expect((await visitor.get('/')).text).toContain('The activity log was altered')
})
