import { html } from 'hono/html'
import type { AgentAccess } from '../../grants/summary/agent-access.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { ago, counted, moment } from '../frame/dates.ts'
import { icon } from '../frame/icons.ts'
import { agentTile } from '../frame/kind.ts'
import { form, type Page } from '../frame/layout.ts'
import { notice } from '../frame/notice.ts'
import { named } from '../frame/plot.ts'
import { plainText } from '../frame/untrusted-text.ts'
import { accessRow, accessWords, agentName, type SourceNames, statusBadge } from './access-text.ts'
import { pauseForms } from './pause-forms.ts'
import { type WishesView, wishesPanel } from './wishes-panel.ts'

export interface PackagePage {
  readonly pageSession: PageSession
  readonly access: AgentAccess
  readonly members: readonly AgentAccess[]
  readonly names: SourceNames
  readonly wishes: WishesView
  readonly done: string | undefined
}

export function packagePage({ pageSession, access, members, names, wishes, done }: PackagePage): Page {
  const { id, status, name, clientId, createdAt, lastUsedAt } = access
  const body = html`<p class="small quiet crumbs"><a href="/agents">Agents</a></p>
<div class="head">${agentTile(agentName(access), 'big')}<h1>${named(name, clientId)} ${statusBadge(access, Date.now())}</h1></div>
${notice(done)}
<p class="say">${accessWords(access, names)}</p>
${status === 'revoked' ? '' : wishesPanel(pageSession, wishes)}
<section class="panel"><dl class="facts tall">
<div><dt>Agent</dt><dd><a href="/agents/clients/${encodeURIComponent(clientId)}">${named(name, clientId)}</a></dd></div>
<div><dt>Given</dt><dd>${moment(createdAt)}</dd></div>
<div><dt>Last used</dt><dd>${lastUsedAt === undefined ? 'never' : html`${ago(lastUsedAt, Date.now())} · <a href="/activity?client=${encodeURIComponent(clientId)}">what it read</a>`}</dd></div>
</dl></section>
<section class="panel"><div class="head"><h2>${counted(members.length, 'source')}</h2>${status === 'active' ? html`<a class="button plain" href="/browse?as=${id}">${icon('eye')}View as this agent</a>` : ''}</div>
<p class="small quiet">You can pause, reduce or revoke each by itself.</p>
<ul class="list">${members.map((member) => accessRow(member, names))}</ul>
${
  status === 'revoked'
    ? ''
    : html`<div class="answers"><a class="button plain" href="/agents/packages/${id}/widen">Give it more…</a><a class="button plain" href="/agents/new?copy=${id}">Copy for a script…</a></div>
<div class="answers">${pauseForms(pageSession, access)}<p class="small quiet">${status === 'paused' ? 'Paused. It gets nothing until you resume.' : 'A paused agent gets nothing until you resume it.'}</p></div>
<details class="more" id="revoke"><summary>Revoke all of it</summary>${form(
        pageSession,
        { action: `/agents/packages/${id}/revoke`, purpose: `revoke:${id}`, stacked: true },
        html`<p class="quiet">Its next request is refused, for every source. To read again, it has to ask you.</p><button class="button danger">Revoke all access</button>`,
      )}</details>`
}
</section>`
  return { title: `Access of ${plainText(name?.trim() || clientId)}`, body, pageSession, here: '/agents' }
}
