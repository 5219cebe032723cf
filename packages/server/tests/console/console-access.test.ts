import { expect, it } from 'vitest'
import { Browser, hiddenFields } from '../../../../tests/fixtures/browser.ts'
import { mailServer, message, messages } from '../../../../tests/fixtures/server.ts'
import { note, packageServer } from '../grants/package-support.ts'

async function withGrant(request: Record<string, unknown> = {}) {
  const test = await mailServer()
  await test.ingest('messages', 'home', messages(30))
  await test.ingest('messages', 'work', [message(99, { subject: 'Secret of work' })])
  const given = await test.grant({ client_name: 'Trip planner', connections: ['home'], ...request })
  const visitor = await new Browser(test.server).signIn()
  return { test, visitor, given, path: `/agents/grants/${given.grantId}` }
}

it('lists who can read, with samples through the grant alone', async () => {
  const { visitor, path } = await withGrant({
    streams: [{ name: 'messages', fields: ['id', 'subject', 'sent_at'] }],
    since: '2026-01-01T10:00:00Z',
    purpose_description: 'To plan a trip',
  })
  const { text: list } = await visitor.get('/agents')
  expect(list).toContain(`href="${path}"`)
  expect(list).toContain('never used')
  const { status, text } = await visitor.get(path)
  expect(status).toBe(200)
  for (const shown of [
    'Trip planner',
    '20 items',
    '3 of 8 fields',
    'from 1 January 2026',
    'To plan a trip',
    'Subject 29',
  ])
    expect(text, shown).toContain(shown)
  for (const hidden of ['Body of', '>size<', 'Secret of work']) expect(text, hidden).not.toContain(hidden)
})

it('has a title for each grant, agent, record and search', async () => {
  const { visitor, path } = await withGrant({ client_name: 'Trip <b>\u202eplanner', client_id: 'cli_trip' })
  for (const [page, title] of [
    [path, 'Access of Trip &lt;b&gt;planner'],
    ['/agents/clients/cli_trip', 'Agent Trip &lt;b&gt;planner'],
    ['/r/home%2Fmessages%3Am1', 'Subject 1'],
    ['/browse?q=walnut', 'walnut · Browse'],
    ['/browse?connection=home&stream=messages', 'home / messages · Browse'],
  ])
    expect((await visitor.get(page!)).text).toContain(`<title>${title} · PDPP</title>`)
})

it('shows samples of a stream with a field that every object has', async () => {
  const { visitor, test } = await withGrant()
  const declared = structuredClone((await test.owner('GET', '/connectors/mail')).body)
  declared.streams[0].schema.properties.constructor = { type: 'string' }
  declared.declaration_version = '2'
  await test.owner('POST', '/connectors', declared)
  const { grantId } = await test.grant({ connections: ['home'], streams: [{ name: 'messages' }] })
  const { status, text } = await visitor.get(`/agents/grants/${grantId}`)
  expect([status, text.includes('constructor')]).toEqual([200, true])
})

it('pauses and resumes an agent', async () => {
  const { visitor, given, path } = await withGrant()
  const read = async () => (await given.get('/v1/streams/messages/records')).status
  expect(await read()).toBe(200)
  const paused = await visitor.submit(path, `${path}/pause`)
  expect([paused.status, paused.headers.get('location'), await read()]).toEqual([303, `${path}?done=paused`, 403])
  expect((await visitor.get(`${path}?done=paused`)).text).toContain('Paused. It gets nothing')
  await visitor.submit(path, `${path}/resume`)
  expect(await read()).toBe(200)
})

