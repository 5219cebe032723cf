// An approval always has the result that was shown.
import { describe, expect, test, vi } from 'vitest'
import { mailDeclaration, message } from '../../../../tests/fixtures/server.ts'
import { ShownForm } from '../../../../tests/fixtures/shown-form.ts'
import { asking, consentServer, give, look, MAIL, sum, words } from './consent.fixture.ts'
import { ask, decide, followed } from './oauth-flow.ts'

const home = (form: ShownForm) => form.tick('connection/mail', 'home').tick('stream/mail', 'messages')

describe('several sources, once, and until when', () => {
  test('several sources become one package of revocable grants', async () => {
    const server = await consentServer()
    const { page, body, read } = await give(server, (form) => home(form).tick('stream/health', 'visits'))
    expect(sum(page)).toMatch(/may read 2 of your 3 sources, from any time, until .* Today that is 9 items\.$/)
    expect(words(page)).toContain('Sensitive: Health')
    expect(body).toMatchObject({ grant_package_id: expect.stringMatching(/^pkg_/) })
    const grants = (await server.owner('GET', '/v1/owner/grants')).body.data
    expect(grants.map((one: any) => one.grant.source.connector_key).toSorted()).toEqual(['health', 'mail'])
    const health = grants.find((one: any) => one.grant.source.connector_key === 'health')
    await server.owner('POST', `/v1/owner/grants/${health.grant.grant_id}/revoke`)
    const schema = JSON.stringify((await read('/v1/schema')).body)
    expect([schema.includes('messages'), schema.includes('visits')]).toEqual([true, false])
  })

  test('once: a grant for one token, which ends within the hour', async () => {
    const server = await consentServer()
    const { page, body } = await give(server, (form) => home(form).tick('ends', 'once'))
    expect(sum(page)).toContain('1 of your 3 sources, from any time, for 1 hour, one time only. Today that is 5 items')
    expect(body).not.toHaveProperty('refresh_token')
    expect(body.expires_in).toBeLessThanOrEqual(3600)
  })

  test.each([
    ['7', 7],
    ['365', 365],
    ['', undefined],
  ])('an end after "%s" days is the end of the grant', async (ends, days) => {
    const server = await consentServer()
    const { page } = await give(server, (form) => home(form).tick('ends', ends))
    const { expires_at } = (await server.owner('GET', '/v1/owner/grants')).body.data[0].grant
    if (days === undefined) expect([expires_at, sum(page).includes('until you stop it')]).toEqual([null, true])
    else expect(Math.round((Date.parse(expires_at) - Date.now()) / 86_400_000)).toBe(days)
  })
})

describe('an approval is bound to what was shown', () => {
  test('a choice that was changed after it was shown is shown first', async () => {
    const server = await consentServer()
    const { consent } = await ask(server, { clientId: await server.register() })
    const form = await look(server, consent, home)
    form.tick('connection/mail', 'work')
    const again = await server.browser.post(consent, form.press('decision', 'approve'))
    expect([again.status, words(again)]).toEqual([409, expect.stringContaining('You changed your choice.')])
    expect(sum(again)).toMatch(/2 of your 3 sources, .* 8 items\.$/)
    const now = new ShownForm(again.text, consent).press('decision', 'approve')
    expect((await server.browser.post(consent, now)).status).toBe(303)
  })

  test.each([
    [
      'a source',
      (server: any) => server.owner('POST', '/connectors', { ...mailDeclaration, declaration_version: '9' }),
    ],
    ['a connection', (server: any) => server.owner('PATCH', '/v1/owner/connections/home', { display_name: 'Other' })],
  ])('%s that changed meanwhile has to be looked at again', async (_name, change) => {
    const server = await consentServer()
    const { consent } = await ask(server, { clientId: await server.register() })
    const form = await look(server, consent, home)
    await change(server)
    const again = await server.browser.post(consent, form.press('decision', 'approve'))
    expect([again.status, words(again)]).toEqual([
      409,
      expect.stringContaining('changed while you looked at this page'),
    ])
    const now = new ShownForm(again.text, consent).press('decision', 'approve')
    expect((await server.browser.post(consent, now)).status).toBe(303)
  })

  test('records that came meanwhile change nothing', async () => {
    const server = await consentServer()
    const { consent } = await ask(server, { clientId: await server.register() })
    const form = await look(server, consent, home)
    await server.ingest('messages', 'home', [message(500)])
    expect((await server.browser.post(consent, form.press('decision', 'approve'))).status).toBe(303)
  })

  test('a request for a deleted source can still be denied', async () => {
    const server = await consentServer()
    await server.owner('POST', '/v1/owner/connections', { connector_key: 'mail', connection_id: 'old' })
    const asked = { ...MAIL, streams: [{ name: 'messages', instance_ids: ['old'] }] }
    const { consent } = await ask(server, { clientId: await server.register(), params: asking(asked) })
    const form = new ShownForm((await server.browser.get(consent)).text, consent)
    expect((await server.owner('DELETE', '/v1/owner/connections/old')).status).toBe(204)
    const approved = await server.browser.post(consent, form.press('decision', 'approve'))
    expect([approved.status, words(approved)]).toEqual([
      409,
      expect.stringContaining('Nothing that it asked for is here'),
    ])
    const denied = await followed(await server.browser.post(consent, form.press('decision', 'deny')), server.browser)
    expect(denied.headers.get('location')).toContain('error=access_denied')
  })

  test('an expired request can be neither approved nor denied', async () => {
    const server = await consentServer()
    const { consent } = await ask(server, { clientId: await server.register() })
    const form = await look(server, consent, home)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 })
    try {
      for (const decision of ['approve', 'deny'])
        expect((await server.browser.post(consent, form.press('decision', decision))).status).toBe(404)
    } finally {
      vi.useRealTimers()
    }
  })

  test('denied, the client is told access_denied and nothing is made', async () => {
    const server = await consentServer()
    const { consent } = await ask(server, { clientId: await server.register(), params: asking(MAIL) })
    const answer = await decide(server, consent, { decision: 'deny' })
    expect(new URL(answer.headers.get('location')!).searchParams.get('error')).toBe('access_denied')
    expect((await server.owner('GET', '/v1/owner/grants')).body.data).toEqual([])
  })
})
