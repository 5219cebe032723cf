// A wider grant replaces another one. Tests cursors, subscriptions, pause, end, single use, log and old addresses.
import { OWNER } from '@pdpp/server'
import { expect } from 'vitest'
import { ShownForm } from '../../../../tests/fixtures/shown-form.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { eventually, PATH, subscribe } from '../events/events-support.ts'
import { words } from '../oauth/consent.fixture.ts'
import { addressIn, connectedAgent, decideOn, EVENTS, LIST, wishServer } from './wish-support.ts'

verifies(['point 43', 'checklist 31'], 'cursors end when a grant is replaced or becomes a package', async () => {
  const server = await wishServer()
  const agent = await connectedAgent(server)
  const first = (await agent.get(`${LIST}?limit=1`)).body
  await decideOn(server.browser, addressIn(await agent.get(EVENTS)), 'approve')
  // Reads now have to name their source. A cursor is valid only for the arguments that it came with.
  const next = await agent.get(`${LIST}?limit=1&connection_id=home&cursor=${first.next_cursor}`)
  expect([next.status, next.body.error?.code]).toEqual([400, 'invalid_cursor'])
  const again = (await agent.get(`${LIST}?limit=1&connection_id=home`)).body
  const wish = addressIn(await agent.get(`${LIST}?connection_id=home&fields=body`))
  await decideOn(server.browser, wish, 'approve')
  const ended = await agent.get(`${LIST}?limit=1&connection_id=home&cursor=${again.next_cursor}`)
  expect([ended.status, ended.body.error.code]).toEqual([400, 'invalid_cursor'])
})

verifies('point 43', 'the last use stays known when access is reduced or widened', async () => {
  const server = await wishServer()
  const agent = await connectedAgent(server)
  const { body: used } = await server.owner('GET', `/v1/owner/grants/${agent.grantId}`)
  expect(used.last_used_at).toBeNull()
  await agent.get(`${LIST}?limit=1`)
  const last = (await server.owner('GET', `/v1/owner/grants/${agent.grantId}`)).body.last_used_at
  expect(last).toMatch(/^\d{4}-/)
  const { body: smaller } = await server.owner('POST', `/v1/owner/grants/${agent.grantId}/narrow`, {
    since: '2026-01-01T03:00:00Z',
  })
  expect([smaller.grant_id === agent.grantId, smaller.last_used_at]).toEqual([false, last])
  const wish = addressIn(await agent.get(`${LIST}?fields=body`))
  const refusedAt = (await server.owner('GET', `/v1/owner/grants/${smaller.grant_id}`)).body.last_used_at
  const { headers } = await decideOn(server.browser, wish, 'approve')
  const wider = /grants\/([^?]+)/.exec(headers.get('location')!)![1]!
  expect(wider).not.toBe(smaller.grant_id)
  expect((await server.owner('GET', `/v1/owner/grants/${wider}`)).body.last_used_at).toBe(refusedAt)
  expect(words(await server.browser.get(`/agents/grants/${wider}`))).toMatch(/Last used just now/)
})

verifies('point 43', 'a subscription follows its grant, and hears of what was added', async () => {
  const server = await wishServer()
  const agent = await connectedAgent(server)
  const listening = await subscribe(server, agent.token)
  await decideOn(server.browser, addressIn(await agent.get('/v1/streams/labels/records')), 'approve')
  await server.ingest('labels', 'home', [{ key: ['in', 'red'], data: { box: 'in', name: 'red', colour: 'red' } }])
  const heard = new Set<string>()
  await eventually(async () => {
    for (const { data } of await listening.next(1)) heard.add(data.stream)
    return heard.has('labels')
  })
  const found = async () => (await agent.get(`${PATH}/${listening.id}`)).body
  expect((await found()).grant_id).not.toBe(agent.grantId)
  // In a package, the subscription belongs to the member that it was for.
  await decideOn(server.browser, addressIn(await agent.get(EVENTS)), 'approve')
  expect((await found()).status).toBe('active')
})

