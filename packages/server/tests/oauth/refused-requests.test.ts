// Tests where errors are sent before and after the owner has allowed an application (RFC 9700 section 4.11.2).
import { expect, test } from 'vitest'
import { Browser } from '../../../../tests/fixtures/browser.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { words } from './consent.fixture.ts'
import { ask, connect, decide, oauthServer } from './oauth-flow.ts'

const BROKEN: readonly [string, Record<string, string>, string][] = [
  ['prompt=none', { prompt: 'none' }, 'login_required'],
  ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
  ['a foreign resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
  ['wrong details', { authorization_details: '[{}]' }, 'invalid_authorization_details'],
  ['no PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
]

verifies.group('checklist 1', 'an error is not sent on to an application that the owner never let in', () => {
  test.each(BROKEN)('%s', async (_name, params, error) => {
    const server = await oauthServer()
    for (const redirectUri of [
      'https://client.example/back',
      'http://127.0.0.1:9/callback',
      'cursor://anysphere.cursor-mcp/oauth/callback',
    ]) {
      const clientId = await server.register({ redirect_uris: [redirectUri] })
      const request = { clientId, redirectUri, params }
      const anybody = await ask(server, request, new Browser(server.server))
      expect([anybody.answer.status, anybody.answer.headers.get('location')]).toEqual([400, null])
      expect(anybody.answer.text).toContain(error)
      // A visitor who is not signed in gets no link or button that leads on.
      expect(anybody.answer.text).not.toContain(`href="${redirectUri}`)
      const owner = await ask(server, request)
      expect([owner.answer.status, owner.answer.headers.get('location')]).toEqual([400, null])
      const target = /<a class="button plain" href="([^"]+)"/.exec(owner.answer.text)![1]!.replaceAll('&amp;', '&')
      expect(target.startsWith(redirectUri)).toBe(true)
      const said = new URL(target.replace('#', '?')).searchParams
      expect([said.get('error'), said.get('state'), said.get('iss')]).toEqual([error, 'st4te', server.origin])
    }
  })

  test('a program is told in JSON, and is not sent on either', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: 'https://client.example/back',
      response_type: 'code',
    })
    const response = await fetch(`${server.origin}/oauth/authorize?${query}`, { redirect: 'manual' })
    const { error } = (await response.json()) as any
    expect([response.status, response.headers.get('location'), error.code]).toEqual([400, null, 'invalid_request'])
  })

  test('an approved client is sent its errors until it is revoked', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    await connect(server, { clientId })
    const refused = () => ask(server, { clientId, params: { prompt: 'none' } }, new Browser(server.server))
    expect((await refused()).consent).toMatch(/^https:\/\/client\.example\/back\?error=login_required/)
    await server.owner('POST', `/v1/owner/clients/${clientId}/revoke`)
    expect((await refused()).answer.status).toBe(400)
  })

  test("the owner's own denial is sent to every client", async () => {
    const server = await oauthServer()
    const { consent } = await ask(server, { clientId: await server.register() })
    const denied = await decide(server, consent, { decision: 'deny' })
    expect(denied.headers.get('location')).toContain('error=access_denied')
  })

  test('somebody who signs in returns to the page and can go on', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const { answer } = await ask(server, { clientId, params: { prompt: 'none' } }, new Browser(server.server))
    const link = /href="(\/owner\/sign-in\?return_to=[^"]+)"/.exec(answer.text)![1]!
    const back = new URL(link, server.origin).searchParams.get('return_to')!
    expect(words(await server.browser.get(back))).toContain('Go back to the application')
  })
})

verifies.group('checklist 1', 'addresses that no application may name', () => {
  test('this server itself, at registration and in a request', async () => {
    const server = await oauthServer()
    const json = { 'content-type': 'application/json' }
    const own = await server.as(undefined)('POST', '/oauth/register', { redirect_uris: [`${server.origin}/x`] }, json)
    expect([own.status, own.body.error]).toEqual([400, 'invalid_redirect_uri'])
    // A client may use any port of a loopback address, except ours.
    const clientId = await server.register({ redirect_uris: ['http://127.0.0.1/x', 'http://localhost/x'] })
    for (const host of ['127.0.0.1', 'localhost']) {
      const redirectUri = `http://${host}:${new URL(server.origin).port}/x`
      const { answer } = await ask(server, { clientId, redirectUri })
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
      expect(answer.text).toContain('this server')
    }
  })

  test('a scheme that is refused now is not used any more', async () => {
    const server = await oauthServer()
    const { storage } = server.server.context
    const metadata = {
      redirect_uris: ['ms-officecmd:/x'],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    }
    const old = { clientId: 'cli_old', kind: 'dynamic', metadata, createdAt: 1, lastUsedAt: 1, freshUntil: undefined }
    await storage.clients.save(old as Parameters<typeof storage.clients.save>[0])
    const { answer } = await ask(server, { clientId: 'cli_old', redirectUri: 'ms-officecmd:/x' })
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  })
})
