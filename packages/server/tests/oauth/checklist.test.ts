// docs/security.md says which of these proves what.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { ask, Browser, codeFor, connect, decide, oauthServer, PASSWORD, pkce, tokenRequest } from './browser.ts'

const BACK = 'https://client.example/back'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'content-type': 'application/json' }

describe('checklist 1: a code is sent to a registered address and nowhere else', () => {
  test.each([
    'https://client.example/back/',
    'https://client.example/Back',
    'https://client.example:443/back',
    'https://client.example/back?x=1',
    'https://client.example/back#f',
    'https://client.example.evil.example/back',
    'https://evil.example/back',
    'http://client.example/back',
    'https://user@client.example/back',
    'HTTPS://client.example/back',
    '',
  ])('%s', async (redirectUri) => {
    const server = await oauthServer()
    const params = { redirect_uri: redirectUri }
    const { answer } = await ask(server, { clientId: await server.register(), params })
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })
})

describe('checklist 2: PKCE with S256, always', () => {
  test.each<[string, Record<string, string>]>([
    ['plain', { code_challenge_method: 'plain' }],
    ['no challenge', { code_challenge: '' }],
    ['no method', { code_challenge_method: '' }],
    ['a short challenge', { code_challenge: 'abc' }],
  ])('%s is refused at the client', async (_name, params) => {
    const server = await oauthServer()
    const { answer } = await ask(server, { clientId: await server.register(), params })
    const target = new URL(answer.headers.get('location')!)
    expect([target.origin, target.searchParams.get('error')]).toEqual(['https://client.example', 'invalid_request'])
  })

  test('a code is worth nothing without its verifier', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const { code, verifier } = await codeFor(server, { clientId })
    const base = { grant_type: 'authorization_code', client_id: clientId, code, redirect_uri: BACK }
    for (const wrong of [{}, { code_verifier: pkce().verifier }, { code_verifier: 'x' }]) {
      const { status, body } = await tokenRequest(server, { ...base, ...wrong } as Record<string, string>)
      expect([status, body.error]).toEqual([400, expect.stringMatching(/^invalid_(grant|request)$/)])
    }
    expect((await tokenRequest(server, { ...base, code_verifier: verifier })).status).toBe(200)
  })
})

describe('checklist 3: a code works once, briefly, for its own request', () => {
  test('one of fifty at a time, and the one keeps what it got', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const { code, verifier } = await codeFor(server, { clientId })
    const params = {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      code_verifier: verifier,
      redirect_uri: BACK,
    }
    const answers = await Promise.all(Array.from({ length: 50 }, () => tokenRequest(server, params)))
    const issued = answers.filter(({ status }) => status === 200)
    expect(issued).toHaveLength(1)
    expect(new Set(answers.filter((one) => one !== issued[0]).map(({ body }) => body.error))).toEqual(
      new Set(['invalid_grant']),
    )
    const read = server.as(issued[0]!.body.access_token)
    expect((await read('GET', '/v1/schema')).status).toBe(200)
    // A replay that is no doubled request ends what the code gave (RFC 6749 section 4.1.2).
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8000 })
    try {
      expect((await tokenRequest(server, params)).body.error).toBe('invalid_grant')
      expect((await read('GET', '/v1/schema')).status).toBe(401)
      const { refresh_token } = issued[0]!.body
      const refreshed = await tokenRequest(server, { grant_type: 'refresh_token', client_id: clientId, refresh_token })
      expect(refreshed.body.error).toBe('invalid_grant')
    } finally {
      vi.useRealTimers()
    }
  })

  test('not after a minute, not for another client, address or resource', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const other = await server.register()
    const params = { resource: `${server.origin}/v1` }
    const { code, verifier } = await codeFor(server, { clientId, params })
    const base = {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      code_verifier: verifier,
      redirect_uri: BACK,
    }
    expect((await tokenRequest(server, { ...base, client_id: other })).body.error).toBe('invalid_grant')
    expect((await tokenRequest(server, { ...base, redirect_uri: `${BACK}2` })).body.error).toBe('invalid_grant')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    try {
      expect((await tokenRequest(server, base)).body.error).toBe('invalid_grant')
    } finally {
      vi.useRealTimers()
    }
    const again = await codeFor(server, { clientId, params })
    const wrong = { ...base, code: again.code, code_verifier: again.verifier, resource: `${server.origin}/mcp` }
    expect((await tokenRequest(server, wrong)).body.error).toBe('invalid_target')
  })
})

