// Each of these is a host as it really behaves: its way to a client id, its redirect addresses, its parameters.

import { describe, expect, onTestFinished, test } from 'vitest'
import { Browser, hiddenFields } from '../../../../tests/fixtures/browser.ts'
import { mailDeclaration } from '../../../../tests/fixtures/server.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { httpsServer } from '../../src/lib/https.fixture.ts'
import { ask, codeFor, connect, decide, oauthServer, tokenRequest } from './oauth-flow.ts'

const DETAIL = {
  type: 'https://pdpp.dev/data-access',
  source: { kind: 'connector', id: 'https://tests.example/mail' },
  purpose_code: 'https://pdpp.dev/purpose/agent_context',
  access_mode: 'continuous',
  streams: [{ name: 'messages', fields: ['subject'], time_range: { since: '2026-01-01T02:00:00Z' } }],
}

test('metadata leads hosts to choose a metadata document', async () => {
  const { as, origin } = await oauthServer()
  const { body, headers } = await as(undefined)('GET', '/.well-known/oauth-authorization-server')
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  expect(body).toMatchObject({
    issuer: origin,
    authorization_endpoint: `${origin}/oauth/authorize`,
    registration_endpoint: `${origin}/oauth/register`,
    agent_connect_endpoint: `${origin}/agent-connect`,
    client_id_metadata_document_supported: true,
    token_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    authorization_details_types_supported: ['https://pdpp.dev/data-access'],
  })
  const resource = await as(undefined)('GET', '/.well-known/oauth-protected-resource')
  expect(resource.body.authorization_servers).toEqual([origin])
})

test.each(['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server/mcp', '/.well-known/x'])(
  '%s answers JSON, never a page',
  async (path) => {
    const { browser } = await oauthServer()
    const answer = await browser.get(path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, expect.stringMatching(/json/)])
  },
)

