import { html } from 'hono/html'
import type { FullAccess } from '../../authorization/stores/authorization-store.ts'
import { type AgentAccess, type AgentAccessPage, isCurrent } from '../../grants/summary/agent-access.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { count, dayText, moment } from '../frame/dates.ts'
import { icon } from '../frame/icons.ts'
import { agentTile } from '../frame/kind.ts'
import type { Page } from '../frame/layout.ts'
import { notice } from '../frame/notice.ts'
import { named, pager } from '../frame/plot.ts'
import type { Markup } from '../frame/untrusted-text.ts'
import { accessRow, type SourceNames } from './access-text.ts'
import { pauseAllForms } from './pause-forms.ts'

export interface NamedFullAccess extends FullAccess {
  readonly name: string | undefined
}

export interface AccessPage {
  readonly pageSession: PageSession
  readonly full: readonly NamedFullAccess[]
  readonly packages: AgentAccessPage
  readonly grants: AgentAccessPage
  readonly names: SourceNames
  /** Number of open wishes by client. */
  readonly wishes: ReadonlyMap<string, number>
  readonly done: string | undefined
  readonly older: { readonly packages: string | undefined; readonly grants: string | undefined }
}

/** Lists which agent may read what, now and in the past. */
export function accessPage({ pageSession, full, packages, grants, names, wishes, done, older }: AccessPage): Page {
  const all = [...packages.accesses, ...grants.accesses]
  const current = all.filter(isCurrent)
  const ended = all.filter((access) => !isCurrent(access))
  const body = html`<div class="head"><h1>Agents</h1><a class="button plain" href="/agents/new">${icon('lock')}New token</a><a class="button phone-only" href="/agents/connect">${icon('plug')}Connect an agent</a></div>
${notice(done)}
${full.length === 0 ? '' : everything(full)}
<section class="panel flat" aria-labelledby="can"><div class="bar"><h2 id="can">Who can read</h2><a href="/agents/clients">All that ever asked</a></div>
${current.length === 0 ? html`<div class="empty">${icon('bot', 'big')}<p>Nobody ${full.length > 0 ? 'else' : 'but you'} can read anything.</p><a class="button" href="/agents/connect">Connect an agent</a></div>` : rows(current, names, wishes)}
</section>
${current.length === 0 ? '' : pauseAllForms(pageSession, current)}
${ended.length === 0 ? '' : html`<details class="panel flat ended"><summary class="row">No access now (${count(ended.length)})</summary>${rows(ended, names, new Map())}</details>`}
${pager(older.packages, 'Older access to several sources')}${pager(older.grants, 'Older access')}`
  return { title: 'Agents', body, pageSession, here: '/agents' }
}

/** Clients with full access. They come first, because full access is the most that an owner can give. */
function everything(full: readonly NamedFullAccess[]): Markup {
  return html`<section class="panel flat ask"><div class="bar">${icon('warning')}<h2>Who can do everything that you can</h2></div>
<ul class="list">${full.map(
    ({ clientId, name, since, until }) => html`<li class="row">${agentTile(name ?? clientId)}<div class="grow">
<p><a class="row-title" href="/agents/clients/${encodeURIComponent(clientId)}">${named(name, clientId)}</a> <span class="badge warn">full access</span></p>
<p class="small">${fullAccessText({ since, until })}</p></div></li>`,
  )}</ul></section>`
}

export function fullAccessText({ since, until }: Pick<FullAccess, 'since' | 'until'>): Markup {
  return html`It can read, add, delete and give access, from ${moment(since)} until ${dayText(until)}.`
}

function rows(accesses: readonly AgentAccess[], names: SourceNames, wishes: AccessPage['wishes']): Markup {
  return html`<ul class="list">${accesses.map((access) => accessRow(access, names, wishes.get(access.clientId)))}</ul>`
}
