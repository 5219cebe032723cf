import { html } from 'hono/html'
import { FORM, isChosen, type SourceChoice } from '../../authorization/consent/choice.ts'
import type { OfferedSource, OfferedStream } from '../../authorization/consent/offer.ts'
import { isDated, type Preset } from '../../authorization/consent/presets.ts'
import { countOf, type SourcePreview } from '../../authorization/consent/preview.ts'
import type { RecordUrls } from '../../records/record-url.ts'
import { count, counted } from '../frame/dates.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import { requestFacts } from './request-facts.ts'
import { sampleItems, sampleTable } from './sample.ts'

export interface FoldView {
  readonly source: OfferedSource
  readonly choice: SourceChoice
  readonly preview: SourcePreview | undefined
  readonly urls: RecordUrls
  /** True if days limit the choice. Parts without dates must then say that days do not limit them. */
  readonly hasPeriod: boolean
  /** True if the top of the page already shows the client's own statements. */
  readonly areFactsShown: boolean
  /** The name of the source, and the names of other sources that share its parts and fields. */
  readonly name: string
  readonly sharedWith: readonly string[]
}

/** The name of the button that shows samples of a source, and of the hidden fields that keep them visible. */
export const OPEN_FIELD = 'open'

/** One source: its newest items, and its parts, fields and days. */
export function sourceFold(view: FoldView): Markup {
  const { source, choice, preview } = view
  const samples = preview?.hasSamples
    ? html`<input type="hidden" name="${OPEN_FIELD}" value="${source.key}">${sampleItems(preview, view.name)}`
    : html`<p class="without-script"><button class="button plain small" name="${OPEN_FIELD}" value="${source.key}">Show the newest items</button></p>`
  return html`${source.asked && !view.areFactsShown ? requestFacts(source.asked) : ''}
${samples}
${view.sharedWith.length === 0 ? '' : html`<p class="small quiet">Parts, fields and days are the same for ${view.sharedWith.map((name, index) => html`${index === 0 ? '' : ', '}${untrustedText(name, 60)}`)}.</p>`}
<input type="hidden" name="${FORM.parts(source.key)}" value="listed">
<ul class="parts" aria-label="Parts">${source.streams.map((stream) => part(view, stream))}</ul>
${presets(source)}
${days(source, choice)}
${isChosen(choice) ? '' : keptParts(source, choice)}`
}

function part(view: FoldView, stream: OfferedStream): Markup {
  const { source, choice, preview } = view
  const { key } = source
  const { declaration, maxGrant } = stream
  const chosen = choice.streams.get(maxGrant.name)
  const shown = preview?.streams.get(maxGrant.name)
  const id = `s-${key}-${maxGrant.name}`
  // Ticked, but outside the chosen accounts or days.
  const isOutside = chosen !== undefined && preview !== undefined && shown === undefined
  const connections = isChosen(choice) ? choice.connections : source.connections.map(({ connectionId }) => connectionId)
  const amount = preview && countOf(preview, source, [maxGrant.name], connections)
  const detail = declaration.display?.detail ?? declaration.description
  return html`<li><label class="tick"><input type="checkbox" id="${id}" name="${FORM.stream(key)}" value="${maxGrant.name}"${chosen ? html` checked` : ''}>
<span><strong>${untrustedText(declaration.display?.label ?? maxGrant.name, 60)}</strong>${stream.sensitive && !source.sensitive ? html` <span class="badge warn">Sensitive</span>` : ''}
<span class="dim">${isOutside ? 'nothing shared' : amount === undefined ? '' : count(amount)}</span>${detail === undefined ? '' : html` <span class="small quiet">${untrustedText(detail, 200)}</span>`}</span></label>
${limits(view, stream, isOutside)}
${chosen === undefined ? '' : shown && preview?.hasSamples ? fields(view, stream, chosen) : keptFields(source, stream, chosen)}</li>`
}

function fields({ source, preview, urls }: FoldView, stream: OfferedStream, chosen: readonly string[]): Markup {
  const { declaration, maxGrant } = stream
  const all = Object.keys(declaration.schema['properties'] ?? {}).length
  return html`<details class="fields-of" id="d-s-${source.key}-${maxGrant.name}"><summary>Choose fields (${chosen.length} of ${all})</summary>
${sampleTable({ key: source.key, stream, preview: preview!.streams.get(maxGrant.name)!, chosen, urls })}</details>`
}