describe('a host with a metadata document (claude.ai, ChatGPT)', () => {
  async function withDocument(changes: Record<string, unknown> = {}) {
    let document: Record<string, unknown> | undefined = changes
    const site = await httpsServer((request, response) => {
      if (!document) return response.writeHead(500).end()
      const client_id = `${site.origin}${request.url}`
      const body = { client_id, client_name: 'Claude', redirect_uris: ['https://client.example/cb'], ...document }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    onTestFinished(site.close)
    const server = await oauthServer({ reach: site.reach })
    const set = (next: Record<string, unknown> | undefined) => {
      document = next
    }
    return { server, site, clientId: `${site.origin}/oauth/mcp-oauth-client-metadata`, set }
  }
  const redirectUri = 'https://client.example/cb'

  test('connects with scope and resource, and names the proved host', async () => {
    const { server, clientId, site, set } = await withDocument()
    const params = { resource: `${server.origin}/mcp`, scope: 'pdpp:read offline_access' }
    const { consent, verifier } = await ask(server, { clientId, redirectUri, params })
    const page = await server.browser.get(consent)
    expect(page.text).toContain(new URL(clientId).host)
    const answer = await decide(server, consent, { decision: 'approve', connection: 'home' })
    const code = new URL(answer.headers.get('location')!).searchParams.get('code')!
    // The vendor's site may become unreachable in between (checklist 8).
    set(undefined)
    const { status, body } = await tokenRequest(server, {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
      resource: `${server.origin}/mcp/`,
    })
    expect([status, body.refresh_token]).toEqual([200, expect.stringMatching(/./)])
    expect(site.requests).toHaveLength(1)
    const refreshed = await tokenRequest(server, {
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: body.refresh_token,
    })
    expect(refreshed.status).toBe(200)
    const known = await server.owner('GET', `/v1/owner/clients/${encodeURIComponent(clientId)}`)
    expect(known.body).toMatchObject({ kind: 'document', verified_host: new URL(clientId).host, active_grants: 1 })
    // For /mcp alone, so not at /v1 (checklist 11).
    expect((await server.as(refreshed.body.access_token)('GET', '/v1/schema')).status).toBe(401)
  })

  verifies('checklist 8', 'a document that changes in the middle does not change the code', async () => {
    const { server, clientId, set } = await withDocument()
    const { code, verifier } = await codeFor(server, { clientId, redirectUri })
    set({ redirect_uris: ['https://client.example/other'] })
    const token = (uri: string) =>
      tokenRequest(server, {
        grant_type: 'authorization_code',
        client_id: clientId,
        code,
        code_verifier: verifier,
        redirect_uri: uri,
      })
    expect((await token('https://client.example/other')).body.error).toBe('invalid_grant')
    expect((await token(redirectUri)).status).toBe(200)
  })

  verifies('checklist 7', 'an unusable document leads to one page for every reason', async () => {
    const { server, clientId, site, set } = await withDocument({ client_id: 'https://other.example/x' })
    const anybody = new Browser(server.server)
    const shown = (text: string) => text.replace(/req_\w+/g, '')
    const asked = async (browser: Browser) => {
      const { answer } = await ask(server, { clientId, redirectUri }, browser)
      return [answer.status, shown(answer.text)] as const
    }
    const first = await asked(anybody)
    set(undefined)
    expect(await asked(anybody)).toEqual(first)
    expect(first).toEqual([400, expect.stringContaining('could not be read')])
    expect(first[1]).not.toContain(new URL(clientId).hostname)
    const [status, told] = await asked(server.browser)
    expect([status, told]).toEqual([400, expect.stringContaining('answered 500')])
    set({})
    expect((await asked(server.browser))[0]).toBe(303)
    expect(site.requests.length).toBeLessThanOrEqual(5)
  })

  verifies('checklist 7', 'addresses inside the own network are never asked', async () => {
    const server = await oauthServer()
    for (const clientId of [
      'https://127.0.0.1/c',
      'https://169.254.169.254/c',
      'https://[::1]/c',
      'http://a.example/c',
    ]) {
      const { answer } = await ask(server, { clientId, redirectUri })
      expect(answer.status).toBe(400)
    }
  })
})

test('Cursor registers three addresses, one with its own scheme', async () => {
  const server = await oauthServer()
  const redirect_uris = [
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'https://www.cursor.com/agents/mcp/oauth/callback',
    'http://localhost:8787/callback',
  ]
  const answer = await server.as(undefined)(
    'POST',
    '/oauth/register',
    {
      client_name: 'Cursor',
      redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      scope: 'pdpp:read everything',
      software_version: '9',
    },
    { 'content-type': 'application/json' },
  )
  expect(answer.status).toBe(201)
  expect(answer.body).toMatchObject({ redirect_uris, token_endpoint_auth_method: 'none', client_name: 'Cursor' })
  expect(answer.body).not.toHaveProperty('client_secret')
  for (const redirectUri of redirect_uris) {
    const { body } = await connect(server, { clientId: answer.body.client_id, redirectUri })
    expect(body.access_token).toMatch(/^pdpp_/)
  }
})

verifies('checklist 1', 'a loopback address may have another port each time', async () => {
  const server = await oauthServer()
  const clientId = await server.register({ redirect_uris: ['http://127.0.0.1/callback', 'http://[::1]:1/callback'] })
  for (const redirectUri of [
    'http://127.0.0.1:33418/callback',
    'http://127.0.0.1:51000/callback',
    'http://[::1]:9/callback',
  ]) {
    const { target, code } = await codeFor(server, { clientId, redirectUri })
    expect([target.origin + target.pathname, code]).toEqual([redirectUri, expect.stringMatching(/.{20}/)])
  }
  for (const redirectUri of [
    'http://localhost:33418/callback',
    'http://127.0.0.1:33418/other',
    'http://127.0.0.1:33418/callback?x=1',
    'https://127.0.0.1:33418/callback',
    'http://127.0.0.2:33418/callback',
  ]) {
    const { answer } = await ask(server, { clientId, redirectUri })
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  }
})

test('parameters of OpenID Connect that hosts send along do no harm', async () => {
  const server = await oauthServer()
  const clientId = await server.register()
  const params = { scope: 'openid profile', nonce: 'n', max_age: '0', prompt: 'select_account', acr_values: 'x' }
  const { body } = await connect(server, { clientId, params })
  expect(body.access_token).toMatch(/^pdpp_/)
  expect(body).not.toHaveProperty('id_token')
})

describe('authorization_details', () => {
  test('come back as granted, and are what the token reads', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const params = { authorization_details: JSON.stringify([DETAIL]), resource: `${server.origin}/v1` }
    const { consent } = await ask(server, { clientId, params })
    expect((await server.browser.get(consent)).text).toContain('subject')
    const { body } = await connect(server, { clientId, params }, {})
    expect(body.authorization_details).toEqual([
      {
        ...DETAIL,
        streams: [
          {
            name: 'messages',
            instance_ids: ['home', 'work'],
            fields: ['id', 'subject', 'sent_at'],
            time_range: { since: '2026-01-01T02:00:00Z' },
          },
        ],
      },
    ])
    const read = await server.as(body.access_token)('GET', '/v1/streams/messages/records?connection_id=home')
    expect(read.body.data.map(({ data }: any) => Object.keys(data))).toEqual(
      Array.from({ length: 3 }, () => ['id', 'subject', 'sent_at']),
    )
  })

  test('of a wrong shape are refused at the client', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const authorization_details = JSON.stringify([{ ...DETAIL, streams: [{ name: 'messages', limit: 1 }] }])
    await connect(server, { clientId })
    const { answer } = await ask(server, { clientId, params: { authorization_details } })
    const target = new URL(answer.headers.get('location')!)
    expect(Object.fromEntries(target.searchParams)).toMatchObject({
      error: 'invalid_authorization_details',
      state: 'st4te',
      iss: server.origin,
    })
    const form = new URLSearchParams({ client_id: clientId, authorization_details })
    const device = await fetch(`${server.origin}/oauth/device_authorization`, { method: 'POST', body: form })
    expect([device.status, ((await device.json()) as any).error]).toEqual([400, 'invalid_authorization_details'])
  })

  test('single_use: one token, no refresh token', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const authorization_details = JSON.stringify([{ ...DETAIL, access_mode: 'single_use' }])
    const { body } = await connect(server, { clientId, params: { authorization_details } }, {})
    expect(body).not.toHaveProperty('refresh_token')
    expect(body.expires_in).toBeGreaterThan(3000)
    const grant = await server.owner('GET', `/v1/owner/grants/${body.grant_id}`)
    expect(grant.body.consumed_at).toEqual(expect.any(String))
  })

  test('a declaration that changes meanwhile has to be reviewed again', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const { consent } = await ask(server, { clientId, params: { authorization_details: JSON.stringify([DETAIL]) } })
    const page = await server.browser.get(consent)
    await server.owner('POST', '/connectors', { ...mailDeclaration, declaration_version: '2' })
    const fields = hiddenFields(page.text, consent)
    const answer = await server.browser.post(consent, { ...fields, decision: 'approve' })
    expect(answer.status).toBe(409)
    expect(answer.text).toContain('changed while you looked at this page')
    expect((await decide(server, consent, { decision: 'approve' })).status).toBe(303)
  })
})
