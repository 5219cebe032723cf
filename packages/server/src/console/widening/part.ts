import { html } from 'hono/html'
import type { SourcePreview } from '../../authorization/consent/preview.ts'
import { type ChosenPart, FIELDS, type WideningChoice } from '../../grants/widening/choice.ts'
import type { OfferedPart } from '../../grants/widening/offer.ts'
import type { RecordUrls } from '../../records/record-url.ts'
import { sampleTable } from '../access/grant-sample.ts'
import { sampleItems } from '../consent/sample.ts'
import { sourceLine } from '../consent/source-line.ts'
import { counted } from '../frame/dates.ts'
import { kindOf, partOf, sourceWords } from '../frame/kind.ts'
import { type Markup, plainText, untrustedText } from '../frame/untrusted-text.ts'
import type { PreviewedStream } from './preview.ts'

export const sourceName = ({ declaration }: OfferedPart): string =>
  plainText(declaration.display?.name ?? declaration.connector_key, 60)
const labelOf = ({ stream }: OfferedPart): string => plainText(stream.display?.label ?? stream.name, 60)

/** A part in a sentence: "Events in Calendar". */
export function partWords(part: OfferedPart, fields: readonly string[] = part.fields): string {
  const words = partOf(labelOf(part), sourceName(part))
  if (part.kind === 'field') {
    const names = fields.slice(0, 3).map((name) => `“${plainText(name, 40)}”`)
    const more = fields.length > 3 ? ` and ${fields.length - 3} more fields` : ''
    return `${names.join(', ')}${more} of ${words}`
  }
  if (part.kind === 'time') return `${part.direction === 'later' ? 'later' : 'earlier'} ${words}`
  return words
}

function titleOf(part: OfferedPart): string {
  if (part.kind === 'field') return part.fields.length === 1 ? `The field “${part.fields[0]}”` : 'More of its fields'
  if (part.kind === 'time') return part.direction === 'later' ? 'Later items' : 'Earlier items'
  return labelOf(part)
}

export interface PartView {
  readonly part: OfferedPart
  readonly choice: WideningChoice
  /** The total number of items, if known. */
  readonly total: number | undefined
  readonly preview: readonly PreviewedStream[]
  readonly urls: RecordUrls
  /** True if it is the only part. Then its samples are open. */
  readonly isOnly: boolean
}

/** One part that can be added: a line with a tick, and folded below it items as the agent would read them. */
export function partLine({ part, choice, total, preview, urls, isOnly }: PartView): Markup {
  const chosen = choice.parts.get(part.key)
  const { declaration, stream, key, isSensitive } = part
  const shown = preview.find(
    ({ grant, stream: one }) =>
      grant.source.connector_key === declaration.connector_key && one.declaration.name === stream.name,
  )
  const amount = shown?.count ?? (part.kind === 'stream' ? total : undefined)
  const source = sourceName(part) === titleOf(part) ? '' : sourceName(part)
  const where = part.kind === 'stream' ? source : partOf(labelOf(part), sourceName(part))
  const samples = shown
    ? html`${sampleItems(previewed(shown), sourceName(part))}<details class="fields-of" id="sample-${key}"><summary>All fields of these items</summary>${sampleTable(shown, urls)}</details>`
    : ''
  return sourceLine({
    tick: { id: `part-${key}`, name: FIELDS.part, value: key, state: chosen ? 'all' : 'none' },
    kind: kindOf(stream.name, sourceWords(declaration)),
    title: untrustedText(titleOf(part), 80),
    isSensitive,
    hint: html`${untrustedText(where, 140)}${limits(part, choice)}`,
    amount: amount === undefined ? '' : counted(amount, 'item'),
    hidden: html``,
    fold: chosen && {
      id: `inside-${key}`,
      label: html`${untrustedText(titleOf(part), 80)}, as the agent would read it`,
      isOpen: isOnly || part.connections.length > 1,
      body: html`${accounts(part, chosen)}${samples}${fields(part, chosen)}`,
    },
  })
}

const previewed = ({ stream, records }: PreviewedStream): SourcePreview => ({
  streams: new Map([[stream.declaration.name, { scope: stream.scope, records }]]),
  counts: new Map(),
  hasSamples: true,
})

function limits({ kind, stream, granted }: OfferedPart, { reach }: WideningChoice): string {
  if (kind === 'stream' && granted) return ' · from further accounts, with the fields and the time that it has'
  if (kind === 'field') return ' · for the items that it reads already'
  if (kind === 'stream' && reach !== 'all' && stream.consent_time_field == null)
    return ' · has no dates, so all of it is shared'
  return ''
}

/** Accounts to tick. A part with only one account has no boxes. */
function accounts({ key, connections }: OfferedPart, chosen: ChosenPart): Markup | string {
  if (connections.length < 2) return ''
  return html`<fieldset class="ticks"><legend class="small">From which accounts?</legend>${connections.map(
    ({ connectionId, displayName }) =>
      html`<label class="tick"><input type="checkbox" name="${FIELDS.connection(key)}" value="${connectionId}" id="account-${key}-${connectionId}"${chosen.connections.includes(connectionId) ? html` checked` : ''}><span>${untrustedText(displayName ?? connectionId, 80)}</span></label>`,
  )}</fieldset>`
}

/** Fields that can be left out. A part with one field, or of a source that allows no choice, has no boxes. */
function fields({ key, fields: all, required }: OfferedPart, chosen: ChosenPart): Markup | string {
  if (all.length < 2 || required.length === all.length) return ''
  const hidden = all.length - chosen.fields.length
  return html`<input type="hidden" name="${FIELDS.listed}" value="${key}">
<details class="fields-of" id="fields-${key}"><summary>Hide fields${hidden === 0 ? '' : ` (${hidden} hidden)`}</summary><div class="ticks fields">${all.map(
    (name) => {
      const always = required.includes(name)
      return html`<label class="tick"><input type="checkbox" name="${FIELDS.field(key)}" value="${name}" id="field-${key}-${name}"${always || chosen.fields.includes(name) ? html` checked` : ''}${always ? html` disabled` : ''}><span>${untrustedText(name, 60)}${always ? html` <span class="small quiet">always</span>` : ''}</span></label>`
    },
  )}</div></details>`
}