/** Keeps the chosen fields in the form while the page shows no boxes for them. Not needed if all fields are chosen. */
function keptFields({ key }: OfferedSource, { maxGrant }: OfferedStream, fields: readonly string[]): Markup {
  if (fields.length === maxGrant.fields.length) return html``
  const kept = fields.map(
    (field) => html`<input type="hidden" name="${FORM.field(key, maxGrant.name)}" value="${field}">`,
  )
  return html`<input type="hidden" name="${FORM.listed(key)}" value="${maxGrant.name}">${kept}`
}

/** Keeps the choices that were made before the source was unticked. */
function keptParts(source: OfferedSource, { kept }: SourceChoice): Markup {
  return html`${source.streams
    .filter(({ maxGrant }) => kept.has(maxGrant.name))
    .map(
      (stream) =>
        html`<input type="hidden" name="${FORM.kept(source.key)}" value="${stream.maxGrant.name}">${keptFields(source, stream, kept.get(stream.maxGrant.name)!)}`,
    )}`
}

/** Keeps the whole choice of a source whose fold is not on the page. Not needed if the choice is only a tick. */
export function keptChoice(source: OfferedSource, choice: SourceChoice): Markup {
  const day = (name: string, value: string) =>
    value === '' ? '' : html`<input type="hidden" name="${name}" value="${value}">`
  const parts = source.streams.flatMap((stream) => {
    const chosen = choice.streams.get(stream.maxGrant.name)
    if (!chosen) return []
    return [
      html`<input type="hidden" name="${FORM.stream(source.key)}" value="${stream.maxGrant.name}">${keptFields(source, stream, chosen)}`,
    ]
  })
  return html`${parts}${keptParts(source, choice)}${day(FORM.from(source.key), choice.from)}${day(FORM.to(source.key), choice.to)}`
}

function presets(source: OfferedSource): Markup {
  const button = (preset: Preset, text: string) =>
    html`<button class="chip" id="${`p-${source.key}-${preset}`}" name="preset" value="${`${source.key}:${preset}`}">${text}</button>`
  return html`<div class="chips" role="group" aria-label="Quick choices for this source">
${button('everything', source.asked ? 'Everything asked for' : 'Everything')}
${source.streams.some(isDated) ? button('last_30_days', 'Last 30 days') : ''}
${button('metadata', 'Without texts')}
${button('nothing', 'Nothing')}</div>`
}

function days(source: OfferedSource, choice: SourceChoice): Markup {
  if (!source.streams.some(isDated)) return html``
  const input = (name: string, label: string, value: string) =>
    html`<label>${label} <input type="date" id="${name}" name="${name}" value="${value}"></label>`
  return html`<details class="more days" id="days-${source.key}"${choice.from + choice.to === '' ? '' : html` open`}><summary>Other days for this source</summary><div class="dates">${input(FORM.from(source.key), 'From', choice.from)}${input(FORM.to(source.key), 'To', choice.to)}
<span class="small quiet">Leave one empty for no limit on that side.</span></div></details>`
}

/** Limits of this part that no control on the page shows. */
function limits({ source, hasPeriod, choice }: FoldView, stream: OfferedStream, isOutside: boolean): Markup {
  const { maxGrant } = stream
  const { since, until } = maxGrant.time_constraint ?? {}
  const notes = [
    ...(isOutside ? [html`Nothing of it is shared: the request is for accounts or days that you did not choose.`] : []),
    ...(since === undefined && until === undefined
      ? []
      : [
          html`Asked for: ${since === undefined ? '' : html`from ${untrustedText(since, 40)} `}${until === undefined ? '' : html`before ${untrustedText(until, 40)}`}`,
        ]),
    ...(maxGrant.resources === undefined
      ? []
      : [html`Asked for: only ${counted(maxGrant.resources.length, 'named item')}`]),
    ...(choice.streams.has(maxGrant.name) && !isOutside && !isDated(stream) && hasPeriod
      ? [html`No dates, so the period doesn't limit it: all of it is shared.`]
      : []),
    ...(maxGrant.instance_ids.length < source.connections.length
      ? [
          html`Only from: ${maxGrant.instance_ids.map((one, index) => html`${index === 0 ? '' : ', '}${untrustedText(nameOf(source, one), 80)}`)}`,
        ]
      : []),
  ]
  return html`${notes.map((note) => html`<p class="small quiet note-line">${note}</p>`)}`
}

const nameOf = ({ connections }: OfferedSource, id: string): string =>
  connections.find(({ connectionId }) => connectionId === id)?.displayName ?? id
