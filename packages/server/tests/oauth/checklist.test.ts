import { expect, test, vi } from 'vitest'
import { storedTexts } from '../../../../tests/fixtures/stored-data.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { ask, codeFor, connect, oauthServer, pkce, tokenRequest } from './oauth-flow.ts'

const BACK = 'https://client.example/back'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'content-type': 'application/json' }

verifies.group('checklist 1', 'a code is sent to a registered address and nowhere else', () => {
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

verifies.group('checklist 2', 'PKCE with S256, always', () => {
  test.each<[string, Record<string, string>]>([
    ['plain', { code_challenge_method: 'plain' }],
    ['no challenge', { code_challenge: '' }],
    ['no method', { code_challenge_method: '' }],
    ['a short challenge', { code_challenge: 'abc' }],
  ])('%s is refused at the client', async (_name, params) => {
    const server = await oauthServer()
    const clientId = await server.register()
    await connect(server, { clientId })
    const { answer } = await ask(server, { clientId, params })
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

verifies.group('checklist 3', 'a code works once, briefly, for its own request', () => {
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
    // A replayed code that is not a doubled request ends everything that the code gave (RFC 6749 section 4.1.2).
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

verifies('checklist 4', 'state and issuer are in the answer, for a code and for an error', async () => {
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

verifies.group('checklist 9', 'registration is open and bounded', () => {
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

  test('a client that was never used is deleted after a week', async () => {
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

verifies.group('checklist 10', 'tokens at rest and on the way', () => {
  test('no answer with a token is cached, and no secret is in the files', async () => {
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
    const files = (await storedTexts(dataDir)).map(({ text }) => text)
    expect(files.length).toBeGreaterThan(2)
    const found = Object.entries(secrets).filter(([, secret]) => files.some((text) => text.includes(secret)))
    expect(found).toEqual([])
    // The files were read correctly, because texts that are not secret are found in them.
    expect(files.some((text) => text.includes(clientId))).toBe(true)
  })
})

verifies.group('checklist 20', 'errors show nothing of the inside', () => {
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
