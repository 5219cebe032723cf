import { parseJson } from '@pdpp/protocol'
import { html } from 'hono/html'
import { FORM } from '../../authorization/consent/choice.ts'
import type { OfferedStream } from '../../authorization/consent/offer.ts'
import type { StreamPreview } from '../../authorization/consent/preview.ts'
import type { RecordUrls } from '../../records/record-url.ts'
import { renderRecord } from '../../records/render.ts'
import { count } from '../frame/dates.ts'
import { leftOut, type Markup, untrustedText } from '../frame/untrusted-text.ts'

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
  if (records === 0) return 'Nothing is in this choice now. Later items would be shared.'
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
