import type { Handler } from 'hono'
import { type Context, OWNER } from '../../context.ts'
import { returnPath } from '../../http/request/return-path.ts'
import type { Http, HttpEnvironment } from '../../routes/environment.ts'
import { dropSession, keepSession, rememberedPage } from '../../routes/guards/owner-session.ts'
import { readVerifiedForm } from '../../routes/request/form.ts'
import type { StoredSession } from '../../sign-in/session-store.ts'
import { sendPage } from '../frame/send.ts'
import { linkPage, signInPage } from './page.ts'

/** GET /owner/sign-in */
export const showSignIn: Handler<HttpEnvironment> = (c) => {
  const returnTo = returnPath(c.req.query('return_to'))
  const pageSession = c.get('pageSession')
  const notDone = c.req.query('not_done') !== undefined
  return pageSession.session ? c.redirect(returnTo, 303) : sendPage(c, signInPage({ pageSession, returnTo, notDone }))
}

/** POST /owner/sign-in */
export function signIn(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const form = await readVerifiedForm(c, 'sign-in')
    const returnTo = returnPath(form.get('return_to') ?? undefined)
    const right = await context.signIn.isPassword(OWNER, form.get('password') ?? '', c.get('requestOrigin').address)
    if (!right)
      return sendPage(c, signInPage({ pageSession: c.get('pageSession'), returnTo, failed: true }), { status: 403 })
    await startSession(context, c, OWNER, 'password')
    return c.redirect(returnTo, 303)
  }
}

/** GET /owner/sign-in/link/{token} */
export function showLink(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const works = await context.signIn.linkWorks(c.req.param('token')!, c.get('requestOrigin').address)
    return sendPage(c, linkPage(c.get('pageSession'), c.req.path, works), { status: works ? 200 : 404 })
  }
}

/** POST /owner/sign-in/link/{token} */
export function followLink(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    await readVerifiedForm(c, 'sign-in-link')
    const link = await context.signIn.useLink(c.req.param('token')!, c.get('requestOrigin').address)
    if (!link) return sendPage(c, linkPage(c.get('pageSession'), c.req.path, false), { status: 404 })
    await startSession(context, c, link.subjectId, 'link')
    return c.redirect(rememberedPage(c), 303)
  }
}

/** POST /owner/sign-out */
export function signOut(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    await readVerifiedForm(c, 'sign-out')
    const { session } = c.get('pageSession')
    if (session) await context.sessions.end(session.subjectId, session.sessionId)
    dropSession(c)
    return c.redirect('/owner/sign-in', 303)
  }
}

/** Starts a session and ends the one that this browser had before. */
export async function startSession(
  context: Context,
  c: Http,
  subjectId: string,
  method: StoredSession['method'],
): Promise<void> {
  const { session: before } = c.get('pageSession')
  if (before) await context.sessions.end(before.subjectId, before.sessionId)
  keepSession(c, await context.sessions.start(subjectId, method, c.req.header('user-agent')))
}
