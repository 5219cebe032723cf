// Full access by device: for our own command, and for programs that the owner listed.
import { expect, test } from 'vitest'
import { hiddenFields } from '../../../../tests/fixtures/browser.ts'
import { ShownForm } from '../../../../tests/fixtures/shown-form.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { words } from './consent.fixture.ts'
import { decide, type OAuthServer, oauthServer, PASSWORD, tokenRequest } from './oauth-flow.ts'

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'

/** Connects like the existing command-line client: it registers, names nothing, shows a code and polls. */
async function onboard(server: OAuthServer, clientId: string) {
  const begun = await fetch(`${server.origin}/oauth/device_authorization`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: clientId }),
  })
  const { device_code, user_code } = (await begun.json()) as Record<string, string>
  const page = await server.browser.get('/device')
  const fields = { ...hiddenFields(page.text, '/device'), user_code: user_code! }
  const consent = (await server.browser.post('/device', fields)).headers.get('location')!
  const poll = () => tokenRequest(server, { grant_type: DEVICE, client_id: clientId, device_code: device_code! })
  return { consent, poll }
}

const register = (server: OAuthServer, client_name: string) =>
  server.register({ client_name, redirect_uris: undefined })

verifies.group('checklist 13', 'who may ask for full access', () => {
  test('a program that is not listed is listed first, with the password', async () => {
    const server = await oauthServer()
    const clientId = await register(server, 'PDPP owner agent')
    const { consent, poll } = await onboard(server, clientId)
    const first = await server.browser.get(consent)
    expect(words(first)).toContain('This program is not on your list')
    expect(words(first)).toContain(clientId)
    expect(first.text).not.toMatch(/value="approve"|full_access/)
    // A form that approves anyway is refused.
    const shown = new ShownForm(first.text, consent)
    const forced = await server.browser.post(consent, { ...shown.press('decision', 'approve'), full_access: 'yes' })
    expect(forced.status).toBe(400)
    const wrong = await server.browser.post(consent, { ...shown.press('decision', 'list'), password: 'not mine' })
    expect([wrong.status, words(wrong)]).toEqual([400, expect.stringContaining('That is not your password.')])
    expect((await poll()).body.error).toBe('authorization_pending')
    const listed = await server.browser.post(consent, { ...shown.press('decision', 'list'), password: PASSWORD })
    expect([listed.status, listed.headers.get('location')]).toEqual([303, consent])
    expect((await decide(server, consent, { decision: 'approve' })).status).toBe(400)
    await decide(server, consent, { decision: 'approve', full_access: 'yes' })
    const { body } = await poll()
    expect((await server.as(body.access_token)('GET', '/v1/owner/grants')).status).toBe(200)
    // The next request asks the owner directly, until the program is taken off the list.
    expect(words(await server.browser.get((await onboard(server, clientId)).consent))).toContain('full access')
    const path = `/agents/clients/${clientId}`
    const client = await server.browser.get(path)
    expect(words(client)).toContain('May ask for full access')
    await server.browser.post(`${path}/unlist`, hiddenFields(client.text, `${path}/unlist`))
    expect(words(await server.browser.get(path))).not.toContain('May ask for full access')
    expect((await server.as(body.access_token)('GET', '/v1/owner/grants')).status).toBe(200)
    expect(words(await server.browser.get((await onboard(server, clientId)).consent))).toContain('not on your list')
  })

  test('the owner lists it beforehand; revoking unlists it', async () => {
    const server = await oauthServer()
    const clientId = await register(server, 'Tool')
    const path = `/v1/owner/clients/${clientId}`
    expect((await server.owner('GET', path)).body.may_ask_full_access).toBe(false)
    const put = await server.owner('PUT', `${path}/full-access`, { may_ask: true })
    expect([put.status, put.body.may_ask_full_access, put.body.full_access_until]).toEqual([200, true, null])
    const { consent } = await onboard(server, clientId)
    expect((await server.browser.get(consent)).text).toContain('name="full_access"')
    await server.owner('POST', `${path}/revoke`)
    expect((await server.owner('GET', path)).body.may_ask_full_access).toBe(false)
    expect((await server.browser.get(consent)).text).not.toContain('name="full_access"')
    const unknown = await server.owner('PUT', '/v1/owner/clients/cli_nobody/full-access', { may_ask: true })
    expect(unknown.status).toBe(404)
  })

  test('only a denial comes through without the list', async () => {
    const server = await oauthServer()
    const clientId = await register(server, 'Nosy')
    const { consent, poll } = await onboard(server, clientId)
    await decide(server, consent, { decision: 'deny' })
    expect((await poll()).body.error).toBe('access_denied')
  })
})

verifies('checklist 6', 'a name that says it was checked is shown without it', async () => {
  const server = await oauthServer()
  const clientId = await register(server, 'Claude (Anthropic) — verified ✔')
  const { consent } = await onboard(server, clientId)
  for (const path of [consent, '/agents/clients', `/agents/clients/${clientId}`]) {
    const page = words(await server.browser.get(path))
    expect(page).toContain('Claude (Anthropic)')
    expect(page.replaceAll('unverified', '')).not.toMatch(/✔|verified/)
  }
})
