import { html } from 'hono/html'
import type { MonthCount } from '../../aggregates/monthly-counts.ts'
import type { AgentAccess } from '../../grants/summary/agent-access.ts'
import { accessPath } from '../../grants/summary/agent-access.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { accessWords, agentName, type SourceNames, statusBadge } from '../access/access-text.ts'
import { ago, count, counted, monthText } from '../frame/dates.ts'
import { icon } from '../frame/icons.ts'
import { agentTile, KINDS, kindTile } from '../frame/kind.ts'
import type { Page } from '../frame/layout.ts'
import { zonedHour } from '../frame/local-time.ts'
import { notice } from '../frame/notice.ts'
import { named, type PlotPoint, plot } from '../frame/plot.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import { type Attention, needsYou, type ReadToday } from './attention.ts'
import { countsByKind, type SourceSummary } from './source-summary.ts'

const MAX_AGENTS = 4
const MAX_KINDS = 12
/** More months than this are shown as years. */
const MAX_MONTHS = 25

export interface HomePage {
  readonly pageSession: PageSession
  readonly sources: readonly SourceSummary[]
  readonly months: readonly MonthCount[]
  readonly agents: readonly AgentAccess[]
  readonly names: SourceNames
  /** Number of clients with full access. */
  readonly full: number
  /** True if there are more agents than were read. */
  readonly moreAgents: boolean
  readonly today: readonly ReadToday[]
  /** False if the activity log was altered. */
  readonly isLogIntact: boolean
  readonly attention: { readonly shown: readonly Attention[]; readonly more: number }
  readonly done: string | undefined
}

/** The start page: what needs the owner, which data is here, who can read it, and what was read today. */
export function homePage(view: HomePage): Page {
  const { sources, attention } = view
  const body = html`${notice(view.done)}
<header class="stack tight"><h1>${greeting()}</h1>${summary(view)}</header>
${
  sources.length === 0
    ? nothing()
    : html`<div class="cols home">
${attention.shown.length === 0 ? html`<div></div>` : needsYou(attention)}
<div class="stack side">${whoCanRead(view)}${readToday(view)}${freshnessPanel(sources)}</div>
<div class="stack">${everything(view)}</div>
</div>`
}
${sources.length === 0 && attention.shown.length > 0 ? needsYou(attention) : ''}`
  const needsOwner = attention.shown.length + attention.more
  return { title: 'Home', body, pageSession: view.pageSession, here: '/', needsOwner }
}

function greeting(): string {
  const hour = zonedHour(Date.now())
  return hour < 5 || hour >= 18 ? 'Good evening.' : hour < 12 ? 'Good morning.' : 'Good afternoon.'
}

function summary({ sources, agents, moreAgents, today }: HomePage): Markup {
  if (sources.length === 0) return html`<p class="say">Nothing is here yet, and nobody can read anything.</p>`
  const items = sources.reduce((sum, { total }) => sum + total, 0)
  const readers = new Set(agents.filter(({ status }) => status === 'active').map(({ clientId }) => clientId)).size
  const reads = today.reduce((sum, one) => sum + one.reads, 0)
  const who =
    readers === 0
      ? html`Nobody else can read them.`
      : html`<strong>${moreAgents ? 'More than ' : ''}${counted(readers, 'agent')}</strong> can read parts of them.`
  const read =
    readers === 0
      ? ''
      : reads === 0
        ? html` No agent has read anything today.`
        : html` Today they read <strong>${reads === 1 ? 'once' : `${count(reads)} times`}</strong>.`
  return html`<p class="say">You keep <strong>${counted(items, 'item')}</strong> from <strong>${counted(sources.length, 'source')}</strong> here. ${who}${read}</p>`
}

function whoCanRead({ agents, names, full, moreAgents }: HomePage): Markup {
  const more = agents.length - MAX_AGENTS
  return html`<section class="panel flat" aria-labelledby="can"><div class="bar">${icon('bot')}<h2 id="can">Who can read</h2><a href="/agents">All agents</a></div>
<ul class="list">
${full === 0 ? '' : html`<li class="row"><span class="tile">${icon('terminal')}</span><div class="grow small">${counted(full, 'device')} <a href="/agents">can do everything that you can</a>.</div></li>`}
${
  agents.length === 0
    ? html`<li class="row"><div class="grow small quiet">Nobody ${full === 0 ? 'but you' : 'else'}. <a href="/agents/connect">Connect an agent</a> and choose what it may read.</div></li>`
    : agents.slice(0, MAX_AGENTS).map(
        (
          access,
        ) => html`<li class="row top-align">${agentTile(agentName(access))}<div class="grow"><h3><a class="row-title" href="${accessPath(access)}">${named(access.name, access.clientId, 60)}</a> ${statusBadge(access, Date.now())}</h3>
<p class="small quiet">${accessWords(access, names)}</p>
<p class="small dim">${access.lastUsedAt === undefined ? 'Never used' : html`Last used ${ago(access.lastUsedAt, Date.now())}`}</p></div></li>`,
      )
}
${more > 0 ? html`<li class="row small quiet">And ${moreAgents ? 'more than ' : ''}${count(more)} more.</li>` : ''}</ul></section>`
}

