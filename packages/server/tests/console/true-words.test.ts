// The console describes an access exactly as the agent gets it.
import { expect, it } from 'vitest'
import { Browser } from '../../../../tests/fixtures/browser.ts'
import { messages } from '../../../../tests/fixtures/server.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { note, packageServer } from '../grants/package-support.ts'
import { asking, consentServer, lookAt, MAIL, sum, words } from '../oauth/consent.fixture.ts'
import { ask } from '../oauth/oauth-flow.ts'
import { connectedAgent, LIST, wishServer } from '../wishes/wish-support.ts'

it('tells a paused and a revoked source of a package apart from the others', async () => {
  const test = await packageServer()
  await test.ingest('messages', 'home', messages(2))
  await test.ingest('notes', 'diary', [note('a')])
  const given = { client_name: 'Pack' }
  const mail = await test.grant({ ...given, connections: ['home'] })
  const diary = await test.grant({ ...given, connections: ['diary'] })
  const pack = await test.pack([mail.grantId, diary.grantId], given)
  const reads = async () =>
    Promise.all(
      ['messages/records?connection_id=home', 'notes/records?connection_id=diary'].map(
        async (path) => (await pack.get(`/v1/streams/${path}`)).status,
      ),
    )
  const owner = await new Browser(test.server).signIn()
  const path = `/agents/grants/${mail.grantId}`
  const said = async (page: string) => words(await owner.get(page))

  const paused = await said((await owner.submit(path, `${path}/pause`)).headers.get('location')!)
  expect(await reads()).toEqual([403, 200])
  expect(paused).toContain('Paused. It gets nothing from this source until you resume it.')
  expect(paused).toMatch(/You paused Home mail for Pack\. Once you resume it, Pack may read Home mail, until/)
  expect(paused).not.toContain('is paused and gets nothing')
  for (const page of ['/agents', '/', `/agents/packages/${pack.packageId}`]) {
    const text = await said(page)
    expect(text, page).toMatch(/Pack may read diary, until [^.]+\. You paused Home mail\./)
    expect(text, page).not.toMatch(/may read Home mail and|may read diary and/)
  }

  const revoked = await said((await owner.submit(path, `${path}/revoke`)).headers.get('location')!)
  expect(await reads()).toEqual([403, 200])
  expect(revoked).toMatch(/Access revoked\. It can\S+t read this source any more\./)
  expect(revoked).toMatch(/You revoked the access of Pack to Home mail\. It can\S+t read that any more\./)
  expect(revoked).not.toMatch(/read anything any more/)
  const list = await said('/agents')
  expect(list).toMatch(/Pack may read diary, until/)
  expect(list).not.toMatch(/You paused Home mail|may read Home mail/)

  // When the last source is paused, the whole access is paused, on the page and on the wire.
  await test.owner('POST', `/v1/owner/grants/${diary.grantId}/pause`)
  expect(await said('/agents')).toMatch(
    /Pack is paused and gets nothing\. Once you resume it, it may read diary, until/,
  )
  const { status, body } = await pack.get('/v1/schema')
  expect([status, body.error.code]).toEqual([403, 'grant_paused'])
  expect(body.error.next_step).toMatch(/resumes/)
})

it('pauses all sources of an agent at once, and all agents', async () => {
  const test = await packageServer()
  await test.ingest('messages', 'home', messages(2))
  await test.ingest('notes', 'diary', [note('a')])
  const [mail, diary] = [await test.grant({ connections: ['home'] }), await test.grant({ connections: ['diary'] })]
  const pack = await test.pack([mail.grantId, diary.grantId], { client_name: 'Pack' })
  const alone = await test.grant({ client_name: 'Alone', connections: ['home'] })
  const reads = async () => [(await pack.get('/v1/schema')).status, (await alone.get('/v1/schema')).status]
  const owner = await new Browser(test.server).signIn()
  const path = `/agents/packages/${pack.packageId}`
  const done = async (page: string, action: string) =>
    words(await owner.get((await owner.submit(page, action)).headers.get('location')!))

  expect(await done(path, `${path}/pause`)).toContain('Pack is paused and gets nothing.')
  expect(await reads()).toEqual([403, 200])
  expect(await done(path, `${path}/resume`)).toContain('Resumed. It works again as before.')
  expect(await reads()).toEqual([200, 200])
  expect(await done('/agents', '/agents/pause-all')).toContain('All agents are paused.')
  expect(await reads()).toEqual([403, 403])
  expect((await owner.get('/agents')).text).not.toContain('Pause all agents')
  expect(await done('/agents', '/agents/resume-all')).toContain('All agents are resumed.')
  expect(await reads()).toEqual([200, 200])
  expect((await owner.post('/agents/pause-all', {})).status).toBe(403)
  expect(await reads()).toEqual([200, 200])
})

verifies('point 43', 'offers one answer on Home for one wish, and a review for several', async () => {
  const server = await wishServer()
  const agent = await connectedAgent(server)
  await agent.get(`${LIST}?fields=body`)
  const one = (await server.browser.get('/')).text
  expect(one).toContain('>Deny<')
  await agent.get('/v1/streams/events/records')
  const several = (await server.browser.get('/')).text
  expect(words({ text: several })).toContain('and for 1 other thing')
  expect(several).not.toContain('>Deny<')
  expect(several).toContain(`href="/agents/grants/${agent.grantId}#wishes">Review</a>`)
})

verifies('point 43', 'offers to allow only what is here, and tells the owner alone', async () => {
  const server = await wishServer()
  const agent = await connectedAgent(server)
  const wishes = async () => {
    const { text } = await server.browser.get(`/agents/grants/${agent.grantId}`)
    return /id="wishes"[\s\S]*?<\/section>/.exec(text)![0]
  }
  const absent = await agent.get('/v1/streams/secret/records')
  const alone = await wishes()
  expect(alone).not.toContain('Allow…')
  expect(alone).toContain('You have nothing like it here, so there is nothing to allow.')
  for (const answer of ['>Deny<', '>Silence<']) expect(alone).toContain(answer)
  const present = await agent.get('/v1/streams/events/records')
  const both = await wishes()
  expect(both.split('Allow…')).toHaveLength(2)
  expect(both.split('nothing to allow')).toHaveLength(2)
  // Both names have six letters, so the two answers differ only by the name and the address.
  expect([absent.status, absent.text.length]).toEqual([present.status, present.text.length])
})

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

it.each<[string, object | undefined, string, string]>([
  ['later than the period', { since: daysAgo(60) }, '365', 'only the days that it asked for, until'],
  ['earlier than the period', { since: daysAgo(60) }, '30', 'sources it asked for, the last 30 days, until'],
  ['from any time', undefined, '365', 'sources it asked for, the last 12 months, until'],
  [
    ...(['up to a day', { until: daysAgo(10) }, '365'] as const),
    'only the days that it asked for, within the last 12 months, until',
  ],
])('the sentence of a consent says what is granted if the client asked %s', async (_name, range, back, says) => {
  const server = await consentServer()
  const clientId = await server.register()
  const streams = [{ name: 'messages', ...(range && { time_range: range }) }]
  const { consent } = await ask(server, { clientId, params: asking({ ...MAIL, streams }) })
  const { page } = await lookAt(server, consent, (form) => form.tick('back', back))
  expect(sum(page)).toContain(says)
})
