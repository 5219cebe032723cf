import { randomBytes } from 'node:crypto'
import { PdppError } from '@pdpp/protocol'
import type { MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { isLoopback } from '../../config/config.ts'
import type { Context } from '../../context.ts'
import { isOwnOrigin } from '../../http/request/request-origin.ts'
import { returnPath, returnQuery } from '../../http/request/return-path.ts'
import { PageSession } from '../../sign-in/page-session.ts'
import { SESSION_MS, type StartedSession } from '../../sign-in/session-service.ts'
import type { Http, HttpEnvironment } from '../environment.ts'

const SESSION_COOKIE = 'pdpp_session'
/** Binds the sign-in form to the browser before there is a session. */
const VISIT_COOKIE = 'pdpp_visit'
/** Remembers the requested page during sign-in. A sign-in link does not contain it. */
const RETURN_COOKIE = 'pdpp_return'
/** Equal to the time that an application's request for access waits for the owner. */
const RETURN_SECONDS = 900

/** Loads the browser's session for a page. Sets `pageSession`, and `authority` if the owner is signed in. */
export function loadSession(context: Context): MiddlewareHandler<HttpEnvironment> {
  return async (c, next) => {
    requireHttpsOrLoopback(c)
    const secret = readCookie(c, SESSION_COOKIE)
    const session = secret === undefined ? undefined : await context.sessions.find(secret)
    if (session) {
      c.set('pageSession', new PageSession(context.forms, secret!, session))
      c.set('authority', { kind: 'owner', subjectId: session.subjectId })
    } else c.set('pageSession', new PageSession(context.forms, visitSecret(c), undefined))
    await next()
  }
}

/** True if the owner is signed in. For routes that do not require it. */
export async function isSignedIn(context: Context, c: Http): Promise<boolean> {
  const secret = readCookie(c, SESSION_COOKIE)
  return secret !== undefined && (await context.sessions.find(secret)) !== undefined
}

/** Requires a signed-in owner. Everybody else is sent to the sign-in page and returns here afterwards. */
export function requireOwner(context: Context): MiddlewareHandler<HttpEnvironment> {
  const withSession = loadSession(context)
  return (c, next) =>
    withSession(c, async () => {
      if (c.get('pageSession').session) return next()
      const path = returnPath(requestedPage(c))
      if (path !== '/') setCookie(c, RETURN_COOKIE, path, { ...cookieOptions(c), maxAge: RETURN_SECONDS })
      const query = returnQuery(path)
      // Signing in does not resubmit the form, so tell the owner that nothing was saved.
      const notDone = c.req.method === 'GET' ? '' : `${query === '' ? '?' : '&'}not_done=1`
      c.res = c.redirect(`/owner/sign-in${query}${notDone}`, 303)
    })
}

/** The requested page. For a form, the page that contains it. */
function requestedPage(c: Http): string {
  const { pathname, search } = new URL(c.req.url)
  if (c.req.method === 'GET') return pathname + search
  const page = URL.parse(c.req.header('referer') ?? '')
  return page && isOwnOrigin(c, page.origin) ? page.pathname + page.search : '/'
}

/** The page to open after sign-in by a link. */
export function rememberedPage(c: Http): string {
  return returnPath(readCookie(c, RETURN_COOKIE))
}

/** Stores a new secret at every sign-in, so that an older or planted cookie is worthless. */
export function keepSession(c: Http, { secret }: StartedSession): void {
  setCookie(c, SESSION_COOKIE, secret, { ...cookieOptions(c), maxAge: SESSION_MS.absolute / 1000 })
  deleteCookie(c, VISIT_COOKIE, cookieOptions(c))
  if (readCookie(c, RETURN_COOKIE) !== undefined) deleteCookie(c, RETURN_COOKIE, cookieOptions(c))
}

export function dropSession(c: Http): void {
  deleteCookie(c, SESSION_COOKIE, cookieOptions(c))
}

function visitSecret(c: Http): string {
  const known = readCookie(c, VISIT_COOKIE)
  if (known !== undefined && /^[\w-]{22}$/.test(known)) return known
  const secret = randomBytes(16).toString('base64url')
  setCookie(c, VISIT_COOKIE, secret, cookieOptions(c))
  return secret
}

function readCookie(c: Http, name: string): string | undefined {
  return isHttps(c) ? getCookie(c, name, 'host') : getCookie(c, name)
}

/** Over https the cookies get the `__Host-` prefix: browsers then accept them only from this host, over https. */
function cookieOptions(c: Http) {
  const common = { path: '/', httpOnly: true, sameSite: 'Lax' } as const
  return isHttps(c) ? { ...common, secure: true, prefix: 'host' as const } : common
}

const isHttps = (c: Http): boolean => c.get('requestOrigin').origin.startsWith('https:')

function requireHttpsOrLoopback(c: Http): void {
  const { protocol, hostname } = new URL(c.get('requestOrigin').origin)
  if (protocol === 'https:' || isLoopback(hostname)) return
  throw new PdppError('permission_error', 'Pages need https, except on the machine that runs the server.', {
    nextStep: 'Put a proxy with https in front, and set PDPP_PUBLIC_URL to its address.',
  })
}