function readToday({ today, isLogIntact }: HomePage): Markup {
  const more = today.length - MAX_AGENTS
  return html`<section class="panel flat seen" aria-labelledby="read"><div class="bar">${icon('eye')}<h2 id="read">Read today</h2><a href="/activity">All activity</a></div>
<ul class="list">${
    today.length === 0
      ? html`<li class="row small quiet">No agent has read anything today.</li>`
      : today.slice(0, MAX_AGENTS).map(
          ({
            clientId,
            name,
            reads,
            refused,
            streams,
          }) => html`<li class="row top-align"><div class="grow"><p><a class="row-title" href="/activity?client=${encodeURIComponent(clientId)}">${named(name, clientId, 60)}</a> <span class="small quiet">${reads === 0 ? '' : reads === 1 ? 'read once' : `read ${count(reads)} times`}</span></p>
${streams.length === 0 ? '' : html`<p class="small quiet cut">${streams.slice(0, 4).map((stream, index) => html`${index === 0 ? '' : ', '}${untrustedText(stream, 40)}`)}</p>`}</div>
${refused === 0 ? '' : html`<span class="badge bad">${count(refused)} refused</span>`}</li>`,
        )
  }
${more > 0 ? html`<li class="row small quiet">And ${count(more)} more.</li>` : ''}</ul>
${isLogIntact ? html`<p class="row small quiet">${icon('shield')} Log verified: nothing was altered.</p>` : ''}</section>`
}

function freshnessPanel(sources: readonly SourceSummary[]): Markup {
  const stale = sources.filter(({ isStale }) => isStale)
  const fine = sources.length - stale.length
  return html`<section class="panel flat" aria-labelledby="src"><div class="bar">${icon('layers')}<h2 id="src">Sources</h2><a href="/sources">All ${count(sources.length)}</a></div>
<div class="in stack tight">${fine === 0 ? '' : html`<span class="fresh">${counted(fine, 'source')} without problems</span>`}
${stale.length === 0 ? '' : html`<span class="fresh fail">${count(stale.length)} failed: ${untrustedText(stale[0]!.name, 40)}${stale.length > 1 ? ` and ${count(stale.length - 1)} more` : ''}</span>`}</div></section>`
}

function everything({ sources, months }: HomePage): Markup {
  const kinds = countsByKind(sources)
  return html`<section class="panel flat" aria-labelledby="have"><div class="bar"><h2 id="have">Everything you have</h2><a href="/browse">Browse</a></div>
<div class="in">${timePlot(months)}
<ul class="kinds">${kinds.slice(0, MAX_KINDS).map(({ kind, count: amount }) => html`<li><a href="/browse?kind=${kind}">${kindTile(kind)}<span><strong>${count(amount)}</strong><small>${KINDS[kind]}</small></span></a></li>`)}</ul></div></section>`
}

/** A plot by month, or by year if there are many months. */
function timePlot(months: readonly MonthCount[]): Markup | string {
  if (months.length < 2) return ''
  const points = months.map(({ month, count: amount }) => ({ at: month, count: amount }))
  if (months.length <= MAX_MONTHS)
    return plot({ title: 'Items by month', points, name: monthText, shortName: shortMonth, unit: 'Items' })
  return plot({ title: 'Items by year', points: byYear(points), name: yearText, unit: 'Items' })
}

const yearText = (at: number): string => String(new Date(at).getUTCFullYear())
const shortMonth = (at: number): string => {
  const text = monthText(at)
  return text.startsWith('Jan') ? yearText(at) : text.slice(0, 3)
}

function byYear(points: readonly PlotPoint[]): PlotPoint[] {
  const years = Map.groupBy(points, ({ at }) => Date.UTC(new Date(at).getUTCFullYear(), 0))
  return [...years].map(([at, list]) => ({ at, count: list.reduce((sum, one) => sum + one.count, 0) }))
}

function nothing(): Markup {
  return html`<section class="panel empty">${icon('layers', 'big')}<p>Add an export from a service you use, a mailbox, or a table.<br>You see everything before it is saved.</p><a class="button" href="/import">${icon('add')}Add data</a></section>`
}
