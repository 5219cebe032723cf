// docs/security.md says which of these proves what.
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testServer } from '../../../../tests/fixtures/server.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { ask, codeFor, connect, oauthServer, tokenRequest } from './oauth-flow.ts'

interface Slow {
  readonly status: number
  readonly text: string
  readonly ms: number
}

/** Sent before all other tests, because its limit is ten seconds. */
const slow = { answer: Promise.resolve<Slow>({ status: 0, text: '', ms: 0 }), end: async () => {} }
beforeAll(async () => {
  const atEnd = (end: () => Promise<void>) => {
    slow.end = end
  }
  const { server } = await testServer({}, {}, { atEnd })
  slow.answer = sendHalfABody(server.url)
})
afterAll(() => slow.end())

function sendHalfABody(url: string): Promise<Slow> {
  const { hostname, port } = new URL(url)
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '100' }
  const started = Date.now()
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path: '/oauth/token', method: 'POST', headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part) => (text += part))
      answer.on('end', () => resolve({ status: answer.statusCode!, text, ms: Date.now() - started }))
    })
    sent.on('error', reject).write('grant')
  })
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

verifies.group('checklist 11', 'a token works where it was asked for', () => {
  test.each<[string, string[], number]>([
    ['/mcp', ['/mcp'], 401],
    ['/mcp/ with a slash', ['/mcp/'], 401],
    ['/v1', ['/v1'], 200],
    ['the whole origin', [''], 200],
    ['both', ['/mcp', '/v1'], 200],
    ['nothing', [], 200],
  ])('asked for %s', async (_name, paths, status) => {
    const server = await oauthServer()
    const clientId = await server.register()
    const resource = paths.map((path) => server.origin + path)
    const { body } = await connect(server, { clientId, params: { resource } })
    expect((await server.as(body.access_token)('GET', '/v1/schema')).status).toBe(status)
    const told = await server.owner('POST', '/introspect', `token=${body.access_token}`, FORM)
    const places = paths.length === 0 || paths.length === 2 ? ['mcp', 'v1'] : status === 200 ? ['v1'] : ['mcp']
    expect(told.body.aud).toEqual(places.map((place) => `${server.origin}/${place}`))
  })

  test('a token works at /mcp or at /mcp/developer, not at both', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    }
    const places = ['/mcp', '/mcp/developer']
    const statuses = async (token: string) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json' }
      const posted = places.map((path) => server.as(token)('POST', path, JSON.stringify(initialize), headers))
      return (await Promise.all(posted)).map(({ status }) => status)
    }
    const tokenFor = async (...paths: string[]): Promise<string> => {
      const resource = paths.map((path) => server.origin + path)
      return (await connect(server, { clientId, params: { resource } })).body.access_token
    }
    expect(await statuses(await tokenFor('/mcp'))).toEqual([200, 401])
    expect(await statuses(await tokenFor('/mcp/developer'))).toEqual([401, 200])
    expect(await statuses(await tokenFor(...places))).toEqual([200, 200])
    expect(await statuses(await tokenFor())).toEqual([200, 401])
    // The owner's token is refused for being the owner's, for any audience.
    for (const audience of [['v1'], ['mcp', 'v1']] as const) {
      const bearer = `pdpp_owner_of_${audience.join('_')}_only`
      const owner = { subjectId: 'owner_local', kind: 'owner', audience, expiresAt: undefined } as const
      const nobody = { clientId: undefined, grantId: undefined, packageId: undefined }
      await server.server.context.tokens.record(bearer, { ...owner, ...nobody })
      expect(await statuses(bearer)).toEqual([403, 403])
    }
  })

  test('a token is for a part of what was approved, never for more', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const { body } = await connect(server, { clientId })
    const refresh = (token: string, path: string) =>
      tokenRequest(server, {
        grant_type: 'refresh_token',
        client_id: clientId,
        refresh_token: token,
        resource: server.origin + path,
      })
    const forMcp = await refresh(body.refresh_token, '/mcp')
    expect((await server.as(forMcp.body.access_token)('GET', '/v1/schema')).status).toBe(401)
    const { body: narrow } = await connect(server, { clientId, params: { resource: `${server.origin}/mcp` } })
    expect((await refresh(narrow.refresh_token, '/v1')).body.error).toBe('invalid_target')
  })

  test.each(['https://other.example/mcp', 'mcp', '/mcp', 'http://127.0.0.1/other'])(
    '%s is no place of ours',
    async (resource) => {
      const server = await oauthServer()
      const clientId = await server.register()
      await connect(server, { clientId })
      const { answer } = await ask(server, { clientId, params: { resource } })
      expect(new URL(answer.headers.get('location')!).searchParams.get('error')).toBe('invalid_target')
    },
  )

  test('codes, device codes, refresh tokens and cookies are no bearers', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const { body } = await connect(server, { clientId })
    const { code } = await codeFor(server, { clientId })
    const cookie = server.browser.cookies().match(/pdpp_session=([^;]+)/)?.[1]
    const attempts = [body.refresh_token, code, cookie, `${body.access_token}x`]
    const statuses = await Promise.all(attempts.map(async (one) => (await server.as(one)('GET', '/v1/schema')).status))
    expect(statuses).toEqual([401, 401, 401, 401])
    const response = await fetch(`${server.origin}/v1/owner/grants`, { headers: { cookie: server.browser.cookies() } })
    expect(response.status).toBe(401)
  })
})

