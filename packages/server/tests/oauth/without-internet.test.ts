// A client whose metadata document cannot be fetched, as Claude Code and Codex are where the server has no internet.
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Browser } from '../../../../tests/fixtures/browser.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import type { AllowedHosts } from '../../src/lib/guarded-fetch.ts'
import { httpsServer } from '../../src/lib/https.fixture.ts'
import { words } from './consent.fixture.ts'
import { ask, codeFor, connect, decide, type OAuthServer, oauthServer, tokenRequest } from './oauth-flow.ts'

const LOOPBACK = 'http://localhost:33418/callback'
const MCP = 'http://127.0.0.1:1/callback'

const failing = (code: string): AllowedHosts => ({
  resolve: async () => {
    throw Object.assign(new Error(code), { code })
  },
  isAllowed: () => true,
})

/** A port where nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

const local: AllowedHosts = { resolve: async () => ['127.0.0.1'], isAllowed: () => true }

/** A site whose document can be read or not. */
async function site() {
  let up = false
  const made = await httpsServer((request, response) => {
    if (!up) return request.socket.destroy()
    const client_id = `${made.origin}${request.url}`
    const redirect_uris = ['http://localhost/callback', 'http://127.0.0.1/callback']
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ client_id, client_name: 'Claude Code', redirect_uris }))
  })
  onTestFinished(made.close)
  const turn = (on: boolean) => {
    up = on
  }
  return { reach: made.reach, clientId: `${made.origin}/oauth/claude-code-client-metadata`, turn }
}

const tokensFor = (server: OAuthServer, clientId: string, code: string, verifier: string, redirectUri = LOOPBACK) =>
  tokenRequest(server, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  })

verifies.group('checklist 7', 'a program on this computer goes on as a client that nobody checked', () => {
  test.each<[string, (port: number) => { reach: AllowedHosts; clientId: string }, string]>([
    [
      'name not found',
      () => ({ reach: failing('ENOTFOUND'), clientId: 'https://claude.ai/oauth/c' }),
      'could not reach claude.ai: name not found',
    ],
    [
      'refused',
      (port) => ({ reach: local, clientId: `https://claude.ai:${port}/oauth/c` }),
      'the connection was refused',
    ],
    [
      'no way',
      () => ({ reach: failing('ENETUNREACH'), clientId: 'https://claude.ai/oauth/c' }),
      'the network cannot reach it',
    ],
  ])('%s', async (_name, make, reason) => {
    const { reach, clientId } = make(await closedPort())
    const server = await oauthServer({ reach })
    const { consent, verifier } = await ask(server, { clientId, redirectUri: LOOPBACK })
    const page = words(await server.browser.get(consent))
    expect(page).toContain('A program on this computer wants to read')
    expect(page).toContain('unverified')
    expect(page).toContain(reason)
    const answer = await decide(server, consent, { decision: 'approve', connection: 'home' })
    const code = new URL(answer.headers.get('location')!).searchParams.get('code')!
    const { status, body } = await tokensFor(server, clientId, code, verifier)
    expect([status, (await server.as(body.access_token)('GET', '/v1/schema')).status]).toEqual([200, 200])
    const refreshed = await tokenRequest(server, {
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: body.refresh_token,
    })
    expect(refreshed.status).toBe(200)
    const { data } = (await server.owner('GET', '/v1/owner/clients')).body
    expect(data.map((one: any) => [one.client_id, one.kind, one.verified_host])).toEqual([
      [`unverified:${clientId}`, 'unverified', null],
    ])
    const shown = await server.browser.get(`/agents/clients/${encodeURIComponent(`unverified:${clientId}`)}`)
    expect(words(shown)).toContain('Nobody could check that')
    // It returns its token under the client id that it uses.
    const form = new URLSearchParams({ client_id: clientId, token: refreshed.body.refresh_token })
    await fetch(`${server.origin}/oauth/revoke`, { method: 'POST', body: form })
    expect((await server.as(refreshed.body.access_token)('GET', '/v1/schema')).status).toBe(401)
  })

  test('no answer in time', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await new Promise((resolve) => silent.once('listening', resolve))
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as { port: number }
    const server = await oauthServer({ reach: local })
    const { consent } = await ask(server, { clientId: `https://claude.ai:${port}/c`, redirectUri: LOOPBACK })
    expect(words(await server.browser.get(consent))).toContain(`could not reach claude.ai:${port}: no answer in time`)
  })

  test('pushed requests too', async () => {
    const server = await oauthServer({ reach: failing('ENOTFOUND') })
    const clientId = 'https://claude.ai/oauth/c'
    const pushed = await fetch(`${server.origin}/oauth/par`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: clientId,
        redirect_uri: LOOPBACK,
        response_type: 'code',
        code_challenge: 'A'.repeat(43),
        code_challenge_method: 'S256',
      }),
    })
    const { request_uri } = (await pushed.json()) as { request_uri: string }
    const query = new URLSearchParams({ client_id: clientId, request_uri })
    const opened = await server.browser.get(`/oauth/authorize?${query}`)
    expect(words(await server.browser.get(opened.headers.get('location')!))).toContain('unverified')
  })
})

