import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requireDeclaration } from '@pdpp/protocol'
import { OWNER, startServer } from '@pdpp/server'
import * as oauth from 'oauth4webapi'
import { expect, test } from 'vitest'
import { declaration, key, stream } from '../../../../tests/fixtures/declaration.ts'
import type { Answer } from '../../../../tests/fixtures/http.ts'
import { mailDeclaration } from '../../../../tests/fixtures/server.ts'
import { storeConfig } from '../../../../tests/fixtures/test-store.ts'
import { firstChoice } from '../../src/authorization/consent/choice.ts'
import { applyPreset } from '../../src/authorization/consent/presets.ts'
import { ask, connect, decide, type OAuthServer, oauthServer, tokenRequest } from './oauth-flow.ts'

/** Whether a request leads to a code if the owner allows everything. */
async function outcome(answer: Answer, server: OAuthServer): Promise<string> {
  const consent = answer.headers.get('location')
  if (!consent?.startsWith('/oauth/consent/')) return 'refused'
  const decided = await decide(server, consent, { decision: 'approve', connection: 'home' })
  return decided.headers.get('location')?.includes('code=') ? 'code' : 'refused'
}

const insecure = { [oauth.allowInsecureRequests]: true }

test('an independent client goes all the way', async () => {
  const server = await oauthServer()
  const issuer = new URL(server.origin)
  const as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
  )
  const redirect_uri = 'https://client.example/back'
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      as,
      { redirect_uris: [redirect_uri], client_name: 'Independent' },
      insecure,
    ),
  )
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const pushed = await oauth.processPushedAuthorizationResponse(
    as,
    client,
    await oauth.pushedAuthorizationRequest(
      as,
      client,
      oauth.None(),
      {
        redirect_uri,
        response_type: 'code',
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        resource: `${server.origin}/v1`,
      },
      insecure,
    ),
  )
  const query = new URLSearchParams({ client_id: client.client_id, request_uri: pushed.request_uri })
  const started = await server.browser.get(`/oauth/authorize?${query}`)
  const consent = started.headers.get('location')!
  const page = await server.browser.get(consent)
  expect(page.text).toContain('Independent')
  expect(page.text).toContain('client.example')
  const answer = await decide(server, consent, { decision: 'approve', connection: 'home' })
  const params = oauth.validateAuthResponse(as, client, new URL(answer.headers.get('location')!), state)
  const issued = await oauth.processAuthorizationCodeResponse(
    as,
    client,
    await oauth.authorizationCodeGrantRequest(as, client, oauth.None(), params, redirect_uri, verifier, insecure),
  )
  // A pushed request is used up after its answer.
  const again = await server.browser.get(`/oauth/authorize?${query}`)
  expect(await outcome(again, server)).toBe('refused')
  expect(issued).toMatchObject({ token_type: 'bearer', grant_id: expect.stringMatching(/^grt_/), scope: 'pdpp:read' })
  const read = (token: string) => server.as(token)('GET', '/v1/streams/messages/records')
  expect((await read(issued.access_token)).body.data).toHaveLength(5)

  const refreshed = await oauth.processRefreshTokenResponse(
    as,
    client,
    await oauth.refreshTokenGrantRequest(as, client, oauth.None(), issued.refresh_token!, insecure),
  )
  expect(refreshed.refresh_token).not.toBe(issued.refresh_token)
  expect((await read(refreshed.access_token)).status).toBe(200)

  await oauth.processRevocationResponse(
    await oauth.revocationRequest(as, client, oauth.None(), refreshed.refresh_token!, insecure),
  )
  expect((await read(refreshed.access_token)).status).toBe(401)
  expect((await read(issued.access_token)).status).toBe(401)
})

test('a client learns of a revoked grant without OAuth again', async () => {
  const server = await oauthServer()
  const { body } = await connect(server, { clientId: await server.register() })
  await server.owner('POST', `/v1/owner/grants/${body.grant_id}/revoke`)
  const refused = await server.as(body.access_token)('GET', '/v1/streams/messages/records')
  expect([refused.status, refused.body.error.code]).toEqual([403, 'grant_revoked'])
})

test('connections of several sources make one package with one token', async () => {
  const server = await oauthServer()
  await server.owner('POST', '/connectors', declaration('notes', { notes: stream({ id: key() }) }))
  await server.owner('POST', '/v1/owner/connections', { connector_key: 'notes', connection_id: 'pad' })
  const clientId = await server.register()
  const { status, body } = await connect(server, { clientId }, { connection: ['home', 'pad'] })
  expect(status).toBe(200)
  expect(body).toMatchObject({ grant_package_id: expect.stringMatching(/^pkg_/) })
  expect(body.authorization_details).toHaveLength(2)
  const schema = await server.as(body.access_token)('GET', '/v1/schema')
  expect(schema.status).toBe(200)
  const refreshed = await tokenRequest(server, {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: body.refresh_token,
  })
  expect(refreshed.body.grant_package_id).toBe(body.grant_package_id)
})

test('denied: the client is told, with state and issuer', async () => {
  const server = await oauthServer()
  const { consent } = await ask(server, { clientId: await server.register() })
  const answer = await decide(server, consent, { decision: 'deny' })
  const target = new URL(answer.headers.get('location')!)
  expect(Object.fromEntries(target.searchParams)).toMatchObject({
    error: 'access_denied',
    state: 'st4te',
    iss: server.origin,
  })
})

test('a flow that began before a restart continues after it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pdpp-restart-'))
  const config = await storeConfig(dataDir)
  const first = await startServer(config)
  const port = Number(new URL(first.url).port)
  const { clientId } = await first.context.clients.register({ redirect_uris: ['https://client.example/back'] })
  const post = (path: string, params: Record<string, string>) =>
    fetch(first.url + path, {
      method: 'POST',
      headers: { connection: 'close' },
      body: new URLSearchParams(params),
    }).then((one) => one.json() as any)
  const device = await post('/oauth/device_authorization', { client_id: clientId, scope: 'pdpp:read' })
  await first.context.storage.sources.declare(OWNER, requireDeclaration(mailDeclaration))
  await first.context.connections.create(OWNER, { connectorKey: 'mail', connectionId: 'home' })
  const uid = (await first.context.authorization.devices.open(device.user_code))!
  await first.close()

  const second = await startServer({ ...config, port })
  const { consent } = second.context.authorization
  const request = await consent.read(second.url, OWNER, uid)
  const choice = applyPreset(firstChoice(request.offer), request.offer, 'mail:everything')
  await consent.approve(second.url, OWNER, request, await consent.review(OWNER, request, choice))
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const issued = await post('/oauth/token', { grant_type, client_id: clientId, device_code: device.device_code })
  expect(issued.refresh_token).toEqual(expect.any(String))
  const rotate = { grant_type: 'refresh_token', client_id: clientId, refresh_token: issued.refresh_token }
  const before = await post('/oauth/token', rotate)
  await second.close()

  const third = await startServer({ ...config, port })
  // Within the grace period another process computes the same successor, although it has never seen it.
  expect((await post('/oauth/token', rotate)).refresh_token).toBe(before.refresh_token)
  await third.close()
  rmSync(dataDir, { recursive: true, force: true })
})