test('checklist 4: state and issuer are in the answer, for a code and for an error', async () => {
  const server = await oauthServer()
  const clientId = await server.register()
  const { target } = await codeFor(server, { clientId })
  const refused = await ask(server, { clientId, params: { response_type: 'token' } })
  const error = new URL(refused.answer.headers.get('location')!.replace('#', '?'))
  for (const { searchParams } of [target, error]) {
    expect([searchParams.get('state'), searchParams.get('iss')]).toEqual(['st4te', server.origin])
  }
  const none = await ask(server, { clientId, params: { prompt: 'none' } })
  expect(none.answer.headers.get('location')).toContain('error=')
})

describe('checklist 5: the owner decides, once, in the browser that asked', () => {
  test('who is not signed in is asked to sign in, and comes back', async () => {
    const server = await oauthServer()
    const browser = new Browser(server.origin)
    const { consent } = await ask(server, { clientId: await server.register() }, browser)
    const sent = await browser.get(consent)
    expect([sent.status, sent.headers.get('location')]).toEqual([303, expect.stringContaining('/owner/sign-in')])
    await browser.signIn(PASSWORD)
    const answer = await decide(server, consent, { decision: 'approve', connection: 'home' }, browser)
    expect(answer.headers.get('location')).toContain('code=')
  })

  test('a link to a request that somebody else started decides nothing', async () => {
    const server = await oauthServer()
    const attacker = new Browser(server.origin)
    const { consent } = await ask(server, { clientId: await server.register() }, attacker)
    expect((await server.browser.get(consent)).status).toBe(403)
    const answer = await server.browser.post(consent, { decision: 'approve', connection: 'home' })
    expect(answer.status).toBe(403)
  })

  test('a form without its token, of another session or another request is refused', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const first = await ask(server, { clientId })
    const page = await server.browser.get(first.consent)
    const fields = Browser.fields(page.text, first.consent)
    const second = await ask(server, { clientId })
    const send = (consent: string, changes: Record<string, string>, headers = {}) =>
      server.browser.post(consent, { ...fields, decision: 'approve', connection: 'home', ...changes }, headers)
    expect((await send(first.consent, { form_token: '' })).status).toBe(403)
    expect((await send(second.consent, {})).status).toBe(403)
    expect((await send(first.consent, {}, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await send(first.consent, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await send(first.consent, {})).status).toBe(303)
  })

  test('of an approval and a denial at a time one holds, and a repeated form is refused', async () => {
    const server = await oauthServer()
    const { consent } = await ask(server, { clientId: await server.register() })
    const page = await server.browser.get(consent)
    const fields = { ...Browser.fields(page.text, consent), connection: 'home' }
    const decisions = ['approve', 'deny', 'approve', 'deny']
    const answers = await Promise.all(
      decisions.map((decision) => server.browser.post(consent, { ...fields, decision })),
    )
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect((await server.browser.post(consent, { ...fields, decision: 'approve' })).status).toBe(404)
    expect((await server.owner('GET', '/v1/owner/grants')).body.data.length).toBeLessThanOrEqual(1)
  })

  test('nothing is chosen beforehand, and nothing more than was asked for can be given', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const { consent } = await ask(server, { clientId })
    expect((await server.browser.get(consent)).text).not.toMatch(/checked/)
    expect((await decide(server, consent, { decision: 'approve' })).status).toBe(400)
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

describe('checklist 9: registration is open and bounded', () => {
  test('too many, too large and malformed ones are refused', async () => {
    const server = await oauthServer()
    const post = (body: unknown, type: Record<string, string> = JSON_TYPE) =>
      server.as(undefined)('POST', '/oauth/register', body, type)
    const bad = [
      await post({ redirect_uris: ['javascript:alert(1)'] }),
      await post({ redirect_uris: Array.from({ length: 21 }, (_, n) => `https://client.example/${n}`) }),
      await post([]),
      await post('{'),
      await post({ client_name: 'x'.repeat(60_000) }),
      await post('a=b', FORM),
    ]
    expect(bad.map(({ status, body }) => [status, body.error])).toEqual([
      [400, 'invalid_redirect_uri'],
      [400, 'invalid_redirect_uri'],
      [400, 'invalid_request'],
      [400, 'invalid_request'],
      [413, 'invalid_request'],
      [400, 'invalid_request'],
    ])
    const statuses: number[] = []
    for (let n = 0; n < 125; n++) statuses.push((await post({ client_name: `c${n}` })).status)
    expect(statuses.slice(0, 110).every((status) => status === 201)).toBe(true)
    const last = await post({})
    expect([last.status, last.body.error, Number(last.headers.get('retry-after')) > 0]).toEqual([
      429,
      'slow_down',
      true,
    ])
  })

  test('what was never used goes after a week', async () => {
    const server = await oauthServer()
    const unused = await server.register()
    const used = await server.register()
    await connect(server, { clientId: used })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * 86_400_000 })
    try {
      await server.server.context.clients.sweep()
    } finally {
      vi.useRealTimers()
    }
    const shown = await server.owner('GET', '/v1/owner/clients')
    expect(shown.body.data.map((one: any) => one.client_id)).toEqual([used])
    expect((await server.owner('GET', `/v1/owner/clients/${unused}`)).status).toBe(404)
  })
})

describe('checklist 10: tokens at rest and on the way', () => {
  test('no answer with a token may be kept, and no secret of a flow is in the files', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const { code, verifier } = await codeFor(server, { clientId })
    const params = {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      code_verifier: verifier,
      redirect_uri: BACK,
    }
    const { body, headers } = await tokenRequest(server, params)
    expect(headers.get('cache-control')).toBe('no-store')
    const failed = await tokenRequest(server, params)
    expect(failed.headers.get('cache-control')).toBe('no-store')
    const device = await fetch(`${server.origin}/oauth/device_authorization`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: clientId, scope: 'pdpp:read' }),
    })
    const started = (await device.json()) as any
    const attempt = await server.as(undefined)('POST', '/agent-connect', {}, JSON_TYPE)
    const { consent } = await ask(server, { clientId })
    const secrets = {
      access: body.access_token,
      refresh: body.refresh_token,
      code,
      verifier,
      device: started.device_code,
      user: started.user_code.replace('-', ''),
      polling: attempt.body.polling_code,
      interaction: consent.split('/').at(-1)!,
    }
    const { dataDir } = server.server.context.config
    const files = readdirSync(dataDir).map((name) => readFileSync(join(dataDir, name)).toString('latin1'))
    expect(files.length).toBeGreaterThan(2)
    const found = Object.entries(secrets).filter(([, secret]) => files.some((text) => text.includes(secret)))
    expect(found).toEqual([])
    // The files were read right: what is no secret is found in them.
    expect(files.some((text) => text.includes(clientId))).toBe(true)
  })
})

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

