// RFC 9126: a pushed request opens once. RFC 6749 section 4.1.2: what happens to a code that is used again.
import { afterEach, expect, test, vi } from 'vitest'
import { Browser } from '../../../../tests/fixtures/browser.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { codeFor, decide, type OAuthServer, oauthServer, PASSWORD, pkce, tokenRequest } from './oauth-flow.ts'

const BACK = 'https://client.example/back'
afterEach(() => void vi.useRealTimers())

async function push(server: OAuthServer, clientId: string) {
  const { verifier, challenge } = pkce()
  const response = await fetch(`${server.origin}/oauth/par`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: clientId,
      redirect_uri: BACK,
      response_type: 'code',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }),
  })
  const { request_uri } = (await response.json()) as { request_uri: string }
  return { path: `/oauth/authorize?${new URLSearchParams({ client_id: clientId, request_uri })}`, verifier }
}

async function otherBrowser(server: OAuthServer): Promise<Browser> {
  const browser = new Browser(server.server)
  await browser.signIn(PASSWORD)
  return browser
}

verifies.group('checklist 3', 'a pushed request opens once', () => {
  test('another browser is refused; the same one goes on to a code', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const { path, verifier } = await push(server, clientId)
    const first = await server.browser.get(path)
    const consent = first.headers.get('location')!
    expect([first.status, consent]).toEqual([303, expect.stringMatching(/^\/oauth\/consent\//)])
    const other = await (await otherBrowser(server)).get(path)
    expect([other.status, other.headers.get('location')]).toEqual([400, null])
    expect(other.text).toContain('opened only once')
    // Two requests open in one browser do not disturb each other, and a request can be reloaded after a minute.
    await server.browser.get((await push(server, clientId)).path)
    const again = await server.browser.get(path)
    expect([again.status, again.headers.get('location')]).toEqual([303, consent])
    const answer = await decide(server, consent, { decision: 'approve', connection: 'home' })
    const code = new URL(answer.headers.get('location')!).searchParams.get('code')!
    const params = { client_id: clientId, code, code_verifier: verifier, redirect_uri: BACK }
    expect((await tokenRequest(server, { grant_type: 'authorization_code', ...params })).status).toBe(200)
    // A decided request says that it is decided.
    expect((await server.browser.get((await server.browser.get(path)).headers.get('location')!)).status).toBe(409)
  })

  test('of twenty at the same moment one opens it', async () => {
    const server = await oauthServer()
    const { path } = await push(server, await server.register())
    const answers = await Promise.all(Array.from({ length: 20 }, () => new Browser(server.server).get(path)))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19)
  })

  test('another client does not use it up', async () => {
    const server = await oauthServer()
    const { path } = await push(server, await server.register())
    const foreign = new URL(path, server.origin)
    foreign.searchParams.set('client_id', await server.register())
    expect((await server.browser.get(foreign.pathname + foreign.search)).status).toBe(400)
    expect((await server.browser.get(path)).status).toBe(303)
  })
})

verifies.group('checklist 3', 'a code that comes again', () => {
  async function replayedAfter(ms: number) {
    const server = await oauthServer()
    const clientId = await server.register()
    const { code, verifier } = await codeFor(server, { clientId })
    const start = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: start })
    const params = {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      code_verifier: verifier,
      redirect_uri: BACK,
    }
    const { body } = await tokenRequest(server, params)
    vi.setSystemTime(start + ms)
    const replay = await tokenRequest(server, params)
    return [replay.body.error, (await server.as(body.access_token)('GET', '/v1/schema')).status]
  }

  test('within five seconds it is a doubled request and changes nothing', async () => {
    expect(await replayedAfter(4900)).toEqual(['invalid_grant', 200])
  })

  test('later it was copied: what the code gave ends', async () => {
    expect(await replayedAfter(5100)).toEqual(['invalid_grant', 401])
  })
})
