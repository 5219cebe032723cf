// Demo data is separate from the owner's data, and removing it does not change the owner's data.
import { expect, it } from 'vitest'
import { Browser } from '../../../../tests/fixtures/browser.ts'
import { mailServer, testServer } from '../../../../tests/fixtures/server.ts'

async function withDemo() {
  const test = await testServer()
  const visitor = await new Browser(test.server).signIn()
  expect((await visitor.submit('/', '/first-run/demo')).headers.get('location')).toBe('/')
  const connections = async () =>
    (await test.owner('GET', '/v1/owner/connections')).body.data.map(({ connection_id: id }: any) => id).sort()
  return { test, visitor, connections }
}

it('loads in one click, is named on every page, and goes in one', async () => {
  const { test, visitor, connections } = await withDemo()
  expect(await connections()).toHaveLength(9)
  const grant = await test.grant({ connections: ['notes'] })
  for (const path of ['/', '/browse', '/sources', '/agents', '/activity', '/settings', '/import'])
    expect([path, (await visitor.get(path)).text.includes('class="demo-bar"')]).toEqual([path, true])
  const gone = await visitor.submit('/agents', '/demo/remove')
  expect([gone.status, gone.headers.get('location')]).toEqual([303, '/?done=demo_removed'])
  expect(await connections()).toEqual([])
  // Access to demo data alone has ended.
  expect((await grant.get('/v1/schema')).status).toBe(403)
  const home = (await visitor.get('/?done=demo_removed')).text
  expect(home).toContain('The demo data is gone.')
  expect(home).not.toContain('class="demo-bar"')
  expect(home).toContain('Nothing is here yet')
}, 180_000)

it("keeps the owner's own data in demo sources, and loads again", async () => {
  const { test, visitor, connections } = await withDemo()
  await test.owner('POST', '/v1/owner/connections', { connector_key: 'notes', connection_id: 'my-notes' })
  const own = { title: 'Mine', text: 'Not of the demo', created_at: '2026-11-01T10:00:00Z' }
  const declared = (await test.owner('GET', '/connectors/coffee')).status
  expect(declared).toBe(404)
  const sample = (await test.owner('GET', '/v1/streams/notes/records?connection_id=notes&limit=1')).body.data[0]
  const mine = { key: 'mine-1', data: { ...sample.data, id: 'mine-1', ...own } }
  for (const id of ['notes', 'my-notes'])
    expect((await test.ingest('notes', id, [mine])).text).toContain('"records_rejected":0')
  await visitor.submit('/', '/demo/remove')
  expect(await connections()).toEqual(['my-notes', 'notes'])
  for (const id of ['notes', 'my-notes']) {
    const left = (await test.owner('GET', `/v1/streams/notes/records?connection_id=${id}&limit=10`)).body.data
    expect(left.map((one: any) => one.id)).toEqual(['mine-1'])
  }
  // It is refused if the owner has data.
  await expect(test.server.context.demo.load()).rejects.toThrow('You already keep data of your own here')
  for (const id of await connections()) await test.owner('DELETE', `/v1/owner/connections/${id}`)
  await test.server.context.demo.load()
  expect(await connections()).toHaveLength(9)
}, 180_000)

it('is not offered where there is data already', async () => {
  const test = await mailServer()
  const visitor = await new Browser(test.server).signIn()
  expect((await visitor.get('/')).text).not.toContain('/first-run/demo')
  await expect(test.server.context.demo.load()).rejects.toThrow('was not loaded')
  expect(await test.server.context.demo.isLoaded()).toBe(false)
})