describe('checklist 20: errors show nothing of the inside', () => {
  const odd = ['\u0000', '"\\', '💥'.repeat(50), "' or 1=1 --", '../../etc/passwd', '<script>', 'ü', '%00', '{"a":']
  const INSIDE = /SQLITE|select |insert |node_modules|\.ts:|at async|\/tmp\/|better-sqlite|TypeError/i

  test.each(odd)('%j in every parameter', async (text) => {
    const server = await oauthServer()
    const clientId = await server.register()
    const token = await tokenRequest(server, {
      grant_type: 'authorization_code',
      client_id: text,
      code: text,
      code_verifier: text,
      redirect_uri: text,
      resource: text,
    })
    const refresh = await tokenRequest(server, {
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: text,
    })
    const grant = await tokenRequest(server, { grant_type: text, client_id: clientId })
    const details = await tokenRequest(server, {
      grant_type: 'refresh_token',
      client_id: clientId,
      authorization_details: text,
    })
    for (const { status, body, text: shown } of [token, refresh, grant, details]) {
      expect([400, 401]).toContain(status)
      expect(body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/)
      expect(shown).not.toMatch(INSIDE)
    }
    for (const params of [{ client_id: text }, { scope: text }, { authorization_details: text }, { resource: text }]) {
      const { answer } = await ask(server, { clientId, params: params as Record<string, string> })
      expect(answer.status).toBeLessThan(500)
      expect(answer.text).not.toMatch(INSIDE)
    }
    const posts = await Promise.all([
      server.as(undefined)('POST', '/agent-connect', { client_id: text, client_name: text }, JSON_TYPE),
      server.as(undefined)('POST', '/oauth/register', { redirect_uris: [text] }, JSON_TYPE),
      server.as(undefined)('POST', '/oauth/par', { client_id: clientId, authorization_details: text }, JSON_TYPE),
      server.as(undefined)(
        'POST',
        `/agent-connect/${encodeURIComponent(text)}/token`,
        { polling_code: text },
        JSON_TYPE,
      ),
    ])
    for (const { status, text: shown } of posts) {
      expect(status).toBeLessThan(500)
      expect(shown).not.toMatch(INSIDE)
    }
  })
})
