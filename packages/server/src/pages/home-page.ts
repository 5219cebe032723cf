import { html } from 'hono/html'
import type { VisibleSource } from '../schema/schema-service.ts'
import type { Visitor } from '../sessions/visitor.ts'
import type { Page } from './layout.ts'
import { type Markup, theirs } from './theirs.ts'
import { count, monthSpan } from './time.ts'

const MOST_CARDS = 200
const MOST_STREAMS = 12

export interface HomePage {
  readonly visitor: Visitor
  readonly sources: readonly VisibleSource[]
  readonly hasPassword: boolean
}

/** What is here: every connection, with how much it holds. */
export function homePage({ visitor, sources, hasPassword }: HomePage): Page {
  const cards = sources.flatMap(connectionsOf).sort((a, b) => b.total - a.total)
  const records = cards.reduce((sum, { total }) => sum + total, 0)
  const body = html`<section class="stack">
<h1>Your data</h1>
<div class="figures">
<div class="figure"><strong>${count(records)}</strong><span class="quiet">${records === 1 ? 'record' : 'records'}</span></div>
<div class="figure"><strong>${count(cards.length)}</strong><span class="quiet">${cards.length === 1 ? 'connection' : 'connections'}</span></div>
</div>
</section>
${hasPassword ? '' : reminder()}
<section class="stack">
<h2>Connections</h2>
${cards.length === 0 ? nothing() : html`<ul class="cards">${cards.slice(0, MOST_CARDS).map(card)}</ul>`}
${cards.length > MOST_CARDS ? html`<p class="quiet">And ${count(cards.length - MOST_CARDS)} more, with less in them.</p>` : ''}
</section>`
  return { title: 'Your data', body, visitor, here: '/' }
}

interface ConnectionCard {
  readonly name: string
  readonly source: string
  readonly connectionId: string
  readonly total: number
  readonly span: string | undefined
  readonly streams: readonly { name: string; count: number }[]
}

function connectionsOf({ declaration, named, streams }: VisibleSource): ConnectionCard[] {
  const source = declaration.display?.name ?? declaration.connector_key
  return named.map(({ connectionId, displayName }) => {
    const parts = streams.map((stream) => ({
      name: stream.declaration.display?.label ?? stream.declaration.name,
      ...stream.statistics.find((entry) => entry.connectionId === connectionId),
    }))
    const times = parts.flatMap(({ earliest, latest }) => [earliest, latest]).filter((time) => time !== undefined)
    return {
      name: displayName ?? connectionId,
      source,
      connectionId,
      total: parts.reduce((sum, part) => sum + (part.count ?? 0), 0),
      span: times.length === 0 ? undefined : monthSpan(Math.min(...times) / 1000, Math.max(...times) / 1000),
      streams: parts.map((part) => ({ name: part.name, count: part.count ?? 0 })).sort((a, b) => b.count - a.count),
    }
  })
}

function card({ name, source, connectionId, total, span, streams }: ConnectionCard): Markup {
  const more = streams.length - MOST_STREAMS
  return html`<li class="card"><header>
<h3>${theirs(name, 80)}</h3>
<p class="small quiet">${source === name ? '' : html`${theirs(source, 60)} · `}<code>${theirs(connectionId, 60)}</code></p>
</header>
<p class="amount"><span><strong>${count(total)}</strong> ${total === 1 ? 'record' : 'records'}</span>${span === undefined ? '' : html`<span class="quiet small">${span}</span>`}</p>
<ul class="counts small">${streams.slice(0, MOST_STREAMS).map((stream) => html`<li><span>${theirs(stream.name, 40)}</span><span class="number">${count(stream.count)}</span></li>`)}
${more > 0 ? html`<li class="quiet">and ${count(more)} more</li>` : ''}</ul></li>`
}

function reminder(): Markup {
  return html`<div class="note"><p>You have no password. You sign in with a link that <code>pdpp owner login</code> prints, or you can <a href="/owner/password">set a password</a>.</p></div>`
}

function nothing(): Markup {
  return html`<div class="panel"><p>Nothing is here yet.</p><p class="quiet">To look around, stop the server and type <code>pdpp demo</code>: it loads a year of data of an invented person.</p></div>`
}
