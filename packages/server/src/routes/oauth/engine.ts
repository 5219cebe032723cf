import { PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import { UnreadableDocument } from '../../clients/unreadable-document.ts'
import { type Context, OWNER } from '../../context.ts'
import { wantsPage } from '../../http/response/error-response.ts'
import { RateLimit } from '../../lib/limits/rate-limit.ts'
import type { Http, HttpEnvironment } from '../environment.ts'
import { isSignedIn } from '../guards/owner-session.ts'
import { formBody, limited, oauthErrors } from './answer.ts'
import { withStartingClient, withTokenClient } from './asking-client.ts'
import { keepOpened, openPushed } from './pushed-request.ts'
import type { RefusedRequestPage } from './refused-request.ts'

/** Max. requests per address and minute. A polling device makes thirty token requests per minute. */
const LIMITS = { authorize: 120, begin: 120, token: 600 }

/** GET /oauth/authorize, and GET /oauth/authorize/{uid} after the owner's decision. */
export function authorize(context: Context, sendRefused: RefusedRequestPage): Handler<HttpEnvironment> {
  const limit = new RateLimit({ count: LIMITS.authorize, windowMs: 60_000 })
  return async (c) => {
    limited(limit, c)
    // Continuing consumes the owner's decision, so a HEAD request must not reach this route.
    if (c.req.method !== 'GET') {
      c.header('Allow', 'GET')
      throw new PdppError('method_not_allowed', 'This address only accepts GET.')
    }
    const { searchParams } = new URL(c.req.url)
    const params = await withStartingClient(context, searchParams, c.get('requestOrigin').origin).catch((error) =>
      refuseReading(context, c, error),
    )
    const location = await openPushed(context, c, params)
    if (location !== undefined) return c.redirect(location, 303)
    const response = await passOn(context, c, { params })
    if (response.status < 400) {
      const next = response.headers.get('location')
      if (next?.startsWith('/')) await keepOpened(context, c, params, next)
      return (await showRefusal(context, c, params, response, sendRefused)) ?? answer(c, response)
    }
    // OAuth forbids sending this error to the client, so show it to the person at the browser.
    const { error, error_description: description } = (await response.json()) as Record<string, string>
    throw new PdppError(
      error === 'invalid_client' ? 'invalid_client' : 'invalid_request',
      describe(error, description),
      { nextStep: START_AGAIN },
    )
  }
}

const START_AGAIN =
  'Start again from the application that wants to connect. If this happens again, tell its developers.'

/**
 * Shows why a client's document could not be fetched only to the signed-in owner. Others could use the reason to probe
 * the server's network.
 */
async function refuseReading(context: Context, c: Http, error: unknown): Promise<never> {
  if (!(error instanceof UnreadableDocument)) throw error
  if (!(await isSignedIn(context, c)))
    throw new PdppError('invalid_client', 'The description of the application that sent you here could not be read.', {
      nextStep: 'If this server is yours, sign in and start again from the application to see the reason.',
    })
  throw new PdppError(
    'invalid_client',
    `This server ${error.reason}. It needs that page to know who the application is.`,
    {
      nextStep:
        'Check that the server can reach the internet, then start again from the application. Without internet, you can use applications on this computer, and tokens from `pdpp owner grant create`.',
    },
  )
}

/**
 * Shows an error on our own page if it would redirect to an application that the owner never accepted, because its
 * address may be malicious. After the owner's decision, errors always go to the application.
 */
async function showRefusal(
  context: Context,
  c: Http,
  params: URLSearchParams,
  response: Response,
  sendRefused: RefusedRequestPage,
): Promise<Response | undefined> {
  const target = response.headers.get('location')
  if (c.req.path !== '/oauth/authorize' || target === null || target.startsWith('/')) return
  if (await context.clientAccess.hasAccess(OWNER, params.get('client_id') ?? '')) return
  const { searchParams, hash } = new URL(target)
  const errorParams = searchParams.has('error') ? searchParams : new URLSearchParams(hash.slice(1))
  const error = errorParams.get('error') ?? 'invalid_request'
  const description = errorParams.get('error_description') ?? ''
  if (!wantsPage(c)) throw new PdppError('invalid_request', describe(error, description), { nextStep: START_AGAIN })
  const { pathname, search } = new URL(c.req.url)
  const isOwner = await isSignedIn(context, c)
  return sendRefused(c, { error, description, target, isOwner, path: pathname + search }, 400)
}

/** POST /oauth/par and POST /oauth/device_authorization */
export function begin(context: Context): Handler<HttpEnvironment> {
  const limit = new RateLimit({ count: LIMITS.begin, windowMs: 60_000 })
  return oauthErrors(async (c) => {
    limited(limit, c)
    const form = await withStartingClient(context, await formBody(c), c.get('requestOrigin').origin)
    return answer(c, await passOn(context, c, { form }))
  })
}

/** POST /oauth/token */
export function token(context: Context): Handler<HttpEnvironment> {
  const limit = new RateLimit({ count: LIMITS.token, windowMs: 60_000 })
  return oauthErrors(async (c) => {
    limited(limit, c)
    return answer(c, await passOn(context, c, { form: await withTokenClient(context, await formBody(c)) }))
  })
}

function passOn(
  context: Context,
  c: Http,
  { params, form }: { params?: URLSearchParams; form?: URLSearchParams },
): Promise<Response> {
  const { origin, address } = c.get('requestOrigin')
  const headers: Record<string, string> = {}
  // Only a browser has a session with the engine. Forms come from programs or foreign pages, so drop their cookies.
  for (const name of form === undefined ? ['cookie', 'authorization'] : ['authorization']) {
    const value = c.req.header(name)
    if (value !== undefined) headers[name] = value
  }
  const { pathname, searchParams } = new URL(c.req.url)
  return context.authorization.engine.fetch({
    method: c.req.method,
    path: pathname,
    query: params ?? searchParams,
    form,
    headers,
    origin,
    address,
  })
}

/** Copies the engine's status, body, cookies and redirect. All other headers are those of our own responses. */
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
