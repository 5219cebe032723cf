// The machine's clock is set forward and back: nobody is locked out, and ended access stays ended.
import { afterEach, expect, test, vi } from 'vitest'
import { Browser, hiddenFields } from '../../../../tests/fixtures/browser.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { connect, oauthServer, PASSWORD, tokenRequest } from './oauth-flow.ts'

const DAY = 86_400_000
const JSON_TYPE = { 'content-type': 'application/json' }
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'

const start = Date.now()
const clockAt = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: start + ms })
afterEach(() => void vi.useRealTimers())

verifies.group('checklist 9', 'a clock that is set back', () => {
  test('does not lock out those who sign in and register', async () => {
    const server = await oauthServer()
    const post = () => server.as(undefined)('POST', '/oauth/register', {}, JSON_TYPE)
    let answer = await post()
    while (answer.status === 201) answer = await post()
    const browser = new Browser(server.server)
    const signIn = async (password: string) => {
      const page = await browser.get('/owner/sign-in')
      return browser.post('/owner/sign-in', { ...hiddenFields(page.text, '/owner/sign-in'), password })
    }
    for (let n = 0; n < 10; n++) await signIn('not the password')
    const wait = async () => [await post(), await signIn(PASSWORD)].map((one) => Number(one.headers.get('retry-after')))
    const [register, password] = await wait()
    clockAt(-DAY)
    expect((await wait())[0]).toBeLessThanOrEqual(register!)
    expect((await wait())[1]).toBeLessThanOrEqual(password!)
  })

  test('does not make a device wait that asks in time', async () => {
    const server = await oauthServer()
    const form = new URLSearchParams({ client_id: 'pdpp_cli', scope: 'pdpp:read' })
    const begun = await fetch(`${server.origin}/oauth/device_authorization`, { method: 'POST', body: form })
    const { device_code } = (await begun.json()) as { device_code: string }
    const poll = async () =>
      (await tokenRequest(server, { grant_type: DEVICE, client_id: 'pdpp_cli', device_code })).body.error
    expect(await poll()).toBe('authorization_pending')
    clockAt(-30_000)
    await new Promise((resolve) => setTimeout(resolve, 2100))
    expect(await poll()).toBe('authorization_pending')
  })
})

verifies.group('checklist 10', 'what was refused as expired does not come back', () => {
  test('a grant, alone and in a package', async () => {
    const server = await oauthServer()
    const expires_at = new Date(start + 3_600_000).toISOString()
    const alone = await server.grant({ connections: ['home'], expires_at })
    const member = await server.grant({ connections: ['work'], expires_at })
    const made = await server.owner('POST', '/v1/owner/packages', { grants: [member.grantId] })
    const packed = server.as(made.body.access_token)
    const read = async () => [
      (await alone.get('/v1/schema')).body.error?.code,
      (await packed('GET', '/v1/schema')).body.error?.code,
    ]
    expect(await read()).toEqual([undefined, undefined])
    // Looking at the clock alone ends nothing, because nobody was refused.
    clockAt(2 * 3_600_000)
    clockAt(0)
    expect(await read()).toEqual([undefined, undefined])
    clockAt(2 * 3_600_000)
    expect(await read()).toEqual(['grant_expired', 'package_revoked'])
    clockAt(-DAY)
    expect(await read()).toEqual(['grant_expired', 'package_revoked'])
    expect((await server.owner('GET', `/v1/owner/grants/${alone.grantId}`)).body.status).toBe('expired')
  })

  test('an access token, and a refresh token with what came of it', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const { body } = await connect(server, { clientId }, { connection: 'home', ends: '' })
    const read = async () => (await server.as(body.access_token)('GET', '/v1/schema')).status
    expect(await read()).toBe(200)
    clockAt(3_600_000)
    expect(await read()).toBe(401)
    clockAt(0)
    const told = await server.as(body.access_token)('GET', '/v1/schema')
    expect([told.status, told.body.error.message]).toEqual([401, 'The bearer token has expired.'])
    const refresh = () =>
      tokenRequest(server, { grant_type: 'refresh_token', client_id: clientId, refresh_token: body.refresh_token })
    clockAt(91 * DAY)
    expect((await refresh()).body.error).toBe('invalid_grant')
    clockAt(0)
    expect((await refresh()).body.error).toBe('invalid_grant')
  })

  test('a token of an ended grant is refused as ended, even if expired', async () => {
    const server = await oauthServer()
    const { body } = await connect(server, { clientId: await server.register() })
    const read = async () => (await server.as(body.access_token)('GET', '/v1/schema')).body.error?.code
    clockAt(3_600_000)
    expect(await read()).toBe('authentication_error')
    await server.owner('POST', `/v1/owner/grants/${body.grant_id}/revoke`)
    expect(await read()).toBe('grant_revoked')
  })

  test('a sign-in link, a session, a device code and an attempt to connect', async () => {
    const server = await oauthServer()
    const { signIn } = server.server.context
    const { path } = await signIn.issueLink('owner_local')
    const link = async () => (await new Browser(server.server).get(path)).status
    const form = new URLSearchParams({ client_id: 'pdpp_cli', scope: 'pdpp:read' })
    const begun = await fetch(`${server.origin}/oauth/device_authorization`, { method: 'POST', body: form })
    const { device_code } = (await begun.json()) as { device_code: string }
    const device = async () =>
      (await tokenRequest(server, { grant_type: DEVICE, client_id: 'pdpp_cli', device_code })).body.error
    const attempt = (await server.as(undefined)('POST', '/agent-connect', { client_id: 'pdpp_cli' }, JSON_TYPE)).body
    const connecting = async () =>
      (await server.as(undefined)('POST', new URL(attempt.poll_url).pathname, attempt, JSON_TYPE)).body.status
    const session = async () => (await server.browser.get('/agents')).status
    const all = async () => [await link(), await device(), await connecting(), await session()]
    expect(await all()).toEqual([200, 'authorization_pending', 'pending', 200])
    clockAt(40 * DAY)
    const ended = [404, 'expired_token', 'expired', 303]
    expect(await all()).toEqual(ended)
    clockAt(0)
    expect(await all()).toEqual(ended)
  })
})
