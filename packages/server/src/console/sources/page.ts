import { html } from 'hono/html'
import type { PageSession } from '../../sign-in/page-session.ts'
import { ago, count, counted } from '../frame/dates.ts'
import { icon } from '../frame/icons.ts'
import { kindTile } from '../frame/kind.ts'
import type { Page } from '../frame/layout.ts'
import { notice } from '../frame/notice.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import type { SourceSummary } from '../home/source-summary.ts'

const MAX_SOURCES = 500

export interface SourcesPage {
  readonly pageSession: PageSession
  readonly sources: readonly SourceSummary[]
  /** Names of the agents that can read a source, by connection id. */
  readonly readers: ReadonlyMap<string, readonly string[]>
  readonly done: string | undefined
}

/** Lists the sources: their size, their freshness, and who can read them. */
export function sourcesPage({ pageSession, sources, readers, done }: SourcesPage): Page {
  const items = sources.reduce((sum, { total }) => sum + total, 0)
  const more = sources.length - MAX_SOURCES
  const body = html`<div class="head"><h1>Sources</h1><a class="button phone-only" href="/import">${icon('add')}Add data</a></div>
${notice(done)}
${
  sources.length === 0
    ? html`<section class="panel empty">${icon('layers', 'big')}<p>Nothing is here yet.</p><a class="button" href="/import">Add data</a></section>`
    : html`<p class="say">${counted(items, 'item')} from ${counted(sources.length, 'source')}.</p>
<div class="panel flat"><table class="table source-table">
<thead><tr><th scope="col">Source</th><th scope="col" class="number">Items</th><th scope="col" class="extra">When</th><th scope="col">Freshness</th><th scope="col" class="extra">Who can read</th></tr></thead>
<tbody>${sources.slice(0, MAX_SOURCES).map((source) => row(source, readers.get(source.connectionId) ?? []))}</tbody></table></div>
${more > 0 ? html`<p class="quiet">And ${count(more)} more, with less in them.</p>` : ''}`
}`
  return { title: 'Sources', body, pageSession, here: '/sources' }
}

function row(
  { connectionId, name, service, kind, total, span, changedAt, isStale }: SourceSummary,
  readers: readonly string[],
): Markup {
  const fresh = isStale
    ? html`<span class="fresh fail">Last try failed</span>`
    : changedAt === undefined
      ? html`<span class="fresh still">Added once</span>`
      : html`<span class="fresh">${ago(changedAt, Date.now())}</span>`
  return html`<tr><th scope="row"><span class="named">${kindTile(kind)}<span><a class="row-title" href="/browse?connection=${encodeURIComponent(connectionId)}">${untrustedText(name, 80)}</a>${name === service ? '' : html`<br><span class="small quiet">${untrustedText(service, 60)}</span>`}</span></span></th>
<td class="number">${count(total)}</td><td class="extra small quiet">${span ?? ''}</td><td>${fresh}</td>
<td class="extra small">${readers.length === 0 ? html`<span class="quiet">Only you</span>` : html`${untrustedText(readers.slice(0, 2).join(', '), 80)}${readers.length > 2 ? ` and ${count(readers.length - 2)} more` : ''}`}</td></tr>`
}
