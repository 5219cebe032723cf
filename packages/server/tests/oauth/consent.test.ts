// docs/security.md says which of these proves what.
import { describe, expect, test } from 'vitest'
import { ask, Browser, decide, oauthServer, PASSWORD } from './browser.ts'

describe('checklist 5: the owner decides, once, in the browser that asked', () => {
  test('who is not signed in is asked to sign in, and comes back', async () => {
    const server = await oauthServer()
    const browser = new Browser(server.origin)
    const { consent } = await ask(server, { clientId: await server.register() }, browser)
    const sent = await browser.get(consent)
    expect([sent.status, sent.headers.get('location')]).toEqual([303, expect.stringContaining('/owner/sign-in')])
    await browser.signIn(PASSWORD)
    const answer = await decide(server, consent, { decision: 'approve', connection: 'home' }, browser)
    expect(answer.headers.get('location')).toContain('code=')
  })

  test('a link to a request that somebody else started decides nothing', async () => {
    const server = await oauthServer()
    const attacker = new Browser(server.origin)
    const { consent } = await ask(server, { clientId: await server.register() }, attacker)
    expect((await server.browser.get(consent)).status).toBe(403)
    const answer = await server.browser.post(consent, { decision: 'approve', connection: 'home' })
    expect(answer.status).toBe(403)
  })

  test('a form without its token, of another session or another request is refused', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const first = await ask(server, { clientId })
    const page = await server.browser.get(first.consent)
    const fields = Browser.fields(page.text, first.consent)
    const second = await ask(server, { clientId })
    const send = (consent: string, changes: Record<string, string>, headers = {}) =>
      server.browser.post(consent, { ...fields, decision: 'approve', connection: 'home', ...changes }, headers)
    expect((await send(first.consent, { form_token: '' })).status).toBe(403)
    expect((await send(second.consent, {})).status).toBe(403)
    expect((await send(first.consent, {}, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await send(first.consent, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await send(first.consent, {})).status).toBe(303)
  })

  test('of an approval and a denial at a time one holds, and a repeated form is refused', async () => {
    const server = await oauthServer()
    const { consent } = await ask(server, { clientId: await server.register() })
    const page = await server.browser.get(consent)
    const fields = { ...Browser.fields(page.text, consent), connection: 'home' }
    const decisions = ['approve', 'deny', 'approve', 'deny']
    const answers = await Promise.all(
      decisions.map((decision) => server.browser.post(consent, { ...fields, decision })),
    )
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect((await server.browser.post(consent, { ...fields, decision: 'approve' })).status).toBe(404)
    expect((await server.owner('GET', '/v1/owner/grants')).body.data.length).toBeLessThanOrEqual(1)
  })

  test('nothing is chosen beforehand, and nothing more than was asked for can be given', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const { consent } = await ask(server, { clientId })
    expect((await server.browser.get(consent)).text).not.toMatch(/checked/)
    expect((await decide(server, consent, { decision: 'approve' })).status).toBe(400)
  })

  test('the page cannot be framed, and shows a hostile name as text', async () => {
    const server = await oauthServer()
    const clientId = await server.register({ client_name: '<img src=x onerror=alert(1)>\u202eevil' })
    const { consent } = await ask(server, { clientId })
    const page = await server.browser.get(consent)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect(page.text).toContain('&lt;img src=x')
    expect(page.text).not.toContain('\u202e')
    expect(page.text).toContain('unverified')
  })
})
