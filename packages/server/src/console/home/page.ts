import { html } from 'hono/html'
import type { MonthCount } from '../../aggregates/monthly-counts.ts'
import { type AgentAccess, accessPath } from '../../grants/summary/agent-access.ts'
import type { SchemaSource } from '../../schema/schema-service.ts'
import { freshness } from '../../schema/schema-service.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { accessRow } from '../access/access-text.ts'
import { ago, count, monthSpan } from '../frame/dates.ts'
import type { Page } from '../frame/layout.ts'
import { named, sparkline } from '../frame/plot.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'

const MAX_CARDS = 60
const MAX_STREAMS = 8
const MAX_AGENTS = 6

/** The reads of one agent today. */
export interface ReadToday {
  readonly clientId: string
  readonly name: string | undefined
  readonly reads: number
  readonly refused: number
  readonly streams: readonly string[]
}

/** Something that needs the owner's attention. */
export interface Attention {
  readonly text: Markup
}

export interface HomePage {
  readonly pageSession: PageSession
  readonly sources: readonly SchemaSource[]
  readonly activity: ReadonlyMap<string, readonly MonthCount[]>
  readonly agents: readonly AgentAccess[]
  /** Number of devices with full access. */
  readonly full: number
  /** True if there are more agents than were read. */
  readonly moreAgents: boolean
  readonly today: readonly ReadToday[]
  readonly attention: { readonly shown: readonly Attention[]; readonly more: number }
}

/** The start page: what is here, who can read it, what was read today, and what needs attention. */
export function homePage(view: HomePage): Page {
  const cards = view.sources.flatMap(connectionsOf).sort((a, b) => b.total - a.total)
  const records = cards.reduce((sum, { total }) => sum + total, 0)
  const readers = new Set(view.agents.filter(({ status }) => status === 'active').map(({ clientId }) => clientId))
  const reads = view.today.reduce((sum, one) => sum + one.reads, 0)
  const body = html`<section class="stack">
<h1>Your data</h1>
<div class="figures">
${figure(records, 'record', 'records')}
${figure(cards.length, 'connection', 'connections')}
${figure(readers.size, 'agent may read', 'agents may read', view.moreAgents)}
${figure(reads, 'read today', 'reads today')}
</div>
</section>
${view.attention.shown.length === 0 ? '' : attention(view.attention)}
<div class="columns">
<section class="panel"><div class="head"><h2>Who can read</h2><a href="/access">All access</a></div>${everything(view.full)}${agents(view)}</section>
<section class="panel"><div class="head"><h2>Read today</h2><a href="/receipts">All receipts</a></div>${today(view.today)}</section>
</div>
<section class="stack">
<div class="head"><h2>Connections</h2>${cards.length === 0 ? '' : html`<a href="/explore">Explore</a>`}</div>
${cards.length === 0 ? nothing() : html`<ul class="cards">${cards.slice(0, MAX_CARDS).map((one) => card(one, view.activity.get(one.connectionId) ?? []))}</ul>`}
${cards.length > MAX_CARDS ? html`<p class="quiet">And ${count(cards.length - MAX_CARDS)} more, with less in them.</p>` : ''}
</section>`
  return { title: 'Your data', body, pageSession: view.pageSession, here: '/' }
}

function figure(number: number, one: string, many: string, more = false): Markup {
  return html`<div class="figure"><strong>${count(number)}${more ? '+' : ''}</strong><span class="quiet">${number === 1 ? one : many}</span></div>`
}

function attention({ shown, more }: HomePage['attention']): Markup {
  return html`<section class="note" aria-labelledby="attention"><h2 id="attention">Needs attention</h2>
<ul class="attention">${shown.map(({ text }) => html`<li><span>${text}</span></li>`)}</ul>
${more === 0 ? '' : html`<p class="small">And ${count(more)} more like these: see <a href="/access">Access</a> and <a href="/receipts?outcome=refused">what was refused</a>.</p>`}</section>`
}

function everything(full: number): Markup {
  if (full === 0) return html``
  return html`<p>${count(full)} ${full === 1 ? 'device' : 'devices'} <a href="/access">can do everything that you can</a>.</p>`
}

function agents({ agents: list, full, moreAgents: others }: HomePage): Markup {
  if (list.length === 0)
    return html`<p class="quiet">Nobody ${full === 0 ? 'but you' : 'else'}. <a href="/connect">Connect an assistant</a> and choose what it may read.</p>`
  const more = list.length - MAX_AGENTS
  return html`<ul class="rows">${list.slice(0, MAX_AGENTS).map(accessRow)}</ul>
${more > 0 ? html`<p class="quiet small">And ${others ? 'more than ' : ''}${count(more)} more.</p>` : ''}`
}

function today(list: readonly ReadToday[]): Markup {
  if (list.length === 0) return html`<p class="quiet">Nothing so far (days begin at midnight UTC).</p>`
  const more = list.length - MAX_AGENTS
  return html`<ul class="rows">${list.slice(0, MAX_AGENTS).map(
    ({ clientId, name, reads, refused, streams }) => html`<li><div class="what">
<a class="row-title" href="/receipts?client=${encodeURIComponent(clientId)}">${named(name, clientId)}</a>
<span class="small">${count(reads)} ${reads === 1 ? 'read' : 'reads'}${streams.length === 0 ? '' : html` of ${streams.slice(0, 4).map((stream, index) => html`${index === 0 ? '' : ', '}${untrustedText(stream, 40)}`)}`}</span></div>
${refused === 0 ? '' : html`<span class="badge warn">${count(refused)} refused</span>`}</li>`,
  )}</ul>
${more > 0 ? html`<p class="quiet small">And ${count(more)} more.</p>` : ''}`
}