verifies('checklist 12', 'a bearer of another issuer is refused before anything is read', async () => {
  const server = await oauthServer()
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const jwt = `${part({ alg: 'none' })}.${part({ iss: 'https://other.example', aud: server.origin, sub: 'owner_local' })}.x`
  const { status, body, headers } = await server.as(jwt)('GET', '/v1/streams/messages/records')
  expect([status, body.error.code]).toEqual([401, 'authentication_error'])
  expect(headers.get('www-authenticate')).toContain('resource_metadata=')
  expect((await server.owner('GET', '/v1/owner/receipts')).body.data).toEqual([])
})

describe('introspection', () => {
  test('needs the owner, and describes a token while it is valid', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const { body } = await connect(server, { clientId })
    const token = `token=${body.access_token}`
    for (const bearer of [undefined, body.access_token, 'pdpp_wrong_wrong_wrong']) {
      const refused = await server.as(bearer)('POST', '/introspect', token, FORM)
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="introspection"'])
      expect(refused.body.error).toBe('invalid_client')
    }
    const told = await server.owner('POST', '/introspect', token, FORM)
    expect(told.body).toMatchObject({
      active: true,
      pdpp_token_kind: 'client',
      client_id: clientId,
      grant_id: body.grant_id,
      iss: server.origin,
      authorization_details: [{ streams: [{ name: 'messages' }, { name: 'labels' }] }],
      pdpp: { context_kind: 'oauth_rar_0_1' },
    })
    await server.owner('POST', `/v1/owner/grants/${body.grant_id}/revoke`)
    const after = await server.owner('POST', '/introspect', token, FORM)
    expect(after.body).toMatchObject({ active: false, inactive_reason: 'grant_revoked' })
    const unknown = await server.owner('POST', '/introspect', 'token=nothing', FORM)
    expect(unknown.body).toEqual({ active: false })
  })
})

describe('revocation (RFC 7009)', () => {
  test('an access token ends alone, and foreign ones stay', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const other = await server.register()
    const { body } = await connect(server, { clientId })
    const revoke = (token: string, client: string) =>
      server.as(undefined)('POST', '/oauth/revoke', new URLSearchParams({ token, client_id: client }).toString(), FORM)
    const read = async () => (await server.as(body.access_token)('GET', '/v1/schema')).status
    expect((await revoke(body.access_token, other)).status).toBe(200)
    expect((await revoke(body.refresh_token, other)).status).toBe(200)
    expect((await revoke('nothing', other)).status).toBe(200)
    expect(await read()).toBe(200)
    expect((await revoke(body.access_token, clientId)).status).toBe(200)
    expect(await read()).toBe(401)
    const { refresh_token } = body
    const refreshed = await tokenRequest(server, { grant_type: 'refresh_token', client_id: clientId, refresh_token })
    expect(refreshed.status).toBe(200)
  })

  test('a token made by hand, which has no end of its own, ends as well', async () => {
    const server = await oauthServer()
    const { token } = await server.grant({ connections: ['home'] })
    const { tokens } = server.server.context
    expect((await tokens.find(token))?.token.expiresAt).toBeUndefined()
    const read = () => server.as(token)('GET', '/v1/schema')
    expect((await read()).status).toBe(200)
    await tokens.revoke(token)
    expect(await read()).toMatchObject({ status: 401, body: { error: { code: 'authentication_error' } } })
  })
})

