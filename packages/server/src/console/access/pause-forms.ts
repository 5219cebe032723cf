import { html } from 'hono/html'
import { grantStatus } from '../../grants/refusal.ts'
import { type AgentAccess, accessPath, isCurrent } from '../../grants/summary/agent-access.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { icon } from '../frame/icons.ts'
import { form } from '../frame/layout.ts'
import type { Markup } from '../frame/untrusted-text.ts'

const LABELS = { pause: 'Pause', resume: 'Resume' } as const
type Change = keyof typeof LABELS

/** Pause, resume, or both if only some sources of a package are paused. */
export function pauseForms(pageSession: PageSession, access: AgentAccess, small = false): Markup {
  const now = Date.now()
  const has = (wanted: string) => access.grants.some((stored) => grantStatus(stored, now) === wanted)
  const changes: Change[] = isCurrent(access)
    ? [...(has('active') ? (['pause'] as const) : []), ...(has('paused') ? (['resume'] as const) : [])]
    : []
  return html`${changes.map((change) => changeForm(pageSession, access, change, small))}`
}

function changeForm(pageSession: PageSession, access: AgentAccess, change: Change, small: boolean): Markup {
  const all = access.grants.length > 1 && !small ? ' all of it' : ''
  return form(
    pageSession,
    { action: `${accessPath(access)}/${change}`, purpose: `${change}:${access.id}` },
    html`<button class="button${change === 'pause' || small ? ' plain' : ''}${small ? ' small' : ''}">${change === 'pause' ? icon('pause') : ''}${LABELS[change]}${all}</button>`,
  )
}

/** Pauses or resumes every agent with one click. */
export function pauseAllForms(pageSession: PageSession, accesses: readonly AgentAccess[]): Markup {
  const someRead = accesses.some(({ status }) => status === 'active')
  const somePaused = accesses.some(({ status }) => status === 'paused')
  const one = (change: Change, label: string) =>
    form(
      pageSession,
      { action: `/agents/${change}-all`, purpose: `${change}-all` },
      html`<button class="button ${change === 'pause' ? 'danger' : 'plain'}">${change === 'pause' ? icon('pause') : ''}${label}</button>`,
    )
  return html`<div class="answers">${someRead ? one('pause', 'Pause all agents') : ''}${somePaused ? one('resume', 'Resume all agents') : ''}
<p class="small quiet">${someRead ? 'Every read is refused until you resume. Nothing is lost.' : 'All agents are paused. Every read is refused until you resume.'}</p></div>`
}
