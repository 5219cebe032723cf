import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import { PageQuery } from '../../http/request/page-query.ts'
import type { HttpEnvironment } from '../../routes/environment.ts'
import { readVerifiedForm } from '../../routes/request/form.ts'
import { sendPage } from '../frame/send.ts'
import { sessionsPage } from './sessions-page.ts'

/** GET /owner/sessions */
export function showSessions(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const { subjectId } = c.get('authority')
    const [sessions, hasPassword] = await Promise.all([
      context.sessions.list(subjectId),
      context.signIn.hasPassword(subjectId),
    ])
    const done = new PageQuery(c).text('done')
    return sendPage(c, sessionsPage({ pageSession: c.get('pageSession'), sessions, hasPassword, done }))
  }
}

/** POST /owner/sessions/{id}/end */
export function endSession(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const sessionId = c.req.param('id')!
    await readVerifiedForm(c, `end-session:${sessionId}`)
    await context.sessions.end(c.get('authority').subjectId, sessionId)
    return c.redirect('/owner/sessions?done=session_ended', 303)
  }
}
