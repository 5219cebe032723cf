import { parseJson } from '@pdpp/protocol'
import { html } from 'hono/html'
import { FORM } from '../../authorization/consent/choice.ts'
import type { OfferedStream } from '../../authorization/consent/offer.ts'
import type { SourcePreview, StreamPreview } from '../../authorization/consent/preview.ts'
import type { ScopedRecord } from '../../records/record-store.ts'
import type { RecordUrls } from '../../records/record-url.ts'
import { renderRecord } from '../../records/render.ts'
import { labelOf } from '../../search/evidence/label.ts'
import { count } from '../frame/dates.ts'
import { leftOut, type Markup, untrustedText } from '../frame/untrusted-text.ts'
import { when } from '../record/record-row.ts'

const CELL_CHARS = 140
const SENT_CHARS = 1500

export interface SampleOptions {
  /** The key of the source in the form. */
  readonly key: string
  readonly stream: OfferedStream
  readonly preview: StreamPreview
  readonly chosen: readonly string[]
  readonly urls: RecordUrls
}

/** A box for every field, with its values in up to three real records, exactly as the client would read them. */
export function sampleTable({ key, stream, preview, chosen, urls }: SampleOptions): Markup {
  const { maxGrant, declaration } = stream
  const records = preview.records.map(({ json }) => parseJson(json) as Record<string, unknown>)
  const unasked = Object.keys((declaration.schema['properties'] ?? {}) as object).filter(
    (name) => !maxGrant.fields.includes(name),
  )
  return html`<input type="hidden" name="${FORM.listed(key)}" value="${maxGrant.name}">
<table class="sample">
<caption class="small quiet">${captionOf(records.length)}</caption>
<thead><tr><th scope="col">Field</th>${records.map((_, index) => html`<th scope="col">Item ${index + 1}</th>`)}</tr></thead>
<tbody>${maxGrant.fields.map((field) => row({ key, stream, chosen, field, records }))}</tbody>
</table>
${unasked.length === 0 ? '' : notAskedFor(unasked)}
${records.length === 0 ? '' : sent(preview, urls)}`
}

function notAskedFor(fields: readonly string[]): Markup {
  return html`<p class="small quiet">Hidden, because it did not ask for them: ${fields.map((field, index) => html`${index === 0 ? '' : ', '}${untrustedText(field, 60)}`)}</p>`
}

function captionOf(records: number): string {
  if (records === 0) return 'There is nothing in this choice now. Later items would be shared.'
  return records === 1 ? 'The only item, as it would be read:' : `The newest ${records} items, as they would be read:`
}

interface RowOptions extends Pick<SampleOptions, 'key' | 'stream' | 'chosen'> {
  readonly field: string
  readonly records: readonly Readonly<Record<string, unknown>>[]
}

function row({ key, stream: { maxGrant, required }, chosen, field, records }: RowOptions): Markup {
  const always = required.includes(field)
  const isShared = always || chosen.includes(field)
  const box = html`<label class="tick"><input type="checkbox" id="${`f-${key}-${maxGrant.name}-${field}`}" name="${FORM.field(key, maxGrant.name)}" value="${field}"${isShared ? html` checked` : ''}${always ? html` disabled` : ''}><span>${untrustedText(field, 60)}${always ? html` <span class="small quiet">always</span>` : ''}</span></label>`
  if (!isShared) return hiddenRow(box, records.length)
  return html`<tr><th scope="row">${box}</th>${records.map((record) => html`<td>${cell(record, field)}</td>`)}</tr>`
}

/** Shows the name but no value. Values of hidden fields were not even read. */
function hiddenRow(name: Markup, columns: number): Markup {
  return html`<tr class="hidden-field"><th scope="row">${name}</th><td colspan="${Math.max(1, columns)}"><span class="badge">hidden</span></td></tr>`
}

function cell(record: Readonly<Record<string, unknown>>, field: string): Markup {
  const value = Object.hasOwn(record, field) ? record[field] : undefined
  if (value === undefined || value === null || value === '') return html`<span class="quiet">–</span>`
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const more = leftOut(text, CELL_CHARS)
  return html`${untrustedText(text, CELL_CHARS)}${more > 0 ? html` <span class="small quiet">(${count(more)} more characters)</span>` : ''}`
}

function sent({ scope, records }: StreamPreview, urls: RecordUrls): Markup {
  return html`<details class="sent"><summary>As it is sent</summary>
${records.map((record) => html`<pre>${untrustedText(renderRecord(scope, urls, record), SENT_CHARS)}</pre>`)}</details>`
}

const TEXT_NAMES = ['text', 'body', 'content', 'snippet', 'message', 'note', 'description', 'summary']
const TEXT_CHARS = 160

/** The newest items of the largest part of a source. They contain only fields that the client would read. */
export function sampleItems({ streams, counts }: SourcePreview, sourceName: string): Markup {
  const size = (name: string) =>
    [...counts].reduce((sum, [key, number]) => sum + (key.startsWith(`${name}/`) ? number : 0), 0)
  const [shown] = [...streams.values()]
    .filter(({ records }) => records.length > 0)
    .toSorted((a, b) => size(b.scope.stream.name) - size(a.scope.stream.name))
  if (!shown) return html`<p class="small quiet">There is nothing in these days. Later items would be shared.</p>`
  return html`<ul class="items" aria-label="The newest, as they would be read">${shown.records.map((record) => item(shown, record, sourceName))}</ul>`
}

function item({ scope }: StreamPreview, record: ScopedRecord, sourceName: string): Markup {
  const data = parseJson(record.json) as Record<string, unknown>
  const label = labelOf(scope, data, sourceName)
  const text = TEXT_NAMES.map((name) => data[name]).find((value) => typeof value === 'string' && value !== '')
  // An item without a title shows its author instead, because its text and time are shown next to it.
  const title = label.actor !== undefined && label.title.startsWith(`${label.actor} / `) ? label.actor : label.title
  const about = [label.actor, label.container].filter((one) => one !== undefined && !title.includes(one)) as string[]
  return html`<li><span class="when">${label.authoredAt === undefined ? '' : when(label.authoredAt)}</span><span><b>${untrustedText(title, 80)}</b>${about.map((one) => html` · ${untrustedText(one, 40)}`)}
${text === undefined || text === title ? '' : html`<br>${untrustedText((text as string).slice(0, 4 * TEXT_CHARS).replace(/\s+/g, ' '), TEXT_CHARS)}`}</span></li>`
}
