import { html } from 'hono/html'
import type { AgentAccess } from '../../grants/summary/agent-access.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { ago, count, moment } from '../frame/dates.ts'
import { form, type Page } from '../frame/layout.ts'
import { notice } from '../frame/notice.ts'
import { named } from '../frame/plot.ts'
import { plainText } from '../frame/untrusted-text.ts'
import { accessRow, statusBadge } from './access-text.ts'

export interface PackagePage {
  readonly pageSession: PageSession
  readonly access: AgentAccess
  readonly members: readonly AgentAccess[]
  readonly done: string | undefined
}

export function packagePage({ pageSession, access, members, done }: PackagePage): Page {
  const { id, status, name, clientId, createdAt, lastUsedAt } = access
  const body = html`<p class="small quiet crumbs"><a href="/access">Access</a></p>
<h1>${named(name, clientId)} ${statusBadge(access, Date.now())}</h1>
${notice(done)}
<section class="panel"><dl class="facts tall">
<div><dt>Agent</dt><dd><a href="/access/clients/${encodeURIComponent(clientId)}">${named(name, clientId)}</a></dd></div>
<div><dt>What it is</dt><dd>A package: one connection of the agent to ${count(members.length)} ${members.length === 1 ? 'source' : 'sources'}, each with a grant of its own</dd></div>
<div><dt>Given</dt><dd>${moment(createdAt)}</dd></div>
<div><dt>Last used</dt><dd>${lastUsedAt === undefined ? 'never' : html`${ago(lastUsedAt, Date.now())} · <a href="/receipts?client=${encodeURIComponent(clientId)}">what it read</a>`}</dd></div>
</dl></section>
<section class="panel"><div class="head"><h2>Its grants</h2>${status === 'active' ? html`<a href="/explore?as=${id}">View as this agent</a>` : ''}</div>
<p class="small quiet">Each can be paused, narrowed or revoked by itself.</p>
<ul class="rows">${members.map(accessRow)}</ul>
${
  status === 'revoked'
    ? ''
    : html`<details class="more" id="revoke"><summary>Revoke all of them</summary>${form(
        pageSession,
        { action: `/access/packages/${id}/revoke`, purpose: `revoke:${id}`, stacked: true },
        html`<p class="quiet">The agent's next request is refused, for every source. This cannot be undone; you can give access again.</p><button class="button danger">Revoke the package</button>`,
      )}</details>`
}
</section>`
  return { title: `Package of ${plainText(name?.trim() || clientId)}`, body, pageSession, here: '/access' }
}
