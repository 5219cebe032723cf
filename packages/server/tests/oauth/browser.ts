import { createHash, randomBytes } from 'node:crypto'
import { type Answer, mailServer, messages, type TestServer, type testServer } from '../support.ts'

/** A browser as far as OAuth is concerned: keeps cookies by path, follows nothing by itself, sends forms as shown. */
export class Browser {
  readonly #address: string
  readonly #origin: string
  /** By name and path. */
  readonly #cookies = new Map<string, { name: string; value: string; path: string }>()

  /** `address` is where the server is reached, `origin` what it is called. */
  constructor(address: string, origin = address) {
    this.#address = address
    this.#origin = origin
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#send(path, { headers })
  }

  async post(path: string, fields: Record<string, string | string[]>, headers: Record<string, string> = {}) {
    const body = new URLSearchParams(
      Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])),
    )
    const type = { 'content-type': 'application/x-www-form-urlencoded', origin: this.#origin, ...headers }
    return this.#send(path, { method: 'POST', body: body.toString(), headers: type })
  }

  /** The hidden fields of the page's form that is sent to `action`. */
  static fields(page: string, action: string): Record<string, string> {
    const form = page.split('<form').find((text) => text.includes(`action="${action}"`)) ?? ''
    const inputs = [...form.split('</form>')[0]!.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)]
    return Object.fromEntries(inputs.map(([, name, value]) => [name!, value!]))
  }

  async signIn(password: string): Promise<void> {
    const page = await this.get('/owner/sign-in')
    const answer = await this.post('/owner/sign-in', { ...Browser.fields(page.text, '/owner/sign-in'), password })
    if (answer.status !== 303) throw new Error(`sign-in answered ${answer.status}`)
  }

  cookies(path = '/'): string {
    return [...this.#cookies.values()]
      .filter((cookie) => path.startsWith(cookie.path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
  }

  async #send(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(new URL(path, this.#address), {
      ...init,
      redirect: 'manual',
      headers: { accept: 'text/html', cookie: this.cookies(path.split('?')[0]), ...init.headers },
    })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text.startsWith('{') ? JSON.parse(text) : undefined,
    }
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/'
    const gone = attributes.some((one) => /^(max-age=0|expires=thu, 01 jan 1970)/i.test(one))
    const key = `${name} ${path}`
    if (gone) this.#cookies.delete(key)
    else this.#cookies.set(key, { name, value, path })
  }
}

export const PASSWORD = 'correct horse battery staple'

export interface OAuthServer extends TestServer {
  readonly origin: string
  /** The owner's browser, signed in. */
  readonly browser: Browser
  register(metadata?: Record<string, unknown>): Promise<string>
}

/** A server with some mail, and its owner signed in. */
export async function oauthServer(overrides: Parameters<typeof testServer>[1] = {}): Promise<OAuthServer> {
  const test = await mailServer({ ownerPassword: PASSWORD }, overrides)
  await test.ingest('messages', 'home', messages(5))
  await test.ingest('messages', 'work', messages(3, 100))
  const browser = new Browser(test.server.url)
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

/** Sends the owner's browser to the authorization endpoint; answers the path of the consent page. */
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

/** Decides on the consent page, and follows to where the code is sent. */
export async function decide(
  server: OAuthServer,
  consent: string,
  fields: Record<string, string | string[]>,
  browser = server.browser,
): Promise<Answer> {
  const page = await browser.get(consent)
  if (page.status !== 200) return page
  const answer = await browser.post(consent, { ...Browser.fields(page.text, consent), ...fields })
  const next = answer.headers.get('location')
  return answer.status === 303 && next?.startsWith('/') ? browser.get(next) : answer
}

/** The whole way to a code; the owner allows the connection `home` unless other fields say otherwise. */
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

/** From nothing to tokens. */
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
