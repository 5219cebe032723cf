// A refused agent learns where the owner can allow what it lacks. After that the same token can read it.
import { expect } from 'vitest'
import { ShownForm } from '../../../../tests/fixtures/shown-form.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { words } from '../oauth/consent.fixture.ts'
import { addressIn, connectedAgent, decideOn, EVENTS, LIST, wishServer } from './wish-support.ts'

verifies('point 43', 'an allowed field is read with the same token and a refreshed one', async () => {
  const server = await wishServer()
  const agent = await connectedAgent(server)
  const refused = await agent.get(`${LIST}?fields=body`)
  expect(refused.body.error).toMatchObject({ code: 'field_not_granted', http_status: 403 })
  const path = addressIn(refused)
  const page = await server.browser.get(path)
  expect(words(page)).toMatch(/It calls itself “ ?Test client ?”.*An agent asks for the field “body” of messages in/)
  // One click is enough: the requested parts are ticked, and shown with real items.
  expect(page.text).toContain('Body of 4')
  const form = new ShownForm(page.text, path)
  const answer = await server.browser.post(path, form.press('decision', 'approve'))
  expect([answer.status, answer.headers.get('location')]).toEqual([303, expect.stringMatching(/\?done=widened$/)])

  const [row] = (await agent.get(`${LIST}?limit=1&order=asc`)).body.data
  expect(Object.keys(row.data).toSorted()).toEqual(['body', 'id', 'sent_at', 'subject'])
  expect((await agent.get(LIST)).body.data.map(({ id }: any) => id).toSorted()).toEqual(['m2', 'm3', 'm4'])
  expect((await agent.tool('query_records', { stream: 'messages', fields: ['body'] })).isError).toBeFalsy()
  const { body } = await agent.refreshed()
  expect((await server.as(body.access_token)('GET', `${LIST}?fields=body`)).status).toBe(200)
  expect(body.grant_id).not.toBe(agent.grantId)
  // Nothing else was added: other fields, streams, accounts and times are still refused.
  expect((await agent.get(`${LIST}?fields=sender`)).body.error.code).toBe('field_not_granted')
  expect((await agent.get('/v1/streams/labels/records')).body.error.code).toBe('grant_stream_not_allowed')
})

verifies('point 43', 'a stream of the same source joins the grant', async () => {
  const server = await wishServer()
  const agent = await connectedAgent(server)
  const answer = await decideOn(
    server.browser,
    addressIn(await agent.get('/v1/streams/labels/records')),
    'approve',
    (form) => {
      expect(form.values('part')).toEqual([expect.stringContaining('labels')])
      return form
    },
  )
  expect(answer.headers.get('location')).toMatch(/^\/agents\/grants\//)
  expect((await agent.get('/v1/streams/labels/records')).status).toBe(200)
  // It is still one grant, so no read has to name its source.
  expect((await agent.get(LIST)).status).toBe(200)
})

verifies(
  ['point 43', 'point 14', 'point 15'],
  'a stream of another source makes a package under the same token',
  async () => {
    const server = await wishServer()
    const agent = await connectedAgent(server)
    const path = addressIn(await agent.get(EVENTS))
    const page = await server.browser.get(path)
    expect(page.text).toContain('<code>connection_id</code>')
    expect(words(page)).toContain('Event 3')
    const answer = await server.browser.post(path, new ShownForm(page.text, path).press('decision', 'approve'))
    expect(answer.headers.get('location')).toMatch(/^\/agents\/packages\/pkg_\w+\?done=widened$/)

    expect((await agent.get(EVENTS)).body.error.code).toBe('ambiguous_connection')
    expect((await agent.get(`${EVENTS}?connection_id=diary`)).body.data).toHaveLength(3)
    expect((await agent.get(`${LIST}?connection_id=home`)).body.data).toHaveLength(3)
    expect((await agent.get(`${LIST}?connection_id=home&fields=body`)).body.error.code).toBe('field_not_granted')
    const found = await agent.tool('query_records', { stream: 'events', connection_id: 'diary' })
    expect(found.isError).toBeFalsy()
    const { body } = await agent.refreshed()
    expect(body.grant_package_id).toMatch(/^pkg_/)
    expect((await server.as(body.access_token)('GET', `${EVENTS}?connection_id=diary`)).status).toBe(200)
    // The owner ends the whole access at once, for every token of the family.
    await server.owner('POST', `/v1/owner/packages/${body.grant_package_id}/revoke`)
    expect((await agent.get(`${EVENTS}?connection_id=diary`)).body.error.code).toBe('package_revoked')
  },
)

verifies('point 43', 'an earlier time joins the granted one', async () => {
  const server = await wishServer()
  const agent = await connectedAgent(server)
  const before = 'filter[sent_at][lt]=2026-01-01T01:00:00Z'
  const refused = await agent.get(`${LIST}?${before}`)
  expect(refused.body.error.code).toBe('grant_time_range_exceeded')
  expect((await decideOn(server.browser, addressIn(refused), 'approve')).status).toBe(303)
  expect((await agent.get(`${LIST}?${before}`)).body.data.map(({ id }: any) => id)).toEqual(['m0'])
})

verifies('point 43', 'sensitive things and several of a name are never ticked beforehand', async () => {
  const server = await wishServer()
  const agent = await connectedAgent(server)
  const path = addressIn(await agent.get('/v1/streams/visits/records'))
  const page = await server.browser.get(path)
  const form = new ShownForm(page.text, path)
  expect([form.values('part'), form.values('part', { all: true })]).toEqual([[], [expect.stringContaining('visits')]])
  const empty = await server.browser.post(path, form.press('decision', 'approve'))
  expect([empty.status, words(empty)]).toEqual([400, expect.stringContaining('Tick at least one thing.')])
  expect((await agent.get('/v1/streams/visits/records')).status).toBe(403)
})

verifies('point 43', 'the owner gives more by hand: a source, for a time of its own', async () => {
  const server = await wishServer()
  const agent = await connectedAgent(server)
  const answer = await decideOn(server.browser, `/agents/grants/${agent.grantId}/widen`, 'approve', (form) =>
    form
      .tick('part', form.values('part', { all: true }).find((value) => value.startsWith('stream/calendar/'))!)
      .tick('reach', 'all')
      .tick('end', '168'),
  )
  const packageId = /packages\/(pkg_\w+)/.exec(answer.headers.get('location')!)![1]
  const { body } = await server.owner('GET', `/v1/owner/packages/${packageId}`)
  const grants = await Promise.all(
    body.members.map(({ grant_id: id }: any) => server.owner('GET', `/v1/owner/grants/${id}`)),
  )
  const ends = grants.map((one) => one.body.grant.expires_at)
  expect(Date.parse(ends[1]) - Date.now()).toBeGreaterThan(6 * 86_400_000)
  expect(Date.parse(ends[1])).toBeLessThan(Date.parse(ends[0]))
  expect((await agent.get(`${EVENTS}?connection_id=diary`)).body.data).toHaveLength(3)
})
