// Clients without a browser: the device flow, and the connect algorithm of the existing command-line client.
import { describe, expect, test, vi } from 'vitest'
import { hiddenFields } from '../../../../tests/fixtures/browser.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { decide, type OAuthServer, oauthServer, tokenRequest } from './oauth-flow.ts'

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'

async function startDevice(server: OAuthServer, params: Record<string, string>) {
  const response = await fetch(`${server.origin}/oauth/device_authorization`, {
    method: 'POST',
    body: new URLSearchParams(params),
  })
  return { status: response.status, body: (await response.json()) as any }
}

async function enter(server: OAuthServer, userCode: string) {
  const page = await server.browser.get('/device')
  return server.browser.post('/device', { ...hiddenFields(page.text, '/device'), user_code: userCode })
}

const poll = (server: OAuthServer, clientId: string, deviceCode: string) =>
  tokenRequest(server, { grant_type: DEVICE, client_id: clientId, device_code: deviceCode })

describe('device flow', () => {
  verifies('checklist 13', 'a device gets a token for what the owner chose, once', async () => {
    const server = await oauthServer()
    const clientId = await server.register({ redirect_uris: undefined })
    const { body } = await startDevice(server, { client_id: clientId, resource: `${server.origin}/v1` })
    expect(body).toMatchObject({
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${server.origin}/device`,
      interval: 2,
      interval_ms: 2000,
    })
    expect((await poll(server, clientId, body.device_code)).body.error).toBe('authorization_pending')
    const entered = await enter(server, body.user_code.toLowerCase().replace('-', ' '))
    const consent = entered.headers.get('location')!
    const page = await server.browser.get(consent)
    expect(page.text).toContain('127.0.0.1')
    expect(page.text).toContain(body.user_code)
    expect(page.text).toContain('Go on only if you started this yourself')
    await decide(server, consent, { decision: 'approve', connection: 'home' })
    const answers = await Promise.all(Array.from({ length: 10 }, () => poll(server, clientId, body.device_code)))
    const issued = answers.filter(({ status }) => status === 200)
    expect(issued).toHaveLength(1)
    const token = issued[0]!.body.access_token
    expect((await server.as(token)('GET', '/v1/streams/messages/records')).body.data).toHaveLength(5)
  })

  verifies('checklist 13', 'asking too soon slows down; a denial and an expiry are told', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const first = await startDevice(server, { client_id: clientId, scope: 'pdpp:read' })
    await poll(server, clientId, first.body.device_code)
    const hasty = await poll(server, clientId, first.body.device_code)
    expect(hasty.body).toMatchObject({ error: 'slow_down', interval: 7 })
    const consent = (await enter(server, first.body.user_code)).headers.get('location')!
    await decide(server, consent, { decision: 'deny' })
    expect((await poll(server, clientId, first.body.device_code)).body.error).toBe('access_denied')
    const second = await startDevice(server, { client_id: clientId, scope: 'pdpp:read' })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 })
    try {
      expect((await poll(server, clientId, second.body.device_code)).body.error).toBe('expired_token')
      expect((await enter(server, second.body.user_code)).status).toBe(404)
    } finally {
      vi.useRealTimers()
    }
  })

  verifies('checklist 13', 'codes cannot be guessed, and a link decides nothing', async () => {
    const server = await oauthServer()
    const prefilled = await server.browser.get('/device?user_code=BCDF-GHJK')
    expect(prefilled.text).toContain('value="BCDF-GHJK"')
    // Only the script of the frame, which sends nothing.
    expect(prefilled.text.split('<script').length - 1).toBe(1)
    expect(prefilled.text).toContain('<script src="/assets/frame.js')
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) statuses.push((await enter(server, `BBBB-BB${String.fromCharCode(66 + n)}B`)).status)
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(404))
    expect(statuses.slice(10)).toEqual([429, 429])
  })

  test('the owner profile is named plainly and never given for /mcp', async () => {
    const server = await oauthServer()
    const { body } = await startDevice(server, { client_id: 'pdpp_cli' })
    const consent = (await enter(server, body.user_code)).headers.get('location')!
    expect((await server.browser.get(consent)).text).toContain('full access')
    expect((await decide(server, consent, { decision: 'approve' })).status).toBe(400)
    await decide(server, consent, { decision: 'approve', full_access: 'yes' })
    const issued = await poll(server, 'pdpp_cli', body.device_code)
    expect(issued.body).not.toHaveProperty('grant_id')
    expect(issued.body).not.toHaveProperty('refresh_token')
    expect((await server.as(issued.body.access_token)('GET', '/v1/owner/grants')).status).toBe(200)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const told = await server.owner('POST', '/introspect', `token=${issued.body.access_token}`, form)
    expect(told.body).toMatchObject({ active: true, pdpp_token_kind: 'owner', aud: [`${server.origin}/v1`] })
    // The owner sees who has full access, and can end it on the same page.
    const listed = await server.owner('GET', '/v1/owner/clients/pdpp_cli')
    expect(Date.parse(listed.body.full_access_until)).toBeGreaterThan(Date.now() + 364 * 86_400_000)
    expect((await server.browser.get('/agents')).text).toMatch(
      /everything that you can[\s\S]*PDPP CLI[\s\S]*full access/,
    )
    expect((await server.browser.get('/')).text).toContain('can do everything that you can')
    const client = await server.browser.get('/agents/clients/pdpp_cli')
    expect(client.text).toContain('full access')
    const end = '/agents/clients/pdpp_cli/end'
    expect((await server.browser.post(end, hiddenFields(client.text, end))).status).toBe(303)
    for (const path of ['/agents', '/agents/clients/pdpp_cli'])
      expect((await server.browser.get(path)).text).not.toContain('full access')
    expect((await server.as(issued.body.access_token)('GET', '/v1/owner/grants')).status).toBe(401)
  })
})

describe('agent-connect', () => {
  const json = { 'content-type': 'application/json' }

  test('the existing command-line client connects, step by step (contract 14)', async () => {
    const server = await oauthServer()
    const call = server.as(undefined)
    // (2) the resource is the address that was typed, and no owner token is asked for
    const resource = await call('GET', '/.well-known/oauth-protected-resource')
    expect(resource.body.resource).toBe(server.origin)
    expect(resource.body.pdpp_agent_discovery?.cli?.no_owner_token).not.toBe(false)
    // (3) issuer and (4) endpoint
    const metadata = await call('GET', '/.well-known/oauth-authorization-server')
    expect([metadata.body.issuer, resource.body.authorization_servers[0]]).toEqual([server.origin, server.origin])
    expect(metadata.body.pdpp_registration_modes_supported).toContain('dynamic')
    // (5) registration
    const client = { client_name: 'PDPP CLI', token_endpoint_auth_method: 'none' }
    const registered = await call('POST', new URL(metadata.body.registration_endpoint).pathname, client, json)
    expect(registered.status).toBe(201)
    // (6) start
    const started = await call(
      'POST',
      new URL(metadata.body.agent_connect_endpoint).pathname,
      {
        resource: server.origin,
        scope: 'pdpp:read',
        client_name: 'PDPP CLI',
        client_id: registered.body.client_id,
      },
      json,
    )
    expect(started.status).toBe(201)
    expect(started.body).toMatchObject({ interval_ms: 2000, status: 'pending', object: 'agent_connect_attempt' })
    // (7) poll
    const pollPath = new URL(started.body.poll_url).pathname
    const poll = () => call('POST', pollPath, { polling_code: started.body.polling_code }, json)
    const pending = await poll()
    expect([pending.status, pending.body.status, pending.body.error]).toEqual([202, 'pending', 'authorization_pending'])
    const consent = new URL(started.body.approval_url).pathname
    await decide(server, consent, { decision: 'approve', connection: 'work', ends: '' })
    const approved = await poll()
    expect([approved.status, approved.body.status]).toEqual([200, 'approved'])
    expect(approved.body.grant.grant_id).toBe(approved.body.grant_id)
    // The answer may be lost. A second request gets the same one.
    expect((await poll()).body.access_token).toBe(approved.body.access_token)
    // (8) the token reads the schema; it cannot refresh, so it lasts
    expect((await server.as(approved.body.access_token)('GET', '/v1/schema')).status).toBe(200)
    expect(approved.body).not.toHaveProperty('refresh_token')
    expect(approved.body).not.toHaveProperty('expires_in')
    const wrong = await call('POST', pollPath, { polling_code: 'agc_poll_wrong' }, json)
    expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_grant'])
  })

  test('a client that can refresh gets a short token, the same per poll', async () => {
    const server = await oauthServer()
    const call = server.as(undefined)
    const start = { client_id: 'pdpp_cli', resource: server.origin }
    const { body } = await call('POST', '/agent-connect', start, json)
    await decide(server, new URL(body.approval_url).pathname, { decision: 'approve', connection: 'home' })
    const path = new URL(body.poll_url).pathname
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call('POST', path, { polling_code: body.polling_code }, json)),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(answers.map(({ body: { access_token } }) => access_token)).size).toBe(1)
    const { refresh_token, expires_in } = answers[0]!.body
    expect(expires_in).toBeLessThanOrEqual(600)
    const refreshed = await tokenRequest(server, { grant_type: 'refresh_token', client_id: 'pdpp_cli', refresh_token })
    expect(refreshed.status).toBe(200)
  })

  test('a staged request is granted as it was staged', async () => {
    const server = await oauthServer()
    const call = server.as(undefined)
    const clientId = await server.register()
    const authorization_details = [
      {
        type: 'https://pdpp.dev/data-access',
        source: { id: 'https://tests.example/mail' },
        purpose_code: 'https://pdpp.dev/purpose/research',
        access_mode: 'continuous',
        streams: [{ name: 'labels' }],
      },
    ]
    const staged = await call('POST', '/oauth/par', { client_id: clientId, authorization_details }, json)
    expect([staged.status, staged.body.request_uri]).toEqual([201, expect.stringMatching(/^urn:pdpp:pending-consent:/)])
    const { request_uri } = staged.body
    const foreign = await call('POST', '/agent-connect', { request_uri, client_id: 'pdpp_cli' }, json)
    expect(foreign.status).toBe(400)
    const started = await call('POST', '/agent-connect', { request_uri, client_id: clientId }, json)
    const path = new URL(started.body.poll_url).pathname
    await decide(server, new URL(started.body.approval_url).pathname, { decision: 'approve' })
    const { body } = await call('POST', path, { polling_code: started.body.polling_code }, json)
    expect(body.grant.streams.map(({ name }: { name: string }) => name)).toEqual(['labels'])

    const other = await call('POST', '/agent-connect', { client_name: 'Nosy' }, json)
    await decide(server, new URL(other.body.approval_url).pathname, { decision: 'deny' })
    const denied = await call('POST', new URL(other.body.poll_url).pathname, other.body, json)
    expect([denied.status, denied.body.error]).toEqual([403, 'access_denied'])
  })

  test('a request that ended before it was fetched is reported as ended', async () => {
    const server = await oauthServer()
    const call = server.as(undefined)
    const { body } = await call('POST', '/agent-connect', { client_id: 'pdpp_cli' }, json)
    const consent = new URL(body.approval_url).pathname
    await decide(server, consent, { decision: 'approve', connection: 'home' })
    expect((await server.browser.get(consent)).status).toBe(409)
    const poll = () => call('POST', new URL(body.poll_url).pathname, { polling_code: body.polling_code }, json)
    const { grant_id } = (await poll()).body
    await server.owner('POST', `/v1/owner/grants/${grant_id}/revoke`)
    const ended = await poll()
    expect([ended.status, ended.body.status, ended.body.error]).toEqual([403, 'ended', 'access_denied'])
  })

  test('requests that cannot be granted are refused at the start', async () => {
    const server = await oauthServer()
    const call = server.as(undefined)
    const refused = await Promise.all([
      call('POST', '/oauth/par', { client_id: 'pdpp_cli', authorization_details: [{}] }, json),
      call('POST', '/agent-connect', { client_id: 'cli_nobody' }, json),
      call('POST', '/agent-connect', { resource: 'https://other.example' }, json),
      call('POST', '/agent-connect', [], json),
      call('POST', '/agent-connect', { request_uri: 'urn:pdpp:pending-consent:x', client_id: 'pdpp_cli' }, json),
    ])
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual([
      [400, 'invalid_authorization_details'],
      [400, 'invalid_client'],
      [400, 'invalid_request'],
      [400, 'invalid_request'],
      [400, 'invalid_request'],
    ])
  })
})
