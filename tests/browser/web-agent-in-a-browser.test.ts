// An agent in a web page of another origin registers, gets access, reads with fetch, and can do nothing else.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closePages, hasBrowser, realBrowser, signIn } from '../fixtures/real-browser.ts'
import { demoPlace, type Place } from './console-surroundings.ts'

describe.runIf(hasBrowser)('an agent in a web page', () => {
  let browser: Browser
  let place: Place
  let elsewhere: Server
  let home: string
  let page: Page

  beforeAll(async () => {
    place = await demoPlace()
    elsewhere = createServer((_request, answer) =>
      answer.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>An agent</title>'),
    ).listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    home = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
    browser = await realBrowser()
    page = await (await browser.newContext()).newPage()
    page.setDefaultTimeout(30_000)
    // The owner is signed in with this browser: cookies of one machine do not depend on the port.
    await signIn(page, await place.link())
    await page.goto(home)
  })
  afterAll(async () => {
    await closePages()
    elsewhere?.close()
    await place?.close()
  })

  /** The answer that a script of the page gets from the server; `blocked` if the browser gives it none. */
  const ask = (path: string, init: Record<string, unknown> = {}) =>
    page.evaluate(
      async ([url, options]) => {
        try {
          const answer = await fetch(url, options as RequestInit)
          const text = await answer.text()
          const told = answer.headers.get('www-authenticate')
          return { status: answer.status, told, body: text.startsWith('{') ? JSON.parse(text) : text }
        } catch {
          return { status: 'blocked', told: null, body: undefined }
        }
      },
      [place.server.url + path, init] as const,
    ) as Promise<{ status: number | 'blocked'; told: string | null; body: any }>

  const json = (body: unknown, headers = {}) => ({
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  })
  const form = (fields: Record<string, string>) => ({
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  const rpc = (method: string, params = {}) => ({ jsonrpc: '2.0', id: 1, method, params })

  it('goes from the first refusal to reads and back, with fetch alone', async () => {
    const refused = await ask('/mcp', json(rpc('tools/list'), { 'mcp-protocol-version': '2025-11-25' }))
    expect(refused.status).toBe(401)
    const metadata = /resource_metadata="([^"]+)"/.exec(refused.told!)![1]!.slice(place.server.url.length)
    expect((await ask(metadata)).body.resource).toBe(`${place.server.url}/mcp`)
    expect((await ask('/.well-known/oauth-authorization-server')).body.issuer).toBe(place.server.url)
    const client = { client_name: 'An agent in a page', redirect_uris: [`${home}/back`] }
    const { client_id: id } = (await ask('/oauth/register', json(client))).body
    const verifier = 'a-verifier-of-at-least-forty-three-characters-in-all'
    const challenge = await page.evaluate(async (text) => {
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
      return btoa(String.fromCharCode(...new Uint8Array(digest)))
        .replace(/\+/g, '-')
        .replace(/\//g, '_')
        .replace(/=/g, '')
    }, verifier)
    const query = new URLSearchParams({
      client_id: id,
      redirect_uri: `${home}/back`,
      response_type: 'code',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    })
    await page.goto(`${place.server.url}/oauth/authorize?${query}`)
    await page.locator('#row-notes').check()
    await page.locator('#allow').click()
    await page.waitForURL(`${home}/back?*`)
    const code = new URL(page.url()).searchParams.get('code')!
    const given = { grant_type: 'authorization_code', client_id: id, code, code_verifier: verifier }
    const { body } = await ask('/oauth/token', form({ ...given, redirect_uri: `${home}/back` }))
    const authorization = { authorization: `Bearer ${body.access_token}` }
    const listed = await ask('/mcp', json(rpc('tools/list'), authorization))
    expect(listed.body.result.tools).toHaveLength(6)
    const call = rpc('tools/call', { name: 'search', arguments: { query: 'recipe', limit: 1 } })
    expect((await ask('/mcp', json(call, authorization))).body.result.isError).not.toBe(true)
    expect((await ask('/v1/schema?view=compact', { headers: authorization })).status).toBe(200)
    expect((await ask('/mcp', { headers: authorization })).status).toBe(405)

    // A token of another page does not work for this one.
    const other = await place.grant({ client_name: 'Another', connections: ['calendar'] })
    const foreign = { authorization: `Bearer ${other.access_token}` }
    for (const path of ['/v1/schema', '/mcp']) {
      const answer = await ask(path, path === '/mcp' ? json(rpc('tools/list'), foreign) : { headers: foreign })
      expect([path, answer.status, JSON.stringify(answer.body)]).toEqual([path, 403, expect.stringContaining('origin')])
    }
    expect((await ask('/oauth/revoke', form({ token: body.access_token, client_id: id }))).status).toBe(200)
    expect((await ask('/v1/schema', { headers: authorization })).status).toBe(401)
  })

  it('may ask in its own window, which leads back to the page', async () => {
    await page.goto(home)
    const client = { client_name: 'An agent with windows', redirect_uris: [`${home}/back`] }
    const query = new URLSearchParams({
      client_id: (await ask('/oauth/register', json(client))).body.client_id,
      redirect_uri: `${home}/back`,
      response_type: 'code',
      code_challenge: 'A'.repeat(43),
      code_challenge_method: 'S256',
    })
    const opened = page.waitForEvent('popup')
    await page.evaluate(`void window.open('${place.server.url}/oauth/authorize?${query}', 'ask')`)
    const popup = await opened
    await popup.locator('#deny').click()
    await popup.waitForURL(`${home}/back?*`)
    expect(new URL(popup.url()).searchParams.get('error')).toBe('access_denied')
    expect(await popup.evaluate('window.opener !== null')).toBe(true)
    // A page elsewhere cannot keep a handle of the owner's window.
    await popup.goto(`${place.server.url}/agents`)
    expect(await popup.evaluate('window.opener')).toBe(null)
    await popup.close()
  })

  it('reaches nothing of the owner, with their cookies or without', async () => {
    await page.goto(home)
    const owner = (await place.server.context.tokens.issueOwner('owner_local')).accessToken
    const headers = { authorization: `Bearer ${owner}` }
    for (const path of [
      '/',
      '/settings',
      '/browse',
      '/owner/sessions',
      '/oauth/consent/x',
      '/device',
      '/v1/owner/grants',
    ])
      for (const init of [{ credentials: 'include' }, { headers }, {}])
        expect([path, (await ask(path, init)).status]).toEqual([path, 'blocked'])
    for (const [method, path] of [
      ['POST', '/settings/export'],
      ['POST', '/owner/sign-out'],
      ['POST', '/v1/owner/grants'],
      ['DELETE', '/v1/streams/notes/records?connection_id=notes'],
      ['POST', '/v1/ingest/notes?connection_id=notes'],
    ])
      for (const init of [{ credentials: 'include' }, { headers }])
        expect([path, (await ask(path!, { method, ...init })).status]).toEqual([path, 'blocked'])
    // Cookies do not help on open routes either, because an open answer is not an answer to a request with credentials.
    expect((await ask('/v1/schema', { credentials: 'include' })).status).toBe('blocked')
    expect((await ask('/v1/schema', { headers })).body.error.code).toBe('origin_not_allowed')
  })
})
