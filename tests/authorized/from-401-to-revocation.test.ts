// The whole life of a connection: a real SDK client, a server in its own process, the owner in a real browser.

import { SdkHttpError } from '@modelcontextprotocol/client'
import { CredentialCache } from '@pdpp/mcp-server'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Agent, connectAgent } from '../../conformance/adapter/fixtures/agent.ts'
import { cachedCredential } from '../../conformance/adapter/fixtures/cached-credential.ts'
import { openWorld } from '../../conformance/adapter/fixtures/world.ts'
import { runPdpp } from '../fixtures/processes.ts'
import { closePages, hasBrowser, realBrowser } from '../fixtures/real-browser.ts'
import { changeStored } from '../fixtures/stored-data.ts'
import { connectWithOAuth, type OAuthAgent } from './oauth-agent.ts'
import { allow, PASSWORD } from './owner-browser.ts'

describe.runIf(hasBrowser)('checklist 18: an agent that connects through OAuth', () => {
  const world = openWorld({ PDPP_OWNER_PASSWORD: PASSWORD })
  let browser: Browser
  beforeAll(async () => {
    browser = await realBrowser()
  })
  afterAll(closePages)

  async function connected(revision: string, ...sources: string[]): Promise<OAuthAgent> {
    const agent = await connectWithOAuth(world.server.url, revision, (url, back) => allow(browser, url, sources, back))
    onTestFinished(() => agent.close())
    return agent
  }

  /** The same credential for the adapter on the user's machine, as `pdpp connect` leaves it. */
  async function onStdio(agent: OAuthAgent, revision: string): Promise<Agent> {
    const { access_token: token, refresh_token, grant_id, grant_package_id } = agent.granted
    const id = String(grant_id ?? grant_package_id)
    const url = world.server.url
    new CredentialCache(world.cacheRoot).save({
      ...cachedCredential(url, { id, token }, { refresh_token }),
      client: { client_id: agent.clientId },
    })
    const place = { server: { url }, proxy: { url }, cacheRoot: world.cacheRoot, dataDir: world.dataDir }
    const stdio = await connectAgent(`stdio ${revision}` as 'stdio 2025-11-25', place, { id, token })
    onTestFinished(() => stdio.close())
    return stdio
  }

  const owner = async (...words: string[]) => {
    const { code, stderr } = await runPdpp(['owner', ...words], { dataDir: world.dataDir })
    expect([words, code, stderr]).toEqual([words, 0, ''])
  }
  const rest = async (path: string, { tokens }: OAuthAgent) => {
    const response = await world.get(path, tokens.access_token)
    return [response.status, ((await response.json()) as any).error?.code]
  }

  test.each(['2025-11-25', '2026-07-28'])(
    'goes from a 401 to a tool call, a refresh and a revocation (%s)',
    { timeout: 90_000 },
    async (revision) => {
      const agent = await connected(revision, 'notes')
      const way = agent.exchanges.map(({ method, path, status }) => `${method} ${path} ${status}`)
      expect(way.slice(0, 5)).toEqual([
        'POST /mcp 401',
        'GET /.well-known/oauth-protected-resource/mcp 200',
        'GET /.well-known/oauth-authorization-server 200',
        'POST /oauth/register 201',
        'POST /oauth/token 200',
      ])

      expect((await agent.client.listTools()).tools).toHaveLength(6)
      const found = await agent.call('search', { query: 'kestrel' })
      const [{ id }] = found.structured.results
      expect(id).toBe('notebook/notes:bird')
      expect((await agent.call('fetch', { id })).structured).toMatchObject({ id, title: 'On the kestrel' })

      const [before, refreshedBefore] = [agent.tokens.access_token, agent.tokens.refresh_token]
      await endTokens()
      expect(await rest('/v1/schema', agent)).toEqual([401, 'authentication_error'])
      expect((await agent.call('schema')).isError).toBe(false)
      expect(agent.exchanges.filter(({ grantType }) => grantType === 'refresh_token')).toHaveLength(1)
      expect(agent.tokens.access_token).not.toBe(before)
      expect(agent.tokens.refresh_token).not.toBe(refreshedBefore)

      const stdio = await onStdio(agent, revision)
      await stdio.use('fetch', { id })
      expect(await rest('/v1/schema', agent)).toEqual([200, undefined])

      await owner('grant', 'revoke', agent.granted.grant_id)
      for (const args of [{ query: 'kestrel' }, { query: 'heron' }]) {
        const error = await agent.call('search', args).catch((thrown: unknown) => thrown)
        expect(error).toBeInstanceOf(SdkHttpError)
        expect([(error as SdkHttpError).status, String(error)]).toEqual([403, expect.stringContaining('grant_revoked')])
      }
      expect(await rest('/v1/schema', agent)).toEqual([403, 'grant_revoked'])
      expect(await stdio.refusal('fetch', { id })).toMatchObject({ code: 'grant_revoked', http_status: 403 })
      // The agent is not sent to sign in again for access that the owner revoked, and the refresh token gives nothing
      // more.
      expect(agent.exchanges.filter(({ path }) => path === '/oauth/token')).toHaveLength(2)
      expect((await refresh(agent)).error).toBe('invalid_grant')
    },
  )

  test('of a package of two sources loses one and keeps the other', {
    timeout: 90_000,
  }, async () => {
    const agent = await connected('2026-07-28', 'notes', 'chat')
    expect(agent.granted.authorization_details.map(({ source }: any) => source.id).toSorted()).toEqual([
      'https://sources.example/chat',
      'https://sources.example/notes',
    ])
    const packageId = agent.granted.grant_package_id
    const { members } = await world.owner('GET', `/v1/owner/packages/${packageId}`)
    const chat = members.find((member: any) => member.connector_key === 'chat')
    const stdio = await onStdio(agent, '2026-07-28')
    const surfaces = { hosted: agent.call, stdio: stdio.call }
    const talk = { stream: 'messages', connection_id: 'team' }
    const notes = { stream: 'notes', connection_id: 'notebook' }
    for (const call of Object.values(surfaces))
      for (const args of [talk, notes]) expect((await call('query_records', args)).isError).toBe(false)

    await owner('grant', 'revoke', chat.grant_id)
    for (const call of Object.values(surfaces)) {
      const refused = await call('query_records', talk)
      expect([refused.isError, refused.structured.error.code]).toEqual([true, 'grant_revoked'])
      expect((await call('query_records', notes)).isError).toBe(false)
      const schema = await call('schema')
      expect(schema.structured.data.meta.warnings).toEqual([
        expect.objectContaining({
          code: 'source_unavailable',
          detail: { grant_id: chat.grant_id, connector_key: 'chat', reason: 'grant_revoked' },
        }),
      ])
      expect(schema.text).toMatch(/chat.*revoked/i)
    }
    expect(await rest('/v1/streams/messages/records?connection_id=team', agent)).toEqual([403, 'grant_revoked'])
    expect(await rest('/v1/streams/notes/records?connection_id=notebook', agent)).toEqual([200, undefined])

    await owner('package', 'revoke', packageId)
    const ended = await agent.call('schema').catch((thrown: unknown) => thrown)
    expect(ended).toMatchObject({ status: 403 })
    expect((await stdio.refusal('schema')).http_status).toBe(403)
    expect((await rest('/v1/schema', agent))[0]).toBe(403)
  })

  test('connects at /mcp/developer by itself, and works only there', {
    timeout: 90_000,
  }, async () => {
    const decide = (url: URL, back: string) => allow(browser, url, ['notes'], back)
    const agent = await connectWithOAuth(world.server.url, '2026-07-28', decide, '/mcp/developer')
    onTestFinished(() => agent.close())
    const way = agent.exchanges.map(({ method, path, status }) => `${method} ${path} ${status}`)
    expect(way.slice(0, 2)).toEqual([
      'POST /mcp/developer 401',
      'GET /.well-known/oauth-protected-resource/mcp/developer 200',
    ])
    expect((await agent.client.listTools()).tools).toHaveLength(15)
    expect((await agent.call('list_streams')).text).toContain('- notes connection_id=notebook connector_key=notes')
    expect(await rest('/v1/streams', agent)).toEqual([401, 'authentication_error'])
    await owner('grant', 'revoke', agent.granted.grant_id)
    const refused = await agent.call('list_streams').catch((thrown: unknown) => thrown)
    expect([(refused as SdkHttpError).status, String(refused)]).toEqual([403, expect.stringContaining('grant_revoked')])
  })

  const refresh = async ({ clientId, tokens }: OAuthAgent): Promise<any> => {
    const body = { grant_type: 'refresh_token', client_id: clientId, refresh_token: tokens.refresh_token! }
    const response = await fetch(`${world.server.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(body) })
    return response.json()
  }

  /** Ten minutes pass, so every short-lived token of the agent has expired. */
  async function endTokens(): Promise<void> {
    const past = Date.now() - 1000
    const sql = `update token set expires_at = ${past} where kind = 'client' and authorization_id is not null`
    await changeStored(world.dataDir, 'pdpp.db', sql)
  }
})
