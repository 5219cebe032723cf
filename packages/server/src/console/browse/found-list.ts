import type { Warning } from '@pdpp/protocol'
import { html } from 'hono/html'
import { RecordUrls } from '../../records/record-url.ts'
import { renderHit } from '../../search/hits/hit.ts'
import type { SearchAnswer } from '../../search/search-service.ts'
import { type FoundRecord, MAX_COUNTED, type SearchOutcome } from '../../search/search-store.ts'
import type { Connection } from '../../sources/connections/connection-store.ts'
import { count } from '../frame/dates.ts'
import { icon } from '../frame/icons.ts'
import { kindOf, kindTile } from '../frame/kind.ts'
import { pager } from '../frame/plot.ts'
import { type Markup, untrustedExcerpt, untrustedText } from '../frame/untrusted-text.ts'
import { labelLine, when } from '../record/record-row.ts'
import { recordPath, type ViewedAs } from '../record/view-as-banner.ts'

export interface FoundList {
  readonly answer: SearchAnswer
  readonly warnings: readonly Warning[]
  readonly as: ViewedAs | undefined
  readonly next: string | undefined
  /** The same search in one stream. */
  readonly within: (stream: string) => string
}

/** The search results, best first, each with the words that match. */
export function foundList({ answer, warnings, as, next, within }: FoundList): Markup {
  const { outcome, rowPage, names } = answer
  if (outcome.found.length === 0)
    return html`<section class="panel empty">${icon('search', 'big')}<p>No results.</p><p class="small">Try fewer words, or all sources and days.</p></section>`
  return html`<section class="stack">
<p class="small quiet" role="status">${matching(outcome)} ${outcome.matches === 1 ? 'item' : 'items'}, best first. ${streamFacets(outcome, within)}</p>
${outcome.building > 0 ? html`<p class="note">Still indexing: some items can't be found yet.</p>` : ''}
<div class="panel flat"><ol class="hits">${rowPage.rows.map((found) => hit(found, answer.outcome.words, names, as))}</ol></div>
${warnings.slice(0, 5).map(({ message }) => html`<p class="small quiet">${untrustedText(message, 300)}</p>`)}
${pager(next, 'More')}
</section>`
}

function matching({ matches = 0 }: SearchOutcome): string {
  return matches > MAX_COUNTED ? `Over ${count(MAX_COUNTED)}` : count(matches)
}

/** Links to the streams with the most hits. Shows counts only if every match was ranked. */
function streamFacets({ found, complete }: SearchOutcome, within: (stream: string) => string): Markup | string {
  const byStream = Map.groupBy(found, ({ target }) => target.scope.stream.name)
  if (byStream.size < 2) return ''
  const largest = [...byStream].sort(([, a], [, b]) => b.length - a.length).slice(0, 8)
  return html`${largest.map(([stream, hits], index) => html`${index === 0 ? '' : ' · '}<a href="${within(stream)}">${untrustedText(stream, 40)}</a>${complete ? ` ${count(hits.length)}` : ''}`)}`
}

interface WireHit {
  readonly id: string
  readonly title: string
  readonly actor?: string
  readonly place?: string
  readonly authored_at?: string
  readonly stream: string
  readonly connection_id: string
  readonly evidence_excerpts: readonly { readonly field_path: string; readonly preview_text: string }[]
}

/** Renders the hit as an agent gets it, so that the owner sees the same. */
function hit(
  found: FoundRecord,
  words: SearchAnswer['outcome']['words'],
  names: ReadonlyMap<string, Connection>,
  as: ViewedAs | undefined,
): Markup {
  const options = { words, names, urls: new RecordUrls('', false), highlight: true, attributed: false }
  const shown = renderHit(found, options) as unknown as WireHit
  const connection = names.get(shown.connection_id)
  const source = connection?.displayName ?? connection?.connectorKey ?? shown.connection_id
  const isNew = (text: string | undefined) => text !== undefined && !shown.title.includes(text)
  const label = {
    actor: isNew(shown.actor) ? shown.actor : undefined,
    container: isNew(shown.place) && shown.place !== source ? shown.place : undefined,
  }
  const kind = kindOf(shown.stream, `${connection?.connectorKey ?? ''} ${source}`)
  return html`<li class="row top-align">${kindTile(kind)}<div class="grow"><p class="cut"><a class="row-title whole" href="${recordPath(shown.id, as)}">${untrustedText(shown.title)}</a></p>
${shown.evidence_excerpts
  .filter(({ preview_text: text }) => text.replaceAll(/<\/?mark>/g, '') !== shown.title)
  .slice(0, 2)
  .map(({ preview_text: text }) => html`<p class="small text2">${untrustedExcerpt(text)}</p>`)}
${labelLine(label, [html`${untrustedText(source, 60)}`])}</div>
${shown.authored_at === undefined ? '' : html`<span class="when">${when(shown.authored_at)}</span>`}</li>`
}
