import type { Warning } from '@pdpp/protocol'
import { html } from 'hono/html'
import { RecordUrls } from '../../records/record-url.ts'
import type { Attachments } from '../../search/hits/attachments.ts'
import { renderHit } from '../../search/hits/hit.ts'
import type { SearchAnswer } from '../../search/search-service.ts'
import { type FoundRecord, MAX_COUNTED, type SearchOutcome } from '../../search/search-store.ts'
import { count } from '../frame/dates.ts'
import { icon } from '../frame/icons.ts'
import { kindOf, kindTile } from '../frame/kind.ts'
import { pager } from '../frame/plot.ts'
import { type Markup, untrustedExcerpt, untrustedText } from '../frame/untrusted-text.ts'
import { labelLine, when } from '../record/record-row.ts'
import { recordPath, type ViewedAs } from '../record/view-as-banner.ts'

/** Max. characters shown of a preview. The server's previews are shorter. */
const PREVIEW_CHARS = 400

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
  const { outcome, rowPage } = answer
  if (rowPage.rows.length === 0)
    return html`<section class="panel empty">${icon('search', 'big')}<p>No results.</p><p class="small">Try fewer words, or all sources and days.</p>${nearestWords(outcome)}</section>`
  return html`<section class="stack">
<p class="small quiet" role="status">${matching(outcome)} ${outcome.total === 1 ? 'item' : 'items'}, best first. ${streamFacets(answer, within)}</p>
${nearestWords(outcome)}
${outcome.building > 0 ? html`<p class="note">Still indexing: some items can't be found yet.</p>` : ''}
<div class="panel flat"><ol class="hits">${rowPage.rows.map((found) => hit(found, answer, as))}</ol></div>
${warnings.slice(0, 5).map(({ message }) => html`<p class="small quiet">${untrustedText(message, 300)}</p>`)}
${pager(next, 'More')}
</section>`
}

/** Suggests the nearest forms of words that no item contains. */
function nearestWords({ words }: SearchOutcome): Markup[] {
  return words
    .filter(({ nearest }) => nearest.length > 0)
    .map(
      ({ term, nearest }) =>
        html`<p class="small quiet">No item has ${untrustedText(term, 60)}. Near it: ${nearest.map(({ term: near, records }, index) => html`${index === 0 ? '' : ', '}${untrustedText(near, 60)} ${count(records)}`)}.</p>`,
    )
}

function matching({ total }: SearchOutcome): string {
  return total > MAX_COUNTED ? `Over ${count(MAX_COUNTED)}` : count(total)
}

/** Links to the streams with the most matches. */
function streamFacets({ outcome, targets }: SearchAnswer, within: (stream: string) => string): Markup | string {
  const byStream = new Map<string, number>()
  for (const [at, { scope }] of targets.entries())
    byStream.set(scope.stream.name, (byStream.get(scope.stream.name) ?? 0) + outcome.totals[at]!)
  const largest = [...byStream]
    .filter(([, matches]) => matches > 0)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 8)
  if (largest.length < 2) return ''
  return html`${largest.map(([stream, matches], index) => html`${index === 0 ? '' : ' · '}<a href="${within(stream)}">${untrustedText(stream, 40)}</a> ${count(matches)}`)}`
}

interface WireHit {
  readonly id: string
  readonly title: string
  readonly actor?: string
  readonly place?: string
  readonly authored_at?: string
  readonly stream: string
  readonly connection_id: string
  readonly attachments?: Attachments
  readonly evidence_excerpts: readonly { readonly field_path: string; readonly preview_text: string }[]
  readonly begins?: { readonly preview_text: string }
  readonly context?: { readonly id: string; readonly actor?: string; readonly preview_text?: string }
}

/** Renders the hit in the form that an agent gets, so that the owner sees the same. */
function hit(found: FoundRecord, { targets, names }: SearchAnswer, as: ViewedAs | undefined): Markup {
  const options = { targets, names, urls: new RecordUrls('', false), attributed: false, madeTitles: true }
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
${previews(shown, as)}
${labelLine(label, [html`${untrustedText(source, 60)}`, ...attached(shown.attachments)])}</div>
${shown.authored_at === undefined ? '' : html`<span class="when">${when(shown.authored_at)}</span>`}</li>`
}

/** Shows the beginning of an item that was found by its author or its neighbour, and that neighbour. */
function previews({ begins, context }: WireHit, as: ViewedAs | undefined): Markup {
  const beside = context?.preview_text
  return html`${begins ? html`<p class="small text2"><span class="dim">Begins:</span> ${untrustedText(begins.preview_text, PREVIEW_CHARS)}</p>` : ''}
${
  context === undefined
    ? ''
    : html`<p class="small quiet text2"><a href="${recordPath(context.id, as)}">Beside it</a>${beside === undefined ? '' : html`${context.actor === undefined ? '' : html`, ${untrustedText(context.actor, 60)}`}: ${untrustedText(beside, PREVIEW_CHARS)}`}</p>`
}`
}

function attached(attachments: Attachments | undefined): Markup[] {
  if (!attachments) return []
  const { kind, count: files } = attachments
  const many = kind === 'audio' ? kind : `${kind}s`
  return [html`${files === undefined ? many : files === 1 ? `1 ${kind}` : `${count(files)} ${many}`}`]
}
