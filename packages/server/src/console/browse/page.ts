import { html } from 'hono/html'
import type { SchemaSource } from '../../schema/schema-service.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { count } from '../frame/dates.ts'
import { icon } from '../frame/icons.ts'
import { type Kind, kindOf, kindTile, sourceWords } from '../frame/kind.ts'
import type { Page } from '../frame/layout.ts'
import { type Markup, plainText, untrustedText } from '../frame/untrusted-text.ts'
import { type ViewedAs, viewedAsBanner } from '../record/view-as-banner.ts'

const MAX_CARDS = 100
const MAX_STREAMS = 40

/** The fields of the search form. */
export interface BrowseQuery {
  readonly text: string | undefined
  /** Limits the overview to streams of one kind. */
  readonly kind: Kind | undefined
  readonly connection: string | undefined
  readonly stream: string | undefined
  readonly since: string | undefined
  readonly until: string | undefined
}

export interface BrowsePage {
  readonly pageSession: PageSession
  readonly sources: readonly SchemaSource[]
  readonly browseQuery: BrowseQuery
  readonly as: ViewedAs | undefined
  readonly body: Markup
}

/** The search form. Below it: the search results, one stream, or an overview of everything. */
export function browsePage({ pageSession, sources, browseQuery, as, body }: BrowsePage): Page {
  const content = html`${viewedAsBanner(as)}
<h1>Browse</h1>
${searchForm(sources, browseQuery, as)}
${body}`
  const about = browseQuery.text ?? [browseQuery.connection, browseQuery.stream].filter(Boolean).join(' / ')
  return {
    title: about === '' ? 'Browse' : `${plainText(about)} · Browse`,
    body: content,
    pageSession,
    here: '/browse',
  }
}

function searchForm(sources: readonly SchemaSource[], browseQuery: BrowseQuery, as: ViewedAs | undefined): Markup {
  const connections = sources.flatMap(({ named }) => named).slice(0, 500)
  const streams = [...new Set(sources.flatMap((source) => source.streams.map(({ declaration }) => declaration.name)))]
  const option = (value: string, text: string, chosen: string | undefined) =>
    html`<option value="${value}"${value === chosen ? html` selected` : ''}>${plainText(text)}</option>`
  return html`<search><form method="get" action="/browse" class="search">
${as === undefined ? '' : html`<input type="hidden" name="as" value="${as.id}">`}
<div class="line"><div class="finder">${icon('search')}<input type="search" name="q" value="${browseQuery.text ?? ''}" aria-label="Search" placeholder="Search everything you have" maxlength="500" autocomplete="off"><kbd aria-hidden="true">/</kbd></div><button class="button">Search</button></div>
<div class="facets">
<label>Source <select name="connection"><option value="">all sources</option>${connections.map(({ connectionId, displayName }) => option(connectionId, displayName ?? connectionId, browseQuery.connection))}</select></label>
<label>Part <select name="stream"><option value="">everything</option>${streams.slice(0, 500).map((name) => option(name, name, browseQuery.stream))}</select></label>
<label>From <input type="date" name="since" value="${browseQuery.since ?? ''}"></label>
<label>Until <input type="date" name="until" value="${browseQuery.until ?? ''}"></label>
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
  if (cards.length === 0)
    return html`<section class="panel empty">${icon('search', 'big')}<p>There is nothing here to look at.</p></section>`
  return html`${isDated ? html`<p class="note">Dates apply to a search or to one part of a source. The numbers here are for all days.</p>` : ''}
<ul class="cards">${cards.slice(0, MAX_CARDS).map(({ source, connection: { connectionId, displayName } }) => {
    const streams = source.streams.filter(({ scope }) => scope.connections.includes(connectionId))
    const from = source.declaration.display?.name ?? source.declaration.connector_key
    const name = displayName ?? from
    const words = sourceWords(source.declaration)
    return html`<li class="card"><header class="head">${kindTile(kindOf(streams[0]!.declaration.name, words))}<div class="grow"><h2>${untrustedText(name, 80)}</h2>
${name === from ? '' : html`<p class="small quiet">${untrustedText(from, 60)}</p>`}</div></header>
<ul class="streams small">${streams.slice(0, MAX_STREAMS).map(({ declaration, statistics }) => {
      const amount = statistics.find((one) => one.connectionId === connectionId)?.count ?? 0
      return html`<li><a href="${link(connectionId, declaration.name)}"><span>${untrustedText(declaration.display?.label ?? declaration.name, 60)}</span><span class="number">${count(amount)}</span></a></li>`
    })}
${streams.length > MAX_STREAMS ? html`<li class="quiet">and ${count(streams.length - MAX_STREAMS)} more: choose one under “Part”</li>` : ''}</ul></li>`
  })}</ul>
${cards.length > MAX_CARDS ? html`<p class="quiet">And ${count(cards.length - MAX_CARDS)} more: choose one under “Source”.</p>` : ''}`
}
