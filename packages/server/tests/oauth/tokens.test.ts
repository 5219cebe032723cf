// docs/security.md says which of these proves what.
import { describe, expect, test } from 'vitest'
import { ask, codeFor, connect, oauthServer, tokenRequest } from './browser.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe('checklist 11: a token works where it was asked for', () => {
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

  test('both approved, one asked for with the code or the refresh token; more than approved is refused', async () => {
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
      const { answer } = await ask(server, { clientId: await server.register(), params: { resource } })
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

test('checklist 12: a bearer of another issuer is refused before anything is read', async () => {
  const server = await oauthServer()
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const jwt = `${part({ alg: 'none' })}.${part({ iss: 'https://other.example', aud: server.origin, sub: 'owner_local' })}.x`
  const { status, body, headers } = await server.as(jwt)('GET', '/v1/streams/messages/records')
  expect([status, body.error.code]).toEqual([401, 'authentication_error'])
  expect(headers.get('www-authenticate')).toContain('resource_metadata=')
  expect((await server.owner('GET', '/v1/owner/receipts')).body.data).toEqual([])
})

describe('introspection', () => {
  test('needs the owner, and tells what a token stands for until it stands for nothing', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const { body } = await connect(server, { clientId })
    const token = `token=${body.access_token}`
    for (const bearer of [undefined, body.access_token, 'pdpp_wrong_wrong_wrong']) {
      const refused = await server.as(bearer)('POST', '/introspect', token, FORM)
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="introspection"'])
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
  test('an access token ends alone; what is unknown or of another client is answered alike and stays', async () => {
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