test('the owner ends all that a client holds, and its tokens are told so', async () => {
  const server = await oauthServer()
  const clientId = await server.register()
  const { body } = await connect(server, { clientId })
  const shown = await server.owner('GET', `/v1/owner/clients/${clientId}`)
  expect(shown.body).toMatchObject({
    kind: 'dynamic',
    active_grants: 1,
    verified_host: null,
    client_name: 'Test client',
  })
  const ended = await server.owner('POST', `/v1/owner/clients/${clientId}/revoke`)
  expect(ended.body).toMatchObject({ revoked: true, grants: [body.grant_id] })
  const refused = await server.as(body.access_token)('GET', '/v1/schema')
  expect([refused.status, refused.body.error.code]).toEqual([403, 'grant_revoked'])
  const { refresh_token } = body
  const refreshed = await tokenRequest(server, { grant_type: 'refresh_token', client_id: clientId, refresh_token })
  expect(refreshed.body).toMatchObject({ error: 'invalid_grant', fresh_authorization_required: true })
})

test('an approval without its grant allows nothing, whatever is missing', async () => {
  const server = await oauthServer()
  const clientId = await server.register()
  const { storage } = server.server.context
  const approval = {
    subjectId: 'owner_local',
    clientId,
    audiences: ['v1'] as const,
    singleUse: false,
    createdAt: Date.now(),
  }
  const missing = { grantId: undefined, packageId: undefined, expiresAt: undefined, revokedAt: undefined }
  for (const kind of ['grant', 'package'] as const) {
    await storage.authorizations.create({ ...approval, ...missing, authorizationId: `ath_${kind}`, kind })
    const hash = createHash('sha256').update(`rt_${kind}`).digest()
    const times = { createdAt: Date.now(), expiresAt: Date.now() + 60_000, rotatedAt: undefined }
    await storage.authorizations.createRefreshToken({ hash, authorizationId: `ath_${kind}`, ...times })
    const params = { grant_type: 'refresh_token', client_id: clientId, refresh_token: `rt_${kind}` }
    expect((await tokenRequest(server, params)).body.error).toBe('invalid_grant')
  }
})

test('addresses that ask too often wait at every public endpoint', async () => {
  const server = await oauthServer()
  const clientId = await server.register()
  const form = (path: string, params: Record<string, string>) =>
    fetch(server.origin + path, { method: 'POST', body: new URLSearchParams(params) })
  const json = (path: string, body: unknown) =>
    fetch(server.origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const cases: [number, () => Promise<Response>][] = [
    [120, () => form('/oauth/device_authorization', { client_id: clientId, scope: 'x' })],
    [120, () => form('/oauth/par', { client_id: clientId })],
    [120, () => form('/oauth/revoke', { client_id: clientId, token: 'x' })],
    [60, () => json('/oauth/par', {})],
    [60, () => json('/agent-connect', { client_id: clientId })],
    [120, () => fetch(`${server.origin}/oauth/authorize?client_id=x`, { redirect: 'manual' })],
    [600, () => form('/oauth/token', { client_id: clientId, grant_type: 'refresh_token', refresh_token: 'x' })],
  ]
  for (const [count, send] of cases) {
    const statuses: number[] = []
    for (let sent = 0; sent < count + 5; sent += 25)
      statuses.push(...(await Promise.all(Array.from({ length: 25 }, send))).map(({ status }) => status))
    expect(statuses.filter((status) => status !== 429)).toHaveLength(count)
    const refused = await send()
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  }
})

test('a body that does not arrive is not waited for', async () => {
  const { status, text, ms } = await slow.answer
  expect([status, JSON.parse(text).error]).toEqual([503, 'temporarily_unavailable'])
  expect(ms).toBeLessThan(20_000)
})

test('a body that is too long is not read', async () => {
  const server = await oauthServer()
  const long = await fetch(`${server.origin}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x'.repeat(60_000) }),
  })
  expect([long.status, ((await long.json()) as any).error]).toEqual([413, 'invalid_request'])
})
