import { declaredFields } from '@pdpp/protocol'
import { html } from 'hono/html'
import type { Client } from '../../clients/client-store.ts'
import type { StoredGrant } from '../../grants/grant-store.ts'
import { type AgentAccess, accessPath } from '../../grants/summary/agent-access.ts'
import type { RecordUrls } from '../../records/record-url.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { ago, count, moment } from '../frame/dates.ts'
import { form, type Page, problem } from '../frame/layout.ts'
import { notice } from '../frame/notice.ts'
import { named } from '../frame/plot.ts'
import { type Markup, plainText, untrustedText } from '../frame/untrusted-text.ts'
import { listed, period, statusBadge } from './access-text.ts'
import { identityOf } from './client-page.ts'
import { type SampledStream, sampleTable } from './grant-sample.ts'
import { narrowForm } from './narrow-form.ts'
import { type ShownSubscription, subscriptionsPanel } from './subscriptions-panel.ts'

export interface GrantPage {
  readonly pageSession: PageSession
  readonly access: AgentAccess
  readonly stored: StoredGrant
  readonly client: Client | undefined
  readonly sourceName: string
  /** What the grant shows now; nothing once it has ended. */
  readonly streams: readonly SampledStream[]
  readonly subscriptions: readonly ShownSubscription[]
  readonly urls: RecordUrls
  readonly done: string | undefined
  readonly failure?: { readonly message: string; readonly nextStep?: string; readonly sent?: URLSearchParams }
}

export function grantPage(view: GrantPage): Page {
  const { pageSession, access, stored, streams, failure } = view
  const isOver = access.status === 'revoked' || access.status === 'expired'
  const body = html`<p class="small quiet crumbs"><a href="/access">Access</a>${stored.packageId === undefined ? '' : html` / <a href="/access/packages/${stored.packageId}">Package</a>`}</p>
<h1>${named(access.name, access.clientId)} ${statusBadge(access, Date.now())}</h1>
${notice(view.done)}
${failure ? problem(failure.message, failure.nextStep) : ''}
${stored.replacedBy === undefined ? '' : html`<div class="note"><p>It was narrowed: <a href="/access/grants/${stored.replacedBy}">what the agent holds now</a>.</p></div>`}
${facts(view)}
<section class="panel"><div class="head"><h2>What it may read</h2>${access.status === 'active' ? html`<a href="/explore?as=${access.id}">View as this agent</a>` : ''}</div>
${isOver ? html`<p class="quiet">Nothing any more. It had:</p>` : ''}
${stored.grant.streams.map((granted, index) => {
  const sampled = streams.find(({ stream }) => stream.declaration.name === granted.name)
  return streamPart(granted, sampled, view.urls, index === 0)
})}
</section>
${subscriptionsPanel(pageSession, access.id, view.subscriptions)}
${isOver ? '' : changes(pageSession, view)}`
  return {
    title: `Grant of ${plainText(access.name?.trim() || access.clientId)}`,
    body,
    pageSession,
    here: '/access',
  }
}

function facts({ access, stored: { grant, consumedAt, pausedAt, revokedAt }, client, sourceName }: GrantPage): Markup {
  const row = (name: string, value: Markup | string) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`
  const now = Date.now()
  return html`<section class="panel"><dl class="facts tall">
${row('Agent', html`<a href="/access/clients/${encodeURIComponent(access.clientId)}">${named(access.name, access.clientId)}</a>${client ? html`<br><span class="small quiet">${identityOf(client)}</span>` : ''}`)}
${row('Source', untrustedText(sourceName, 80))}
${row('Purpose', untrustedText(grant.purpose_description ?? grant.purpose_code, 500))}
${row('Given', moment(access.createdAt))}
${row('Ends', grant.expires_at === null ? 'when you end it' : moment(Date.parse(grant.expires_at)))}
${row('Last used', access.lastUsedAt === undefined ? 'never' : html`${ago(access.lastUsedAt, now)} · <a href="/receipts?grant=${access.id}">what it read</a>`)}
${grant.access_mode === 'single_use' ? row('Once only', consumedAt === undefined ? 'not yet taken' : html`taken ${ago(consumedAt, now)}`) : ''}
${grant.retention ? row('It says', html`that it keeps the data for ${untrustedText(grant.retention.max_duration, 40)} and then ${grant.retention.on_expiry === 'delete' ? 'deletes' : 'anonymises'} it`) : ''}
${pausedAt === undefined || revokedAt !== undefined ? '' : row('Paused', ago(pausedAt, now))}
${revokedAt === undefined ? '' : row('Revoked', moment(revokedAt))}
</dl></section>`
}

function streamPart(
  granted: StoredGrant['grant']['streams'][number],
  sampled: SampledStream | undefined,
  urls: RecordUrls,
  open: boolean,
): Markup {
  const all = sampled ? declaredFields(sampled.stream.declaration).size : undefined
  const records = sampled?.stream.statistics.reduce((sum, one) => sum + one.count, 0)
  const parts = [
    ...(records === undefined ? [] : [html`${count(records)} ${records === 1 ? 'record' : 'records'}`]),
    html`${count(granted.fields.length)}${all === undefined ? '' : ` of ${count(all)}`} ${(all ?? granted.fields.length) === 1 ? 'field' : 'fields'}`,
    html`from ${listed(granted.instance_ids)}`,
    ...(granted.time_constraint ? [html`${period(granted)}`] : []),
    ...(granted.resources
      ? [html`${count(granted.resources.length)} chosen ${granted.resources.length === 1 ? 'record' : 'records'} only`]
      : []),
  ]
  return html`<section class="stack"><h3>${untrustedText(sampled?.stream.declaration.display?.label ?? granted.name, 60)}</h3>
<p class="small">${parts.map((part, index) => html`${index === 0 ? '' : ' · '}${part}`)}</p>
${sampled ? html`<details class="more"${open ? html` open` : ''}><summary class="small">The latest records, as the agent reads them</summary>${sampleTable(sampled, urls)}</details>` : html`<p class="small quiet">Fields: ${listed(granted.fields, 30)}</p>`}
</section>`
}

function changes(pageSession: PageSession, { access, stored, streams, failure }: GrantPage): Markup {
  const path = accessPath(access)
  const { id, status } = access
  const pause =
    status === 'paused'
      ? form(
          pageSession,
          { action: `${path}/resume`, purpose: `resume:${id}` },
          html`<button class="button">Resume</button>`,
        )
      : form(
          pageSession,
          { action: `${path}/pause`, purpose: `pause:${id}` },
          html`<button class="button plain">Pause</button>`,
        )
  return html`<section class="panel"><h2>Change it</h2>
<div class="answers">${pause}<p class="small quiet">${status === 'paused' ? 'Its tokens are refused until you resume it.' : 'A paused agent is refused until you resume it; nothing else changes.'}</p></div>
${narrowForm(pageSession, {
  grant: stored.grant,
  declared: streams.map(({ stream }) => stream.declaration),
  sent: failure?.sent,
})}
<details class="more" id="revoke"><summary>Revoke</summary>${form(
    pageSession,
    { action: `${path}/revoke`, purpose: `revoke:${id}`, stacked: true },
    html`<p class="quiet">Its next request is refused. This cannot be undone; you can give access again.</p><button class="button danger">Revoke this grant</button>`,
  )}</details>
</section>`
}