verifies('point 43', 'a paused access stays paused with what was added, until it is resumed', async () => {
  const server = await wishServer()
  const agent = await connectedAgent(server)
  const path = addressIn(await agent.get(EVENTS))
  await server.owner('POST', `/v1/owner/grants/${agent.grantId}/pause`)
  const page = await server.browser.get(path)
  expect(words(page)).toContain('It is paused, and stays paused.')
  const { headers } = await server.browser.post(path, new ShownForm(page.text, path).press('decision', 'approve'))
  expect(words(await server.browser.get(headers.get('location')!))).toContain('is paused and gets nothing until you')
  expect((await agent.get(`${EVENTS}?connection_id=diary`)).body.error.code).toBe('grant_paused')
  const { members } = (await server.server.context.tokens.find(agent.token))!.package!
  for (const { grant } of members) await server.owner('POST', `/v1/owner/grants/${grant.grant_id}/resume`)
  expect((await agent.get(`${EVENTS}?connection_id=diary`)).status).toBe(200)
})

verifies('point 43', 'nothing can be added to an access that has ended', async () => {
  const server = await wishServer()
  const agent = await connectedAgent(server)
  const path = addressIn(await agent.get(EVENTS))
  const form = new ShownForm((await server.browser.get(path)).text, path)
  await server.owner('POST', `/v1/owner/grants/${agent.grantId}/revoke`)
  const refused = await server.browser.get(path)
  expect([refused.status, words(refused)]).toEqual([410, expect.stringContaining('This access has ended')])
  expect((await server.browser.post(path, form.press('decision', 'approve'))).status).toBe(410)
  expect((await agent.get(EVENTS)).body.error.code).toBe('grant_revoked')
  // Wishes of an ended access are not shown as open.
  expect(words(await server.browser.get('/'))).not.toContain('asked for')
})

verifies('point 43', 'an added part ends with the access, and single use stays single', async () => {
  const server = await wishServer()
  const ends = new Date(Date.now() + 5 * 86_400_000).toISOString()
  const given = await server.grant({
    ...{ connections: ['home'], streams: [{ name: 'messages' }], access_mode: 'single_use', expires_at: ends },
  })
  const path = addressIn(await given.get(EVENTS))
  const page = await server.browser.get(path)
  const form = new ShownForm(page.text, path)
  expect(form.values('end', { all: true })).toEqual(['rest', '1'])
  await server.browser.post(path, form.press('decision', 'approve'))
  const { package: made } = (await server.server.context.tokens.find(given.token))!
  expect(
    made!.members.map(({ grant, consumedAt }) => [grant.access_mode, grant.expires_at, consumedAt !== undefined]),
  ).toEqual([
    ['single_use', ends, true],
    ['single_use', ends, true],
  ])
})

verifies(['point 43', 'checklist 31'], 'the log says what the owner gave, and to which access', async () => {
  const server = await wishServer()
  const agent = await connectedAgent(server)
  const path = addressIn(await agent.get(`${LIST}?fields=body`))
  const answer = await decideOn(server.browser, path, 'approve')
  const grantId = /grants\/(grt_\w+)/.exec(answer.headers.get('location')!)![1]
  const { receipts } = await server.server.context.receipts.list(OWNER, { limit: 20 })
  expect(receipts.find(({ operation }) => operation === 'widen')).toMatchObject({
    ...{ client_id: null, grant_id: grantId, surface: 'console', outcome: 'ok', stream: 'messages' },
    fields: ['id', 'subject', 'body', 'sent_at'],
  })
  expect(words(await server.browser.get('/activity'))).toContain('You gave an agent more in messages')
  // The old page redirects, and the old address of the wish says that there is nothing left to allow.
  expect((await server.browser.get(`/agents/grants/${agent.grantId}`)).text).toContain(`/agents/grants/${grantId}`)
  expect(words(await server.browser.get(path))).toContain('There is nothing to allow.')
})

verifies('point 43', 'a read that is under way ends under the grant that it began with', async () => {
  const server = await wishServer()
  const agent = await connectedAgent(server)
  const path = addressIn(await agent.get(`${LIST}?fields=body`))
  const form = new ShownForm((await server.browser.get(path)).text, path)
  const reads = Array.from({ length: 20 }, () => agent.get(`${LIST}?limit=3`))
  const approved = server.browser.post(path, form.press('decision', 'approve'))
  const answers = await Promise.all(reads)
  expect((await approved).status).toBe(303)
  // Every answer is complete: as before or as after, never a mixture.
  const shapes = new Set(
    answers.map(({ status, body }) =>
      JSON.stringify([status, [...new Set(body.data.map((row: any) => Object.keys(row.data).toSorted().join()))]]),
    ),
  )
  for (const shape of shapes)
    expect(['[200,["id,sent_at,subject"]]', '[200,["body,id,sent_at,subject"]]']).toContain(shape)
  expect(Object.keys((await agent.get(LIST)).body.data[0].data)).toContain('body')
})