it('narrows a grant while the agent keeps working', async () => {
  const { visitor, given, path, test } = await withGrant({ connections: ['home', 'work'] })
  const page = (await visitor.get(path)).text
  const token = /action="[^"]+\/narrow"[^>]*>\s*<input type="hidden" name="form_token" value="([^"]+)"/.exec(page)![1]!
  const send = (fields: [string, string][]) => {
    const several = Map.groupBy(fields, ([name]) => name)
    const grouped = Object.fromEntries([...several].map(([name, pairs]) => [name, pairs.map(([, value]) => value)]))
    return visitor.post(`${path}/narrow`, { form_token: token, connections: 'chosen', ...grouped })
  }
  const everything: [string, string][] = [
    ['connection', 'home'],
    ['connection', 'work'],
    ['stream', 'messages'],
    ['stream', 'labels'],
    ...['subject', 'body', 'sender', 'size', 'headers', 'photo'].map((field): [string, string] => [
      'field/messages',
      field,
    ]),
    ['field/labels', 'colour'],
  ]
  const same = await send(everything)
  expect([same.status, same.text.includes('does not change the grant')]).toEqual([400, true])
  expect((await send([['connection', 'home']])).text).toContain('Nothing would be left')
  expect((await send([['stream', 'messages']])).text).toContain('No source would be left')
  const past = await send([
    ['connection', 'work'],
    ['stream', 'messages'],
    ['field/messages', 'subject'],
    ['since', '2026-01-02'],
    ['expires', '2020-01-01'],
  ])
  expect([past.status, past.text.includes('The end must be a day in the future.')]).toEqual([400, true])
  // The page keeps the choice.
  expect(past.text).toContain('id="narrow" open')
  expect(past.text).toContain('name="expires" value="2020-01-01"')
  expect(past.text).toContain('name="since" value="2026-01-02"')
  const ticked = [...past.text.matchAll(/id="([\w-]+)" checked(?! disabled)/g)].map(([, id]) => id)
  expect(ticked).toEqual(['connection-work', 'stream-messages', 'field-messages-subject'])
  const swapped = await send([...everything, ['since', '2026-02-02'], ['until', '2026-02-01']])
  expect(swapped.text).toContain('The first day must come before')
  const less = await send([
    ['connection', 'home'],
    ['stream', 'messages'],
    ['field/messages', 'subject'],
    ['since', '2026-01-02'],
    ['expires', '2099-01-01'],
  ])
  expect(less.status).toBe(303)
  expect(less.headers.get('location')).toMatch(/^\/agents\/grants\/grt_\w+\?done=narrowed$/)
  const { body } = await given.get('/v1/streams/messages/records?limit=100')
  expect(body.data.length).toBe(6)
  expect(Object.keys(body.data[0].data).sort()).toEqual(['id', 'sent_at', 'subject'])
  const after = await visitor.get(String(less.headers.get('location')))
  expect(after.text).toContain('Access reduced. The agent keeps working')
  expect(after.text).toContain('1 January 2099')
  expect((await visitor.get(path)).text).toContain('You changed this access')
  expect((await test.owner('GET', '/v1/owner/grants')).body.data).toHaveLength(2)
})

it('revokes the current access from a page that is out of date', async () => {
  const { test, visitor, given, path } = await withGrant()
  const stale = (await visitor.get(path)).text
  const send = (action: string) => visitor.post(action, hiddenFields(stale, action))
  const narrowed = await test.owner('POST', `/v1/owner/grants/${given.grantId}/narrow`, { expires_at: '2099-01-01' })
  const now = `/agents/grants/${narrowed.body.grant_id}`
  const read = async () => (await given.get('/v1/streams/messages/records')).body?.error?.code
  expect((await send(`${path}/narrow`)).text).toContain('You changed this access in another tab')
  const paused = await send(`${path}/pause`)
  expect([paused.headers.get('location'), await read()]).toEqual([`${now}?done=paused`, 'grant_paused'])
  const { body } = await test.owner('POST', `/v1/owner/grants/${given.grantId}/revoke`)
  expect(body.error.message).toContain(`${narrowed.body.grant_id} replaces it`)
  expect(body.error.next_step).not.toContain('You need not do anything')
  const revoked = await send(`${path}/revoke`)
  expect([revoked.headers.get('location'), await read()]).toEqual([`${now}?done=revoked`, 'grant_revoked'])
  expect((await send(`${path}/revoke`)).headers.get('location')).toBe(`${now}?done=revoked`)
})

it('revokes a grant, a package and everything a client holds', async () => {
  const { visitor, given, path } = await withGrant()
  await visitor.submit(path, `${path}/revoke`)
  expect((await given.get('/v1/schema')).status).toBe(403)
  const { text } = await visitor.get(path)
  expect(text).toContain('You revoked the access of Trip planner.')
  expect(text).not.toContain(`${path}/revoke`)

  const test = await packageServer()
  await test.ingest('notes', 'diary', [note('a')])
  const members = [await test.grant({ connections: ['home'] }), await test.grant({ connections: ['diary'] })]
  const pack = await test.pack(members.map(({ grantId }) => grantId))
  const owner = await new Browser(test.server).signIn()
  const packagePath = `/agents/packages/${pack.packageId}`
  const page = (await owner.get(packagePath)).text
  for (const { grantId } of members) expect(page).toContain(`/agents/grants/${grantId}`)
  await owner.submit(packagePath, `${packagePath}/revoke`)
  expect((await pack.get('/v1/schema')).status).toBe(403)
  const other = await test.grant({ connections: ['home'], client_id: 'cli_other' })
  const clientPath = '/agents/clients/cli_other'
  expect((await owner.get('/agents/clients')).text).toContain(`href="${clientPath}"`)
  expect((await owner.submit(clientPath, `${clientPath}/end`)).status).toBe(303)
  expect((await other.get('/v1/schema')).status).toBe(403)
})

it('shows what a client holds, however much it was given and lost since', async () => {
  const { test, visitor } = await withGrant()
  const given = { client_id: 'cli_often', connections: ['home'] }
  const held = await test.grant(given)
  for (let n = 0; n < 51; n++) {
    const { grantId } = await test.grant(given)
    await test.owner('POST', `/v1/owner/grants/${grantId}/revoke`)
  }
  const { text } = await visitor.get('/agents/clients/cli_often')
  expect(text).toContain(`/agents/grants/${held.grantId}`)
  expect(text).toContain('End all its access')
})

it('browses as an agent through its grant, without a receipt', async () => {
  const { test, visitor, given } = await withGrant({ streams: [{ name: 'messages', fields: ['id', 'subject'] }] })
  const as = `as=${given.grantId}`
  const receipts = async () => (await test.owner('GET', '/v1/owner/receipts')).body.data.length
  const overview = (await visitor.get(`/browse?${as}`)).text
  expect(overview).toContain('Looking as')
  expect(overview).toContain('stream=messages')
  expect(overview).not.toContain('stream=labels')
  expect(overview).not.toContain('connection=work')
  const list = (await visitor.get(`/browse?${as}&connection=home&stream=messages`)).text
  expect(list).toContain('Subject 29')
  const record = (await visitor.get(`/r/home%2Fmessages%3Am1?${as}`)).text
  expect(record).toContain('Subject 1')
  expect(record).not.toContain('Body of 1')
  expect((await visitor.get(`/browse?${as}&q=Body`)).text).toContain('No results.')
  expect((await visitor.get(`/r/work%2Fmessages%3Am99?${as}`)).status).toBe(404)
  expect((await visitor.get(`/browse?${as}&connection=work&stream=messages`)).text).not.toContain('Secret of work')
  expect(await receipts()).toBe(0)
  for (const [change, says] of [
    ['pause', 'its access is paused'],
    ['revoke', 'its access is revoked'],
  ]) {
    await test.owner('POST', `/v1/owner/grants/${given.grantId}/${change}`)
    const { status, text } = await visitor.get(`/browse?${as}`)
    expect([status, text.includes(says!), text.includes('owner')]).toEqual([403, true, false])
  }
})

it('browses as a package, each connection through its own grant', async () => {
  const test = await packageServer()
  await test.ingest('messages', 'home', messages(2))
  await test.ingest('notes', 'diary', [note('a')])
  const members = [
    await test.grant({ connections: ['home'], streams: [{ name: 'messages', fields: ['id', 'subject'] }] }),
    await test.grant({ connections: ['diary'] }),
  ]
  const { packageId } = await test.pack(members.map(({ grantId }) => grantId))
  const visitor = await new Browser(test.server).signIn()
  const { text } = await visitor.get(`/browse?as=${packageId}&connection=home&stream=messages`)
  expect(text).toContain('Subject 1')
  expect(text).not.toContain('Body of')
  expect((await visitor.get(`/r/diary%2Fnotes%3Aa?as=${packageId}`)).text).toContain('Nothing much')
  expect((await visitor.get(`/browse?as=${packageId}&q=note`)).text).toContain('Note a')
})

it('takes no form without its token, and shows nothing to anybody else', async () => {
  const { test, visitor, path, given } = await withGrant()
  for (const action of ['pause', 'revoke', 'narrow'])
    expect([action, (await visitor.post(`${path}/${action}`, {})).status]).toEqual([action, 403])
  expect((await given.get('/v1/schema')).status).toBe(200)
  const stranger = new Browser(test.server)
  for (const page of ['/agents', path, '/activity', '/activity/export', '/browse', '/agents/connect', '/settings'])
    expect([page, (await stranger.get(page)).status]).toEqual([page, 303])
  expect((await visitor.get('/agents/grants/grt_none')).status).toBe(404)
})
