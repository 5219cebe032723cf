// docs/security.md says which of these proves what.
import { expect, test } from 'vitest'
import { Browser } from '../../../../tests/fixtures/browser.ts'
import { ShownForm } from '../../../../tests/fixtures/shown-form.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { look } from './consent.fixture.ts'
import { ask, decide, followed, oauthServer, PASSWORD } from './oauth-flow.ts'

verifies.group('checklist 5', 'the owner decides, once, in the browser that asked', () => {
  test('who is not signed in is asked to sign in, and comes back', async () => {
    const server = await oauthServer()
    const browser = new Browser(server.server)
    const { consent } = await ask(server, { clientId: await server.register() }, browser)
    const sent = await browser.get(consent)
    expect([sent.status, sent.headers.get('location')]).toEqual([303, expect.stringContaining('/owner/sign-in')])
    await browser.signIn(PASSWORD)
    const answer = await decide(server, consent, { decision: 'approve', connection: 'home' }, browser)
    expect(answer.headers.get('location')).toContain('code=')
  })

  test('a link to a request that somebody else started decides nothing', async () => {
    const server = await oauthServer()
    const attacker = new Browser(server.server)
    const { consent } = await ask(server, { clientId: await server.register() }, attacker)
    expect((await server.browser.get(consent)).status).toBe(403)
    const answer = await server.browser.post(consent, { decision: 'approve', connection: 'home' })
    expect(answer.status).toBe(403)
  })

  test('a form of another session or request is refused', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const first = await ask(server, { clientId })
    const form = await look(server, first.consent, (shown) =>
      shown.tick('connection/mail', 'home').tick('stream/mail', 'messages'),
    )
    const second = await ask(server, { clientId })
    const send = (consent: string, changes: Record<string, string>, headers = {}) =>
      server.browser.post(consent, { ...form.press('decision', 'approve'), ...changes }, headers)
    expect((await send(first.consent, { form_token: '' })).status).toBe(403)
    expect((await send(second.consent, {})).status).toBe(403)
    expect((await send(first.consent, {}, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await send(first.consent, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    // A form of one browser is not accepted from another, even if that one is signed in.
    const another = new Browser(server.server)
    await another.signIn(PASSWORD)
    const untrustedText = await ask(server, { clientId }, another)
    expect((await another.post(untrustedText.consent, form.press('decision', 'approve'))).status).toBe(403)
    const own = await look(server, untrustedText.consent, (shown) => shown, another)
    // After a new sign-in the browser has another session, and forms of the previous one are void.
    await another.submit('/settings', '/owner/sign-out')
    await another.signIn(PASSWORD)
    expect((await another.post(untrustedText.consent, own.press('decision', 'deny'))).status).toBe(403)
  })

  test('of an approval and a denial at the same time one wins', async () => {
    const server = await oauthServer()
    const { consent } = await ask(server, { clientId: await server.register() })
    const form = await look(server, consent, (shown) =>
      shown.tick('connection/mail', 'home').tick('stream/mail', 'messages'),
    )
    const decisions = ['approve', 'deny', 'approve', 'deny']
    const answers = await Promise.all(
      decisions.map((decision) => server.browser.post(consent, form.press('decision', decision))),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)!.text).toContain('This request was already decided.')
    expect((await server.browser.post(consent, form.press('decision', 'approve'))).status).toBe(409)
    expect((await server.owner('GET', '/v1/owner/grants')).body.data.length).toBeLessThanOrEqual(1)
  })

  test('a form of a request that went on to its end is told so, on a page', async () => {
    const server = await oauthServer()
    const { consent } = await ask(server, { clientId: await server.register() })
    const form = new ShownForm((await server.browser.get(consent)).text, consent)
    const denied = form.press('decision', 'deny')
    await followed(await server.browser.post(consent, denied), server.browser)
    for (const again of [await server.browser.post(consent, denied), await server.browser.get(consent)]) {
      expect(again.status).toBe(409)
      expect(again.text).toContain('<h1>This is decided already</h1>')
    }
    expect((await server.browser.get('/oauth/consent/never-was')).status).toBe(404)
  })

  test('two requests in two tabs are two decisions', async () => {
    const server = await oauthServer()
    const first = await ask(server, { clientId: await server.register({ client_name: 'First' }) })
    const second = await ask(server, { clientId: await server.register({ client_name: 'Second' }) })
    expect((await server.browser.get(first.consent)).text).toContain('First')
    expect((await server.browser.get(second.consent)).text).toContain('Second')
    const answers = await Promise.all([
      decide(server, first.consent, { decision: 'approve', connection: 'home' }),
      decide(server, second.consent, { decision: 'deny' }),
    ])
    const told = answers.map(({ headers }) => new URL(headers.get('location')!).searchParams)
    expect([told[0]!.has('code'), told[1]!.get('error')]).toEqual([true, 'access_denied'])
  })

  test('nothing is chosen beforehand, and nothing is given by allowing that', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const { consent } = await ask(server, { clientId })
    expect((await server.browser.get(consent)).text).not.toMatch(/type="checkbox"[^>]*\schecked/)
    const answer = await decide(server, consent, { decision: 'approve' })
    expect([answer.status, answer.text.includes('Nothing was shared yet')]).toEqual([400, true])
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
