import { randomBytes } from 'node:crypto'
import { PdppError } from '@pdpp/protocol'
import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { isLoopback } from '../config/config.ts'
import type { Context } from '../context.ts'
import { SESSION_MS, type StartedSession } from '../sessions/session-service.ts'
import { Visitor } from '../sessions/visitor.ts'
import type { HttpEnvironment } from './environment.ts'
import { returnQuery } from './return-path.ts'

type Http = HonoContext<HttpEnvironment>

const SESSION_COOKIE = 'pdpp_session'
/** Binds the forms of somebody who is not signed in to their browser. */
const VISIT_COOKIE = 'pdpp_visit'

/** Every page: who looks at it. Sets `visitor`, and `authority` when it is the owner. */
export function visit(context: Context): MiddlewareHandler<HttpEnvironment> {
  return async (c, next) => {
    requirePrivateWay(c)
    const secret = readCookie(c, SESSION_COOKIE)
    const session = secret === undefined ? undefined : await context.sessions.find(secret)
    if (session) {
      c.set('visitor', new Visitor(context.forms, secret!, session))
      c.set('authority', { kind: 'owner', subjectId: session.subjectId })
    } else c.set('visitor', new Visitor(context.forms, visitSecret(c), undefined))
    await next()
  }
}

/** Pages for the owner alone: anybody else is asked to sign in, and comes back here. */
export function ownerPage(context: Context): MiddlewareHandler<HttpEnvironment> {
  const visited = visit(context)
  return (c, next) =>
    visited(c, async () => {
      if (c.get('visitor').session) return next()
      const { pathname, search } = new URL(c.req.url)
      // A form cannot be sent again from there: whoever sent it must not believe that it was taken.
      c.res = c.redirect(
        `/owner/sign-in${c.req.method === 'GET' ? returnQuery(pathname + search) : '?not_done=1'}`,
        303,
      )
    })
}

/** A new secret with every sign-in: one that was there before, or was planted, opens nothing. */
export function keepSession(c: Http, { secret }: StartedSession): void {
  setCookie(c, SESSION_COOKIE, secret, { ...cookieOptions(c), maxAge: SESSION_MS.absolute / 1000 })
  deleteCookie(c, VISIT_COOKIE, cookieOptions(c))
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

/** `__Host-` cookies can be set by this very host over https only, for all of its paths. */
function cookieOptions(c: Http) {
  const common = { path: '/', httpOnly: true, sameSite: 'Lax' } as const
  return isHttps(c) ? { ...common, secure: true, prefix: 'host' as const } : common
}

const isHttps = (c: Http): boolean => c.get('arrival').origin.startsWith('https:')

function requirePrivateWay(c: Http): void {
  const { protocol, hostname } = new URL(c.get('arrival').origin)
  if (protocol === 'https:' || isLoopback(hostname)) return
  throw new PdppError('permission_error', 'Pages are shown over https only, except on the machine itself.', {
    nextStep: 'Put a proxy with https in front, and set PDPP_PUBLIC_URL to its address.',
  })
}
