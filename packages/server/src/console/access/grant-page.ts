import { declaredFields } from '@pdpp/protocol'
import { html } from 'hono/html'
import type { Client } from '../../clients/client-store.ts'
import type { StoredGrant } from '../../grants/grant-store.ts'
import { type AgentAccess, accessPath } from '../../grants/summary/agent-access.ts'
import type { RecordUrls } from '../../records/record-url.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { ago, count, counted, moment } from '../frame/dates.ts'
import { icon } from '../frame/icons.ts'
import { agentTile } from '../frame/kind.ts'
import { form, type Page, problem } from '../frame/layout.ts'
import { notice } from '../frame/notice.ts'
import { named } from '../frame/plot.ts'
import { type Markup, plainText, untrustedText } from '../frame/untrusted-text.ts'
import { accessWords, agentName, isPart, listed, period, type SourceNames, statusBadge } from './access-text.ts'
import { identityOf } from './client-page.ts'
import { type SampledStream, sampleTable } from './grant-sample.ts'
import { narrowForm } from './narrow-form.ts'
import { pauseForms } from './pause-forms.ts'
import { type ShownSubscription, subscriptionsPanel } from './subscriptions-panel.ts'
import { type WishesView, wishesPanel } from './wishes-panel.ts'

export interface GrantPage {
  readonly pageSession: PageSession
  readonly access: AgentAccess
  readonly stored: StoredGrant
  readonly client: Client | undefined
  readonly names: SourceNames
  readonly sourceName: string
  /** Streams that the agent can read now, with samples. Empty once the access has ended. */
  readonly streams: readonly SampledStream[]
  readonly subscriptions: readonly ShownSubscription[]
  readonly wishes: WishesView
  readonly urls: RecordUrls
  readonly done: string | undefined
  readonly failure?: { readonly message: string; readonly nextStep?: string; readonly sent?: URLSearchParams }
}

export function grantPage(view: GrantPage): Page {
  const { pageSession, access, stored, streams, failure } = view
  const isOver = access.status === 'revoked' || access.status === 'expired'
  const body = html`<p class="small quiet crumbs"><a href="/agents">Agents</a>${stored.packageId === undefined ? '' : html` / <a href="/agents/packages/${stored.packageId}">All its sources</a>`}</p>
<div class="head">${agentTile(agentName(access), 'big')}<h1>${named(access.name, access.clientId)} ${statusBadge(access, Date.now())}</h1>${access.status === 'active' ? html`<a class="button plain" href="/browse?as=${access.id}">${icon('eye')}View as this agent</a>` : ''}</div>
${notice(view.done)}
<p class="say">${accessWords(access, view.names)}</p>
${failure ? problem(failure.message, failure.nextStep) : ''}
${stored.replacedBy === undefined ? '' : html`<div class="note"><p>You changed this access: <a href="/agents/grants/${stored.replacedBy}">see the current access</a>.</p></div>`}
${isOver ? '' : wishesPanel(pageSession, view.wishes)}
${facts(view)}
<section class="panel"><h2>${isOver ? 'What it could read' : 'What it may read'}</h2>
${stored.grant.streams.map((granted, index) => {
  const sampled = streams.find(({ stream }) => stream.declaration.name === granted.name)
  return streamPart(granted, sampled, { urls: view.urls, names: view.names, open: index === 0 })
})}
</section>
${subscriptionsPanel(pageSession, access.id, view.subscriptions)}
${isOver ? '' : changes(pageSession, view)}`
  return {
    title: `Access of ${plainText(access.name?.trim() || access.clientId)}`,
    body,
    pageSession,
    here: '/agents',
  }
}

/** Texts for the purposes that the protocol defines. */
const PURPOSES: Readonly<Record<string, string>> = {
  'https://pdpp.dev/purpose/agent_context': 'To answer questions and help with tasks',
}

