import { PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import type { HttpEnvironment } from '../../http/environment.ts'
import { RateLimit } from '../../lib/rate-limit.ts'
import { formBody, type Http, limited, oauthErrors } from './answer.ts'

/** Requests by one address: begun flows, and token requests (a polling device makes thirty in a minute). */
const LIMITS = { authorize: 120, begin: 120, token: 600 }

/** GET /oauth/authorize, and GET /oauth/authorize/{uid} after the owner's decision. */
export function authorize(context: Context): Handler<HttpEnvironment> {
  const limit = new RateLimit({ count: LIMITS.authorize, windowMs: 60_000 })
  return async (c) => {
    limited(limit, c)
    // Going on uses the decision up; somebody who only wants to see headers must not.
    if (c.req.method !== 'GET') throw new PdppError('method_not_allowed', 'This address takes GET.')
    const response = await passOn(context, c, undefined)
    if (response.status < 400) return answer(c, response)
    // An error that may not be sent to the client is for the person in front of the browser.
    const { error, error_description: description } = (await response.json()) as Record<string, string>
    throw new PdppError(
      error === 'invalid_client' ? 'invalid_client' : 'invalid_request',
      describe(error, description),
      {
        nextStep: 'Start again from the application that wants to connect. If this stays, tell its makers.',
      },
    )
  }
}

/** POST /oauth/par and POST /oauth/device_authorization */
export function begin(context: Context): Handler<HttpEnvironment> {
  const limit = new RateLimit({ count: LIMITS.begin, windowMs: 60_000 })
  return oauthErrors(async (c) => {
    limited(limit, c)
    return answer(c, await passOn(context, c, await formBody(c)))
  })
}

/** POST /oauth/token */
export function token(context: Context): Handler<HttpEnvironment> {
  const limit = new RateLimit({ count: LIMITS.token, windowMs: 60_000 })
  return oauthErrors(async (c) => {
    limited(limit, c)
    return answer(c, await passOn(context, c, await formBody(c)))
  })
}

function passOn(context: Context, c: Http, form: URLSearchParams | undefined): Promise<Response> {
  const { origin, address } = c.get('arrival')
  const headers: Record<string, string> = {}
  // Only the person's own browser has a session with the engine: programs, and pages elsewhere, have none.
  for (const name of form === undefined ? ['cookie', 'authorization'] : ['authorization']) {
    const value = c.req.header(name)
    if (value !== undefined) headers[name] = value
  }
  const { pathname, searchParams } = new URL(c.req.url)
  return context.authorization.engine.fetch({
    method: c.req.method,
    path: pathname,
    query: searchParams,
    form,
    headers,
    origin,
    address,
  })
}

/** The engine's status, body, cookies and target; every other header is the one that all our answers have. */
async function answer(c: Http, response: Response): Promise<Response> {
  for (const cookie of response.headers.getSetCookie()) c.header('Set-Cookie', cookie, { append: true })
  for (const name of ['location', 'content-type', 'www-authenticate']) {
    const value = response.headers.get(name)
    if (value !== null) c.header(name, value)
  }
  c.header('Cache-Control', 'no-store')
  c.header('Referrer-Policy', 'no-referrer')
  if (response.status >= 300 && response.status < 400) return c.body(null, response.status as 303)
  return c.body(await response.text(), response.status as 200)
}

function describe(error = 'server_error', description = ''): string {
  if (error === 'invalid_client')
    return 'The application that sent you here is not known, or its description could not be read.'
  if (error === 'invalid_redirect_uri')
    return 'The application wants an answer at an address that is not registered for it.'
  return `The application's request cannot be used (${error}${description ? `: ${description}` : ''}).`
}
