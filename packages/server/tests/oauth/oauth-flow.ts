import { createHash, randomBytes } from 'node:crypto'
import { Browser } from '../../../../tests/fixtures/browser.ts'
import { placeStoreWithPassword } from '../../../../tests/fixtures/empty-store.ts'
import type { Answer } from '../../../../tests/fixtures/http.ts'
import { mailServer, messages, type TestServer, type testServer } from '../../../../tests/fixtures/server.ts'
import { ShownForm } from '../../../../tests/fixtures/shown-form.ts'

export const PASSWORD = 'correct horse battery staple'

export interface OAuthServer extends TestServer {
  readonly origin: string
  /** The owner's browser, signed in. */
  readonly browser: Browser
  register(metadata?: Record<string, unknown>): Promise<string>
}

/** A server with some mail, and its owner signed in. */
export async function oauthServer(
  overrides: Parameters<typeof testServer>[1] = {},
  changes: Parameters<typeof testServer>[0] = {},
  options: Parameters<typeof testServer>[2] = {},
): Promise<OAuthServer> {
  const fill = (dataDir: string) => placeStoreWithPassword(dataDir, PASSWORD)
  const test = await mailServer({ ownerPassword: PASSWORD, ...changes }, overrides, { fill, ...options })
  await test.ingest('messages', 'home', messages(5))
  await test.ingest('messages', 'work', messages(3, 100))
  const browser = new Browser(test.server)
  await browser.signIn(PASSWORD)
  const anonymous = test.as(undefined)
  const register = async (metadata: Record<string, unknown> = {}) => {
    const body = { client_name: 'Test client', redirect_uris: ['https://client.example/back'], ...metadata }
    const answer = await anonymous('POST', '/oauth/register', body, { 'content-type': 'application/json' })
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.body.client_id as string
  }
  return { ...test, origin: test.server.url, browser, register }
}

export function pkce() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export interface Ask {
  readonly clientId: string
  readonly redirectUri?: string
  readonly params?: Record<string, string | string[]>
}

/** Sends the owner's browser to the authorization endpoint. Returns the path of the consent page. */
export async function ask(server: OAuthServer, { clientId, redirectUri, params = {} }: Ask, browser = server.browser) {
  const { verifier, challenge } = pkce()
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri ?? 'https://client.example/back',
    response_type: 'code',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'st4te',
  })
  for (const [name, value] of Object.entries(params)) {
    query.delete(name)
    for (const one of [value].flat()) if (one !== '') query.append(name, one)
  }
  const answer = await browser.get(`/oauth/authorize?${query}`)
  return { answer, verifier, consent: answer.headers.get('location') ?? '' }
}

/**
 * Decides on the consent page as shown, and follows to where the code is sent. `connection` ticks those connections
 * with all streams of their sources, and first looks at the result; other fields are set to the given values.
 */
export async function decide(
  server: OAuthServer,
  consent: string,
  { connection, decision = 'update', ...fields }: Record<string, string | string[]>,
  browser = server.browser,
): Promise<Answer> {
  let page = await browser.get(consent)
  if (page.status !== 200) return page
  if (decision === 'approve') {
    const form = tickConnections(new ShownForm(page.text, consent), [connection ?? []].flat())
    page = await browser.post(consent, { ...form.press('decision', 'update'), ...fields })
    if (page.status !== 200) return page
  }
  const sent = new ShownForm(page.text, consent).press('decision', String(decision))
  return followed(await browser.post(consent, { ...sent, ...fields }), browser)
}

function tickConnections(form: ShownForm, connections: readonly string[]): ShownForm {
  const sources = form.names('stream/').filter((name) => {
    const boxes = name.replace('stream/', 'connection/')
    const wanted = form.values(boxes, { all: true }).filter((one) => connections.includes(one))
    form.tick(boxes, wanted)
    return wanted.length > 0
  })
  for (const name of sources) form.tick(name, form.values(name, { all: true }))
  return form
}

/** Follows the answer to the client, through the authorization endpoint. */
export async function followed(answer: Answer, browser: Browser): Promise<Answer> {
  const next = answer.headers.get('location')
  return answer.status === 303 && next?.startsWith('/') ? browser.get(next) : answer
}

/** Runs the whole flow up to a code. The owner allows the connection `home` unless other fields are given. */
export async function codeFor(
  server: OAuthServer,
  request: Ask,
  fields: Record<string, string | string[]> = { connection: 'home' },
) {
  const { consent, verifier } = await ask(server, request)
  const answer = await decide(server, consent, { decision: 'approve', ...fields })
  const target = new URL(answer.headers.get('location') ?? 'about:blank')
  return { target, verifier, code: target.searchParams.get('code') ?? '' }
}

export async function tokenRequest(
  server: Pick<OAuthServer, 'origin'>,
  params: Record<string, string | string[]>,
): Promise<Answer> {
  const body = new URLSearchParams(
    Object.entries(params).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])),
  )
  const response = await fetch(`${server.origin}/oauth/token`, { method: 'POST', body })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
}

/** Runs the whole flow up to tokens. */
export async function connect(
  server: OAuthServer,
  request: Ask,
  fields?: Record<string, string | string[]>,
): Promise<Answer> {
  const { code, verifier } = await codeFor(server, request, fields)
  return tokenRequest(server, {
    grant_type: 'authorization_code',
    client_id: request.clientId,
    code,
    code_verifier: verifier,
    redirect_uri: request.redirectUri ?? 'https://client.example/back',
  })
}
