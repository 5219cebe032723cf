import { parseJson } from '@pdpp/protocol'
import { html } from 'hono/html'
import type { ScopedRecord } from '../../records/record-store.ts'
import type { RecordUrls } from '../../records/record-url.ts'
import { renderRecord } from '../../records/render.ts'
import type { VisibleStream } from '../../schema/schema-service.ts'
import { count } from '../frame/dates.ts'
import { leftOut, type Markup, untrustedText } from '../frame/untrusted-text.ts'

const CELL_CHARS = 120
const SENT_CHARS = 1500

/** A stream as the agent sees it, and its latest records, read with the same grant. */
export interface SampledStream {
  readonly stream: VisibleStream
  readonly records: readonly ScopedRecord[]
}

/** One row per field and one column per record, to stay readable with many fields and on a phone. */
export function sampleTable({ stream: { scope }, records }: SampledStream, urls: RecordUrls): Markup {
  if (records.length === 0)
    return html`<p class="small quiet">It can read no item now, but it could read later ones.</p>`
  const parsed = records.map(({ json }) => parseJson(json) as Record<string, unknown>)
  const fields =
    scope.projection === 'all' ? [...new Set(parsed.flatMap((record) => Object.keys(record)))] : scope.projection
  const title = `The latest items of ${scope.stream.name}, as the agent reads them`
  return html`<div class="scroll whole" tabindex="0" role="region" aria-label="${title}"><table class="table small">
<caption class="hidden-label">${title}</caption>
<thead><tr><th scope="col">Field</th>${parsed.map((_, index) => html`<th scope="col">Item ${index + 1}</th>`)}</tr></thead>
<tbody>${fields.map((field) => html`<tr><th scope="row">${untrustedText(field, 60)}</th>${parsed.map((record) => html`<td>${cell(record, field)}</td>`)}</tr>`)}</tbody>
</table></div>
<details class="sent"><summary class="small">As it is sent</summary>${records.map((record) => html`<pre>${untrustedText(renderRecord(scope, urls, record), SENT_CHARS)}</pre>`)}</details>`
}

function cell(record: Readonly<Record<string, unknown>>, field: string): Markup {
  const value = Object.hasOwn(record, field) ? record[field] : undefined
  if (value === undefined || value === null || value === '') return html`<span class="quiet">–</span>`
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const more = leftOut(text, CELL_CHARS)
  return html`${untrustedText(text, CELL_CHARS)}${more > 0 ? html` <span class="quiet">(${count(more)} more characters)</span>` : ''}`
}