interface ConnectionCard {
  readonly name: string
  readonly source: string
  readonly connectionId: string
  readonly total: number
  readonly span: string | undefined
  readonly readAt: number | undefined
  readonly stale: boolean
  readonly streams: readonly { name: string; label: string; count: number }[]
}

function connectionsOf({ declaration, named: connections, streams }: SchemaSource): ConnectionCard[] {
  const source = declaration.display?.name ?? declaration.connector_key
  return connections.map(({ connectionId, displayName }) => {
    const statistics = streams.flatMap((stream) => stream.statistics.filter((one) => one.connectionId === connectionId))
    const times = statistics.flatMap(({ earliest, latest }) => [earliest, latest]).filter((time) => time !== undefined)
    const parts = streams.map((stream) => ({
      name: stream.declaration.name,
      label: stream.declaration.display?.label ?? stream.declaration.name,
      count: stream.statistics.find((entry) => entry.connectionId === connectionId)?.count ?? 0,
    }))
    const captured = statistics.map((one) => one.capturedAt).filter((at) => at !== undefined)
    return {
      name: displayName ?? connectionId,
      source,
      connectionId,
      total: parts.reduce((sum, part) => sum + part.count, 0),
      span: times.length === 0 ? undefined : monthSpan(Math.min(...times) / 1000, Math.max(...times) / 1000),
      readAt: captured.length === 0 ? undefined : Math.max(...captured),
      stale: freshness(statistics).status === 'stale',
      streams: parts.sort((a, b) => b.count - a.count),
    }
  })
}

function card(one: ConnectionCard, months: readonly MonthCount[]): Markup {
  const { name, source, connectionId, total, span, streams } = one
  const more = streams.length - MAX_STREAMS
  const explore = `/explore?connection=${encodeURIComponent(connectionId)}`
  return html`<li class="card"><header>
<h3><a href="${explore}">${untrustedText(name, 80)}</a></h3>
<p class="small quiet">${source === name ? '' : html`${untrustedText(source, 60)} · `}<code>${untrustedText(connectionId, 60)}</code></p>
</header>
${months.length < 2 ? '' : sparkline(months.slice(-24).map(({ month, count: amount }) => ({ at: month, count: amount })))}
<p class="amount"><span><strong>${count(total)}</strong> ${total === 1 ? 'record' : 'records'}</span>${span === undefined ? '' : html`<span class="quiet small">${span}</span>`}
${one.readAt === undefined ? '' : html`<span class="small quiet">${one.stale ? 'The last try to read the source failed; read' : 'Source read'} ${ago(one.readAt, Date.now())}</span>`}</p>
<ul class="streams small">${streams.slice(0, MAX_STREAMS).map((stream) => html`<li><a href="${explore}&amp;stream=${encodeURIComponent(stream.name)}"><span>${untrustedText(stream.label, 40)}</span><span class="number">${count(stream.count)}</span></a></li>`)}
${more > 0 ? html`<li class="quiet">and ${count(more)} more</li>` : ''}</ul></li>`
}

function nothing(): Markup {
  return html`<div class="panel"><p>Nothing is here yet. <a href="/import">Import files</a> of yours.</p><p class="quiet">To look around, stop the server and type <code>pdpp demo</code>: it loads a year of data of an invented person.</p></div>`
}

export const attentions = {
  noPassword: (): Attention => ({
    text: html`You have no password. You sign in with a link that <code>pdpp owner login</code> prints, or you can <a href="/owner/password">set a password</a>.`,
  }),
  unused: (access: AgentAccess): Attention => ({
    text: html`<a href="${accessPath(access)}">${named(access.name, access.clientId, 60)}</a> ${access.lastUsedAt === undefined ? 'never used what it was given' : html`last used its access ${ago(access.lastUsedAt, Date.now())}`}. Does it still need it?`,
  }),
  endsSoon: (access: AgentAccess): Attention => ({
    text: html`The access of <a href="${accessPath(access)}">${named(access.name, access.clientId, 60)}</a> ends ${ago(access.expiresAt!, Date.now())}.`,
  }),
  refused: ({ name, clientId, refused }: ReadToday): Attention => ({
    text: html`<a href="/receipts?client=${encodeURIComponent(clientId)}&amp;outcome=refused">${named(name, clientId, 60)}</a> was refused ${refused === 1 ? 'once' : `${count(refused)} times`} today.`,
  }),
  stale: (connectionId: string, name: string | undefined): Attention => ({
    text: html`The source of <a href="/explore?connection=${encodeURIComponent(connectionId)}">${named(name, connectionId, 60)}</a> could not be read at the last try.`,
  }),
  damaged: (): Attention => ({
    text: html`<strong>Some files are damaged.</strong> Run <code>pdpp doctor</code> to see what is damaged and what to restore.`,
  }),
  broken: (): Attention => ({
    text: html`The activity log was altered: <a href="/receipts">see where</a>.`,
  }),
}