function facts({ access, stored: { grant, consumedAt, pausedAt, revokedAt }, client, sourceName }: GrantPage): Markup {
  const row = (name: string, value: Markup | string) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`
  const now = Date.now()
  return html`<section class="panel"><dl class="facts tall">
${row('Agent', html`<a href="/agents/clients/${encodeURIComponent(access.clientId)}">${named(access.name, access.clientId)}</a>${client ? html`<br><span class="small quiet">${identityOf(client)}</span>` : ''}`)}
${row('Source', untrustedText(sourceName, 80))}
${row('Purpose', untrustedText(grant.purpose_description ?? PURPOSES[grant.purpose_code] ?? grant.purpose_code, 500))}
${row('Given', moment(access.createdAt))}
${row('Ends', grant.expires_at === null ? 'No end date' : moment(Date.parse(grant.expires_at)))}
${row('Last used', access.lastUsedAt === undefined ? 'never' : html`${ago(access.lastUsedAt, now)} · <a href="/activity?grant=${access.id}">What it read</a>`)}
${grant.access_mode === 'single_use' ? row('Once only', consumedAt === undefined ? 'not used yet' : html`used ${ago(consumedAt, now)}`) : ''}
${grant.retention ? row('It says', html`that it keeps the data for ${untrustedText(grant.retention.max_duration, 40)} and then ${grant.retention.on_expiry === 'delete' ? 'deletes' : 'anonymises'} it`) : ''}
${pausedAt === undefined || revokedAt !== undefined ? '' : row('Paused', ago(pausedAt, now))}
${revokedAt === undefined ? '' : row('Revoked', moment(revokedAt))}
</dl></section>`
}

function streamPart(
  granted: StoredGrant['grant']['streams'][number],
  sampled: SampledStream | undefined,
  { urls, names, open }: { urls: RecordUrls; names: SourceNames; open: boolean },
): Markup {
  const all = sampled ? declaredFields(sampled.stream.declaration).size : undefined
  const records = sampled?.stream.statistics.reduce((sum, one) => sum + one.count, 0)
  const parts = [
    ...(records === undefined ? [] : [html`${counted(records, 'item')}`]),
    html`${count(granted.fields.length)}${all === undefined ? '' : ` of ${count(all)}`} ${(all ?? granted.fields.length) === 1 ? 'field' : 'fields'}`,
    html`from ${listed(granted.instance_ids.map((id) => names.get(id) ?? id))}`,
    ...(granted.time_constraint ? [html`${period(granted)}`] : []),
    ...(granted.resources
      ? [html`${count(granted.resources.length)} chosen ${granted.resources.length === 1 ? 'item' : 'items'} only`]
      : []),
  ]
  return html`<section class="stack"><h3>${untrustedText(sampled?.stream.declaration.display?.label ?? granted.name, 60)}</h3>
<p class="small">${parts.map((part, index) => html`${index === 0 ? '' : ' · '}${part}`)}</p>
${sampled ? html`<details class="more"${open ? html` open` : ''}><summary class="small">The latest items, as the agent reads them</summary>${sampleTable(sampled, urls)}</details>` : html`<p class="small quiet">Fields: ${listed(granted.fields, 30)}</p>`}
</section>`
}

const WHOLE_WORDS = {
  pause: 'A paused agent gets nothing until you resume it.',
  paused: 'Paused. It gets nothing until you resume.',
  revoke: 'Its next request is refused. To read again, it has to ask you.',
}
const PART_WORDS: typeof WHOLE_WORDS = {
  pause: 'It gets nothing from a paused source until you resume it. Its other sources stay as they are.',
  paused: 'Paused. It gets nothing from this source until you resume.',
  revoke: 'Its next request for this source is refused. Its other sources stay as they are.',
}

function changes(pageSession: PageSession, { access, stored, streams, failure }: GrantPage): Markup {
  const path = accessPath(access)
  const { id, status } = access
  const words = isPart(access) ? PART_WORDS : WHOLE_WORDS
  return html`<section class="panel"><h2>Change access</h2>
<div class="answers"><a class="button plain" href="${path}/widen">Give it more…</a><a class="button plain" href="/agents/new?copy=${id}">Copy for a script…</a></div>
<div class="answers">${pauseForms(pageSession, access)}<p class="small quiet">${status === 'paused' ? words.paused : words.pause}</p></div>
${narrowForm(pageSession, {
  grant: stored.grant,
  declared: streams.map(({ stream }) => stream.declaration),
  sent: failure?.sent,
})}
<details class="more" id="revoke"><summary>Revoke</summary>${form(
    pageSession,
    { action: `${path}/revoke`, purpose: `revoke:${id}`, stacked: true },
    html`<p class="quiet">${words.revoke}</p><button class="button danger">Revoke access</button>`,
  )}</details>
</section>`
}
