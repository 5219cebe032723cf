import { html } from 'hono/html'
import type { FullAccess } from '../../authorization/stores/authorization-store.ts'
import type { Client } from '../../clients/client-store.ts'
import { claimedAddress } from '../../clients/unverified-client.ts'
import type { AgentAccess } from '../../grants/summary/agent-access.ts'
import { isCurrent } from '../../grants/summary/agent-access.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { ago, moment } from '../frame/dates.ts'
import { icon } from '../frame/icons.ts'
import { agentTile } from '../frame/kind.ts'
import { form, type Page } from '../frame/layout.ts'
import { notice } from '../frame/notice.ts'
import { named, pager } from '../frame/plot.ts'
import { type Markup, plainText, untrustedText } from '../frame/untrusted-text.ts'
import { accessRow, type SourceNames } from './access-text.ts'
import { fullAccessText } from './page.ts'
import { type WishesView, wishesPanel } from './wishes-panel.ts'

/** Says who a client is, and whether anybody checked that. */
export function identityOf({ kind, clientId }: Pick<Client, 'kind' | 'clientId'>): Markup {
  switch (kind) {
    case 'document':
      return html`The owner of <strong>${untrustedText(new URL(clientId).host, 100)}</strong>, which was verified`
    case 'unverified':
      return html`A program on this computer that says it belongs to ${untrustedText(new URL(claimedAddress(clientId)).host, 100)}. Nobody could check that`
    case 'pre_registered':
      return html`It comes with this server`
    case 'owner_made':
      return html`Named by you, for a token that you made`
    case 'dynamic':
      return html`It registered itself: anybody can choose such a name`
  }
}

export interface ClientsPage {
  readonly pageSession: PageSession
  /** Agents with access. If `isOfUnused`, agents without any. */
  readonly clients: readonly Client[]
  readonly older: string | undefined
  readonly isOfUnused: boolean
  /** The newest agents that asked but got no access. They are folded, because anybody can create many of them. */
  readonly unused: readonly Client[]
  readonly allUnused: string | undefined
}

export function clientsPage({ pageSession, clients, older, isOfUnused, unused, allUnused }: ClientsPage): Page {
  const crumbs = isOfUnused
    ? html`<a href="/agents">Agents</a> / <a href="/agents/clients">All that asked</a> / <span>Never allowed</span>`
    : html`<a href="/agents">Agents</a> / <span>All that asked</span>`
  const body = html`<p class="small quiet crumbs">${crumbs}</p>
<h1>${isOfUnused ? 'Agents that asked and were never allowed anything' : 'Agents you have let in'}</h1>
<section class="panel flat">
${clients.length === 0 ? html`<p class="row quiet">None so far.</p>` : ''}
${clientRows(clients)}
</section>
${pager(older)}
${
  unused.length === 0
    ? ''
    : html`<details class="panel flat"><summary class="row">Others that asked and were never allowed anything</summary>
<p class="row small quiet">Anybody can ask under any name. They are forgotten after a week.</p>
${clientRows(unused)}
${allUnused === undefined ? '' : html`<p class="row"><a href="${allUnused}">All of them</a></p>`}</details>`
}`
  return { title: 'Agents', body, pageSession, here: '/agents' }
}

function clientRows(clients: readonly Client[]): Markup {
  return html`<ul class="list">${clients.map(
    (
      client,
    ) => html`<li class="row">${agentTile(client.metadata.client_name?.trim() || client.clientId)}<div class="grow">
<p><a class="row-title" href="/agents/clients/${encodeURIComponent(client.clientId)}">${named(client.metadata.client_name, client.clientId)}</a></p>
<p class="small">${identityOf(client)}</p>
<p class="small dim">${client.lastUsedAt === undefined ? html`Asked ${ago(client.createdAt, Date.now())}` : html`Last allowed ${ago(client.lastUsedAt, Date.now())}`}</p></div></li>`,
  )}</ul>`
}

export interface ClientPage {
  readonly pageSession: PageSession
  readonly client: Client
  readonly full: FullAccess | undefined
  /** True if the owner listed it as a program that may ask for full access. */
  readonly isListed: boolean
  readonly accesses: readonly AgentAccess[]
  readonly names: SourceNames
  readonly wishes: WishesView
  readonly done: string | undefined
}

export function clientPage({ pageSession, client, full, isListed, accesses, names, wishes, done }: ClientPage): Page {
  const { clientId, metadata } = client
  const path = `/agents/clients/${encodeURIComponent(clientId)}`
  const body = html`<p class="small quiet crumbs"><a href="/agents">Agents</a></p>
<div class="head">${agentTile(metadata.client_name?.trim() || clientId, 'big')}<h1>${named(metadata.client_name, clientId)}</h1></div>
${notice(done)}
${wishesPanel(pageSession, wishes)}
<section class="panel"><h2>Who it is</h2>
<dl class="facts tall">
<div><dt>Identity</dt><dd>${identityOf(client)}</dd></div>
<div><dt>Id</dt><dd><code>${untrustedText(clientId, 500)}</code></dd></div>
${metadata.redirect_uris.length === 0 ? '' : html`<div><dt>Answers go to</dt><dd>${metadata.redirect_uris.slice(0, 10).map((uri) => html`<div>${untrustedText(uri, 300)}</div>`)}</dd></div>`}
${client.createdAt === 0 ? '' : html`<div><dt>Known since</dt><dd>${moment(client.createdAt)}</dd></div>`}
</dl>
<p><a class="button plain" href="/activity?client=${encodeURIComponent(clientId)}">${icon('eye')}What it read</a></p>
</section>
${
  isListed
    ? html`<section class="panel"><h2>May ask for full access</h2><p>You listed it as a program that may ask for full access. If you remove it, the access that it has keeps working.</p>
${form(pageSession, { action: `${path}/unlist`, purpose: `unlist-client:${clientId}` }, html`<button class="button plain">Remove it from the list</button>`)}</section>`
    : ''
}
<section class="panel"><h2>Its access</h2>
${full === undefined ? '' : html`<p><span class="badge warn">full access</span> ${fullAccessText(full)}</p>`}
${accesses.length === 0 ? (full ? '' : html`<p class="quiet">It can't read anything.</p>`) : html`<ul class="list">${accesses.map((access) => accessRow(access, names))}</ul>`}
${
  full !== undefined || accesses.some(isCurrent)
    ? html`<details class="more"><summary>End all of it</summary>${form(
        pageSession,
        { action: `${path}/end`, purpose: `end-client:${clientId}`, stacked: true },
        html`<p class="quiet">All its access is revoked. It may ask again, and you decide again.</p>
<button class="button danger">End all its access</button>`,
      )}</details>`
    : ''
}
</section>`
  return { title: `Agent ${plainText(metadata.client_name?.trim() || clientId)}`, body, pageSession, here: '/agents' }
}
