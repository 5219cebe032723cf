import { html } from 'hono/html'
import type { FullAccess } from '../../authorization/stores/authorization-store.ts'
import { type AgentAccess, type AgentAccessPage, isCurrent } from '../../grants/summary/agent-access.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { count, dayText, moment } from '../frame/dates.ts'
import type { Page } from '../frame/layout.ts'
import { notice } from '../frame/notice.ts'
import { named, pager } from '../frame/plot.ts'
import type { Markup } from '../frame/untrusted-text.ts'
import { accessRow } from './access-text.ts'

export interface NamedFullAccess extends FullAccess {
  readonly name: string | undefined
}

export interface AccessPage {
  readonly pageSession: PageSession
  readonly full: readonly NamedFullAccess[]
  readonly packages: AgentAccessPage
  readonly grants: AgentAccessPage
  readonly done: string | undefined
  readonly older: { readonly packages: string | undefined; readonly grants: string | undefined }
}

/** Lists which agent may read what, now and in the past. */
export function accessPage({ pageSession, full, packages, grants, done, older }: AccessPage): Page {
  const all = [...packages.accesses, ...grants.accesses]
  const current = all.filter(isCurrent)
  const ended = all.filter((access) => !isCurrent(access))
  const body = html`<div class="head"><h1>Access</h1><p><a href="/access/clients">Agents that asked</a></p></div>
${notice(done)}
${full.length === 0 ? '' : everything(full)}
<section class="panel">
<h2>Who can read</h2>
${current.length === 0 && full.length > 0 ? html`<p class="quiet">Nobody else on this page.</p>` : current.length === 0 ? html`<p class="quiet">Nobody but you on this page. <a href="/connect">Connect an assistant</a> and choose what it may read.</p>` : rows(current)}
</section>
${ended.length === 0 ? '' : html`<details class="panel"><summary>Ended (${count(ended.length)})</summary>${rows(ended)}</details>`}
${pager(older.packages, 'Older packages')}${pager(older.grants, 'Older grants')}`
  return { title: 'Access', body, pageSession, here: '/access' }
}

/** Clients with full access. They come first, because this is the most that the owner can give. */
function everything(full: readonly NamedFullAccess[]): Markup {
  return html`<section class="panel"><h2>Who can do everything that you can</h2>
<ul class="rows">${full.map(
    ({ clientId, name, since, until }) => html`<li><div class="what">
<a class="row-title" href="/access/clients/${encodeURIComponent(clientId)}">${named(name, clientId)}</a>
<span class="small"><span class="badge warn">full access</span> ${fullAccessText({ since, until })}</span></div></li>`,
  )}</ul></section>`
}

export function fullAccessText({ since, until }: Pick<FullAccess, 'since' | 'until'>): Markup {
  return html`It can read, add, delete and give access, from ${moment(since)} until ${dayText(until)}.`
}

function rows(accesses: readonly AgentAccess[]): Markup {
  return html`<ul class="rows">${accesses.map(accessRow)}</ul>`
}