verifies.group('checklist 7', 'it is never taken for the checked one', () => {
  test('later in reach: a client apart, and each keeps what it was given', async () => {
    const { reach, clientId, turn } = await site()
    const server = await oauthServer({ reach })
    const unchecked = await connect(server, { clientId, redirectUri: LOOPBACK })
    expect(unchecked.status).toBe(200)
    turn(true)
    const { consent, verifier } = await ask(server, { clientId, redirectUri: LOOPBACK })
    const page = words(await server.browser.get(consent))
    expect(page).toContain(new URL(clientId).host)
    expect(page).not.toContain('unverified')
    const answer = await decide(server, consent, { decision: 'approve', connection: 'work' })
    const code = new URL(answer.headers.get('location')!).searchParams.get('code')!
    const checked = await tokensFor(server, clientId, code, verifier)
    expect(checked.status).toBe(200)
    const { data } = (await server.owner('GET', '/v1/owner/clients')).body
    expect(data.map((one: any) => [one.client_id, one.kind, one.active_grants]).sort()).toEqual([
      [clientId, 'document', 1],
      [`unverified:${clientId}`, 'unverified', 1],
    ])
    // Ending one access does not end the other.
    await server.owner('POST', `/v1/owner/clients/${encodeURIComponent(`unverified:${clientId}`)}/revoke`)
    expect((await server.as(unchecked.body.access_token)('GET', '/v1/schema')).status).toBe(403)
    expect((await server.as(checked.body.access_token)('GET', '/v1/schema')).status).toBe(200)
  })

  test('an unchecked client cannot come in the name of a checked one', async () => {
    const { reach, clientId, turn } = await site()
    turn(true)
    const server = await oauthServer({ reach })
    await connect(server, { clientId, redirectUri: LOOPBACK })
    turn(false)
    const { clients } = server.server.context.storage
    const known = (await clients.find(clientId))!
    await clients.save({ ...known, freshUntil: 1 })
    const { consent } = await ask(server, { clientId, redirectUri: LOOPBACK })
    expect(words(await server.browser.get(consent))).toContain('unverified')
    expect(await clients.find(clientId)).toEqual({ ...known, freshUntil: 1 })
  })

  test('a code of one client is worth nothing to the other', async () => {
    const { reach, clientId, turn } = await site()
    const server = await oauthServer({ reach })
    const { code, verifier } = await codeFor(server, { clientId, redirectUri: LOOPBACK })
    const inside = `unverified:${clientId}`
    expect((await tokensFor(server, inside, code, verifier)).body.error).toBe('invalid_client')
    const { answer } = await ask(server, { clientId: inside, redirectUri: LOOPBACK })
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    turn(true)
    expect((await tokensFor(server, clientId, code, verifier)).status).toBe(200)
  })
})

verifies.group('checklist 7', 'elsewhere it cannot go on', () => {
  test('only the owner learns which address failed and why', async () => {
    const server = await oauthServer({ reach: failing('ENOTFOUND') })
    const request = { clientId: 'https://claude.ai/oauth/c', redirectUri: 'https://claude.ai/api/mcp/auth_callback' }
    const told = words((await ask(server, request)).answer)
    expect(told).toContain('could not reach claude.ai: name not found')
    expect(told).toContain('internet')
    const anybody = (await ask(server, request, new Browser(server.server))).answer
    expect(anybody.status).toBe(400)
    expect(words(anybody)).not.toMatch(/claude\.ai|not found/)
  })

  test('a loopback address does not reveal what is in reach', async () => {
    const reach: AllowedHosts = {
      resolve: async (host) => {
        if (host === 'intranet.example') return ['10.0.0.1']
        throw Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' })
      },
      isAllowed: (address) => !address.startsWith('10.'),
    }
    const server = await oauthServer({ reach })
    const anybody = new Browser(server.server)
    for (const clientId of ['https://intranet.example/c', 'https://nowhere.example/c', 'https://127.0.0.1/c']) {
      const { answer } = await ask(server, { clientId, redirectUri: MCP }, anybody)
      expect([clientId, answer.status]).toEqual([clientId, 303])
    }
    const device = await fetch(`${server.origin}/oauth/device_authorization`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'https://intranet.example/c', scope: 'pdpp:read' }),
    })
    expect([device.status, await device.json()]).toEqual([
      400,
      { error: 'invalid_client', error_description: 'The metadata document of this client could not be used.' },
    ])
  })
})
