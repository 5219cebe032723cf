import { html } from 'hono/html'
import type { PageSession } from '../../sign-in/page-session.ts'
import type { StoredSession } from '../../sign-in/session-store.ts'
import { moment } from '../frame/dates.ts'
import { form, type Page } from '../frame/layout.ts'
import { notice } from '../frame/notice.ts'
import { preferences } from '../frame/preferences.ts'
import { untrustedText } from '../frame/untrusted-text.ts'

export interface SessionsPage {
  readonly pageSession: PageSession
  readonly sessions: readonly StoredSession[]
  readonly hasPassword: boolean
  readonly done: string | undefined
}

export function sessionsPage({ pageSession, sessions, hasPassword, done }: SessionsPage): Page {
  const body = html`<p class="small quiet crumbs"><a href="/settings">Settings</a></p>
<h1>Signing in</h1>
${notice(done)}
<section class="panel">
<h2>Password</h2>
<p>${hasPassword ? 'A password is set.' : html`No password is set. You sign in with a link that <code>${preferences().command} owner login</code> prints.`}</p>
<p><a href="/owner/password">${hasPassword ? 'Change your password' : 'Set a password'}</a></p>
</section>
<section class="panel">
<h2>Where you are signed in</h2>
<ul class="rows">${sessions.map((session) => row(pageSession, session))}</ul>
</section>`
  return { title: 'Signing in', body, pageSession, here: '/settings' }
}

function row(pageSession: PageSession, session: StoredSession) {
  const own = session.sessionId === pageSession.session?.sessionId
  const action = `/owner/sessions/${session.sessionId}/end`
  const end = form(
    pageSession,
    { action, purpose: `end-session:${session.sessionId}` },
    html`<button class="button plain">Sign out<span class="hidden-label"> this browser</span></button>`,
  )
  return html`<li><div class="what">
<strong>${browserOf(session.agent)}${own ? ' (this one)' : ''}</strong>
<span class="small quiet">Signed in ${moment(session.createdAt)} with a ${session.method}. Last seen ${moment(session.seenAt)}.</span>
</div>${own ? '' : end}</li>`
}

/** A short name, enough to distinguish a phone from a laptop. */
function browserOf(agent: string) {
  const browser = /Firefox|Edg|OPR|Chrome|Safari/.exec(agent)?.[0]
  const system = /Android|iPhone|iPad|Windows|Mac OS X|Linux|CrOS/.exec(agent)?.[0]
  if (!browser || !system) return untrustedText(agent || 'Unknown browser', 60)
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS', CrOS: 'ChromeOS' }
  return `${names[browser] ?? browser} on ${names[system] ?? system}`
}
