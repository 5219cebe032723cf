import type { SourceDeclaration } from '@pdpp/protocol'
import { html } from 'hono/html'
import { FIELDS, FIND_CHARS, type WideningChoice } from '../../grants/widening/choice.ts'
import type { OfferedPart } from '../../grants/widening/offer.ts'
import { isFulfilled, type WideningSubject } from '../../grants/widening/subject.ts'
import type { RecordUrls } from '../../records/record-url.ts'
import { sourceLine } from '../consent/source-line.ts'
import { count, counted } from '../frame/dates.ts'
import { icon } from '../frame/icons.ts'
import { kindOf, sourceWords } from '../frame/kind.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import { partLine, sourceName } from './part.ts'
import type { PreviewedStream } from './preview.ts'

/** Max. sources in the list. Chosen sources are always in it. */
const MAX_SOURCES = 60
/** Lists with more sources have a search field. */
const MANY_SOURCES = 12

export interface PartListView {
  readonly subject: WideningSubject
  readonly choice: WideningChoice
  readonly preview: readonly PreviewedStream[]
  /** Number of all items of each stream, by connector and stream. */
  readonly totals: ReadonlyMap<string, number>
  readonly urls: RecordUrls
  readonly asked?: string | undefined
}

/** The parts to tick: single parts if the agent asked for them, sources if the owner is looking for something. */
export function partList(view: PartListView): Markup {
  const { subject, asked } = view
  const { offer } = subject
  if (offer.length === 0) return html`<section class="panel"><p>${nothingText(subject)}</p></section>`
  const row = (part: OfferedPart) =>
    partLine({
      ...{ part, choice: view.choice, preview: view.preview, urls: view.urls, isOnly: offer.length === 1 },
      total: view.totals.get(`${part.declaration.connector_key}/${part.stream.name}`),
    })
  if (asked !== undefined && offer.length <= 12) return html`<ul class="lines">${offer.map(row)}</ul>`
  const all = [...Map.groupBy(offer, ({ declaration }) => declaration)]
  const shown = shownSources(all, view.choice)
  return html`${all.length > MANY_SOURCES ? finder(view.choice.find) : ''}
<ul class="lines${shown.length > 6 ? ' dense' : ''}">${shown.map(([declaration, own]) => sourceGroup(view, declaration, own, row))}</ul>
${shown.length === all.length ? '' : html`<p class="small quiet">${counted(shown.length, 'source')} of ${count(all.length)}. Search for the others.</p>`}`
}

/** The reason why there is nothing to tick. Only the owner reads it; the agent does not learn it. */
function nothingText(subject: WideningSubject): string {
  const { access, lacks } = subject
  if (!access) return 'There is nothing here yet that could be read.'
  if (!lacks) return 'It already reads everything that is here.'
  if (isFulfilled(subject)) return 'It can read this already.'
  return 'Nothing here has that name. The agent does not learn that.'
}

type Group = readonly [SourceDeclaration, readonly OfferedPart[]]

/** The sources that are chosen or match the search, up to the max. of a page. */
function shownSources(all: readonly Group[], { find, parts }: WideningChoice): readonly Group[] {
  const isChosen = ([, own]: Group) => own.some(({ key }) => parts.has(key))
  const folded = find.toLocaleLowerCase('en')
  const isFound = ([, own]: Group) =>
    [sourceName(own[0]!), ...own.flatMap(({ connections }) => connections.map((one) => one.displayName ?? ''))].some(
      (name) => name.toLocaleLowerCase('en').includes(folded),
    )
  const found = new Set(all.filter(isFound).slice(0, MAX_SOURCES))
  return all.filter((group) => found.has(group) || isChosen(group))
}

function finder(find: string): Markup {
  return html`<div class="over-list"><div class="find-source">${icon('search')}<input type="search" id="find" name="${FIELDS.find}" value="${find}" maxlength="${FIND_CHARS}" aria-label="Find a source" placeholder="Find a source" autocomplete="off"></div></div>`
}

/** A source with its parts folded below it. Its own tick stands for all parts that are not sensitive. */
function sourceGroup(
  { choice }: PartListView,
  { connector_key: key }: SourceDeclaration,
  own: readonly OfferedPart[],
  row: (part: OfferedPart) => Markup,
): Markup {
  const chosen = own.filter((part) => choice.parts.has(part.key)).length
  const first = own[0]!
  return sourceLine({
    tick: {
      ...{ id: `source-${key}`, name: FIELDS.source, value: key },
      state: chosen === 0 ? 'none' : chosen === own.length ? 'all' : 'some',
    },
    kind: kindOf(first.stream.name, sourceWords(first.declaration)),
    title: untrustedText(sourceName(first), 80),
    isSensitive: own.every(({ isSensitive }) => isSensitive),
    hint: chosen === 0 ? counted(own.length, 'part') : `${chosen} of ${counted(own.length, 'part')} chosen`,
    amount: '',
    hidden: html`<input type="hidden" name="${FIELDS.shownSource}" value="${chosen === own.length ? 'all' : chosen === 0 ? 'none' : 'some'}/${key}">`,
    fold: {
      id: `parts-${key}`,
      label: html`The parts of ${untrustedText(sourceName(first), 80)}`,
      isOpen: chosen > 0,
      body: html`<ul class="lines">${own.map(row)}</ul>`,
    },
  })
}
