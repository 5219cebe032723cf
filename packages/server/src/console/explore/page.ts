import { html } from 'hono/html'
import type { SchemaSource } from '../../schema/schema-service.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { count } from '../frame/dates.ts'
import type { Page } from '../frame/layout.ts'
import { PLOT_SCRIPT_PATH } from '../frame/plot-script.ts'
import { type Markup, plainText, untrustedText } from '../frame/untrusted-text.ts'
import { type ViewedAs, viewedAsBanner } from '../record/view-as-banner.ts'

const MAX_CARDS = 100
const MAX_STREAMS = 40

/** The fields of the search form. */
export interface ExploreQuery {
  readonly text: string | undefined
  readonly connection: string | undefined
  readonly stream: string | undefined
  readonly since: string | undefined
  readonly until: string | undefined
}

export interface ExplorePage {
  readonly pageSession: PageSession
  readonly sources: readonly SchemaSource[]
  readonly exploreQuery: ExploreQuery
  readonly as: ViewedAs | undefined
  readonly body: Markup
}

/** The search form. Below it: the search results, one stream, or an overview of everything. */
export function explorePage({ pageSession, sources, exploreQuery, as, body }: ExplorePage): Page {
  const content = html`${viewedAsBanner(as)}
<h1>Explore</h1>
${searchForm(sources, exploreQuery, as)}
${body}`
  const about = exploreQuery.text ?? [exploreQuery.connection, exploreQuery.stream].filter(Boolean).join(' / ')
  return {
    title: about === '' ? 'Explore' : `${plainText(about)} · Explore`,
    body: content,
    pageSession,
    here: '/explore',
    script: PLOT_SCRIPT_PATH,
  }
}

function searchForm(sources: readonly SchemaSource[], exploreQuery: ExploreQuery, as: ViewedAs | undefined): Markup {
  const connections = sources.flatMap(({ named }) => named).slice(0, 500)
  const streams = [...new Set(sources.flatMap((source) => source.streams.map(({ declaration }) => declaration.name)))]
  const option = (value: string, text: string, chosen: string | undefined) =>
    html`<option value="${value}"${value === chosen ? html` selected` : ''}>${plainText(text)}</option>`
  return html`<search><form method="get" action="/explore" class="search">
${as === undefined ? '' : html`<input type="hidden" name="as" value="${as.id}">`}
<div class="line"><input type="search" name="q" value="${exploreQuery.text ?? ''}" aria-label="Search" placeholder="Search for words" maxlength="500" autocomplete="off"><button class="button">Search</button></div>
<div class="facets">
<label>Where <select name="connection"><option value="">everywhere</option>${connections.map(({ connectionId, displayName }) => option(connectionId, displayName ?? connectionId, exploreQuery.connection))}</select></label>
<label>What <select name="stream"><option value="">everything</option>${streams.slice(0, 500).map((name) => option(name, name, exploreQuery.stream))}</select></label>
<label>From <input type="date" name="since" value="${exploreQuery.since ?? ''}"></label>
<label>Until <input type="date" name="until" value="${exploreQuery.until ?? ''}"></label>
</div>
</form></search>`
}

/** All visible streams, by connection. */
export function overview(
  sources: readonly SchemaSource[],
  { link, isDated }: { readonly link: (connection: string, stream: string) => string; readonly isDated: boolean },
): Markup {
  const cards = sources
    .flatMap((source) => source.named.map((connection) => ({ source, connection })))
    .filter(({ source, connection }) =>
      source.streams.some(({ scope }) => scope.connections.includes(connection.connectionId)),
    )
  if (cards.length === 0) return html`<p class="quiet">There is nothing here to look at.</p>`
  return html`${isDated ? html`<p class="note">The dates apply to a search or to one stream. The numbers here are for all days.</p>` : ''}
<ul class="cards">${cards.slice(0, MAX_CARDS).map(({ source, connection: { connectionId, displayName } }) => {
    const streams = source.streams.filter(({ scope }) => scope.connections.includes(connectionId))
    const [name, from] = [
      displayName ?? connectionId,
      source.declaration.display?.name ?? source.declaration.connector_key,
    ]
    return html`<li class="card"><header><h2>${untrustedText(name, 80)}</h2>
${name === from ? '' : html`<p class="small quiet">${untrustedText(from, 60)}</p>`}</header>
<ul class="streams small">${streams.slice(0, MAX_STREAMS).map(({ declaration, statistics }) => {
      const amount = statistics.find((one) => one.connectionId === connectionId)?.count ?? 0
      return html`<li><a href="${link(connectionId, declaration.name)}"><span>${untrustedText(declaration.display?.label ?? declaration.name, 60)}</span><span class="number">${count(amount)}</span></a></li>`
    })}
${streams.length > MAX_STREAMS ? html`<li class="quiet">and ${count(streams.length - MAX_STREAMS)} more: choose one under “What”</li>` : ''}</ul></li>`
  })}</ul>
${cards.length > MAX_CARDS ? html`<p class="quiet">And ${count(cards.length - MAX_CARDS)} more: choose one under “Where”.</p>` : ''}`
}
