import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { connect, type OAuthServer, oauthServer, tokenRequest } from './oauth-flow.ts'

const refresh = (server: OAuthServer, clientId: string, token: string) =>
  tokenRequest(server, { grant_type: 'refresh_token', client_id: clientId, refresh_token: token })

/** One process that refreshes with the credential that it shares with others. */
const RACER = `
const [url, client_id, refresh_token] = process.argv.slice(1)
const body = new URLSearchParams({ grant_type: 'refresh_token', client_id, refresh_token })
const response = await fetch(url, { method: 'POST', body })
console.log(JSON.stringify({ status: response.status, ...(await response.json()) }))
`

async function later<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
  try {
    return await work()
  } finally {
    vi.useRealTimers()
  }
}

verifies.group('checklist 10', 'refresh tokens rotate, with a grace for those who race', () => {
  test('five processes that refresh at a time all live on, with one successor', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const { body } = await connect(server, { clientId })
    const run = promisify(execFile)
    const args = ['--input-type=module', '-e', RACER, `${server.origin}/oauth/token`, clientId, body.refresh_token]
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () =>
        JSON.parse((await run(process.execPath, args, { timeout: 30_000 })).stdout),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(answers.map(({ refresh_token }) => refresh_token)).size).toBe(1)
    for (const { access_token } of answers)
      expect((await server.as(access_token)('GET', '/v1/schema')).status).toBe(200)
  })

  test('a late racer gets the newest of the family', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const first = (await connect(server, { clientId })).body.refresh_token
    const second = (await refresh(server, clientId, first)).body.refresh_token
    const third = (await refresh(server, clientId, second)).body.refresh_token
    expect((await later(40, () => refresh(server, clientId, first))).body.refresh_token).toBe(third)
    expect((await refresh(server, clientId, third)).status).toBe(200)
  })

  test('a request that is refused for its resource does not use the token up', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const resource = `${server.origin}/mcp`
    const { body } = await connect(server, { clientId, params: { resource } })
    const fields = { grant_type: 'refresh_token', client_id: clientId, refresh_token: body.refresh_token }
    const refused = await tokenRequest(server, { ...fields, resource: `${server.origin}/v1` })
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_target'])
    expect((await later(60, () => tokenRequest(server, { ...fields, resource }))).status).toBe(200)
  })

  test('a used token that comes back late ends the whole family', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const { body } = await connect(server, { clientId })
    const next = (await refresh(server, clientId, body.refresh_token)).body
    const replay = await later(46, () => refresh(server, clientId, body.refresh_token))
    expect([replay.status, replay.body]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_grant', fresh_authorization_required: true }),
    ])
    for (const token of [body.access_token, next.access_token])
      expect((await server.as(token)('GET', '/v1/schema')).status).toBe(401)
    expect((await refresh(server, clientId, next.refresh_token)).body.error).toBe('invalid_grant')
    // The grant itself belongs to the owner and stays.
    expect((await server.owner('GET', `/v1/owner/grants/${body.grant_id}`)).body.status).toBe('active')
  })

  test('another client cannot use it, and does no harm by trying', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const other = await server.register()
    const { refresh_token } = (await connect(server, { clientId })).body
    expect((await refresh(server, other, refresh_token)).body.error).toBe('invalid_grant')
    expect((await refresh(server, clientId, refresh_token)).status).toBe(200)
  })

  test('it lives as long as it is used, and no longer than its grant', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const { body } = await connect(server, { clientId }, { connection: 'home', ends: '1' })
    const soon = await later(3600 * 23.9, () => refresh(server, clientId, body.refresh_token))
    expect(soon.status).toBe(200)
    expect(soon.body.expires_in).toBeLessThanOrEqual(600)
    const late = await later(3600 * 24.1, () => refresh(server, clientId, soon.body.refresh_token))
    expect(late.body).toMatchObject({ error: 'invalid_grant', fresh_authorization_required: true })
  })

  test('a paused grant keeps its connection; a narrowed one passes it on', async () => {
    const server = await oauthServer()
    const clientId = await server.register()
    const { body } = await connect(server, { clientId })
    await server.server.context.grants.pause('owner_local', body.grant_id)
    const paused = (await refresh(server, clientId, body.refresh_token)).body
    expect((await server.as(paused.access_token)('GET', '/v1/schema')).body.error.code).toBe('grant_paused')
    await server.server.context.grants.resume('owner_local', body.grant_id)
    const smaller = await server.server.context.grants.narrow('owner_local', body.grant_id, {
      streams: [{ name: 'messages' }],
    })
    const narrowed = (await refresh(server, clientId, paused.refresh_token)).body
    expect(narrowed.grant_id).toBe(smaller.grant.grant_id)
    expect(narrowed.authorization_details[0].streams).toHaveLength(1)
  })
})
