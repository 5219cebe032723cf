import { formatResultId, parseJson } from '@pdpp/protocol'
import { html } from 'hono/html'
import type { Connection } from '../connections/connection-store.ts'
import type { ReadScope } from '../grants/read-scope.ts'
import type { ScopedRecord } from '../records/record-store.ts'
import { recordRoute, windowRoute } from '../records/render.ts'
import { labelOf } from '../search/label.ts'
import type { Visitor } from '../sessions/visitor.ts'
import { fieldRows } from './field-rows.ts'
import type { Page } from './layout.ts'
import { leftOut, type Markup, theirs } from './theirs.ts'
import { count, moment } from './time.ts'

const RAW_CHARS = 60_000

export interface RecordPage {
  readonly visitor: Visitor
  readonly scope: ReadScope
  readonly record: ScopedRecord
  readonly source: { readonly connection: Connection; readonly name: string }
}

/** One record for people: what it is, who, when and where, every field, and the names that programs use for it. */
export function recordPage({ visitor, scope, record, source }: RecordPage): Page {
  const data = parseJson(record.json) as Record<string, unknown>
  const place = source.connection.displayName ?? source.connection.connectionId
  const label = labelOf(scope, data, place)
  const raw = JSON.stringify(data, null, 2)
  const body = html`<article class="stack">
<header class="stack">
<p class="small quiet"><a href="/">Your data</a> / ${theirs(place, 80)} / ${theirs(scope.stream.display?.label ?? scope.stream.name, 60)}</p>
<h1>${theirs(label.title)}</h1>
<dl class="facts">
${fact('Who', label.actor)}${fact('Where', label.place)}
${label.authoredAt === undefined ? '' : html`<div><dt>When</dt><dd>${when(label.authoredAt)}</dd></div>`}
${fact('Source', source.name)}
<div><dt>Last changed here</dt><dd>${moment(record.emittedAt)}</dd></div>
</dl>
</header>
<section class="panel"><h2>Fields</h2>${fieldRows(scope.stream, data)}</section>
<section class="panel"><h2>For programs</h2>${handles(scope, record)}</section>
<details class="panel"><summary>Raw JSON</summary>
<pre>${theirs(raw, RAW_CHARS)}</pre>
${leftOut(raw, RAW_CHARS) > 0 ? html`<p class="small quiet">${count(leftOut(raw, RAW_CHARS))} more characters are not shown here.</p>` : ''}
</details>
</article>`
  return { title: 'Record', body, visitor }
}

function fact(name: string, value: string | undefined): Markup | string {
  return value === undefined ? '' : html`<div><dt>${name}</dt><dd>${theirs(value, 120)}</dd></div>`
}

function when(text: string): Markup {
  const at = Date.parse(text)
  return /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(at) ? moment(at) : theirs(text, 60)
}

function handles(scope: ReadScope, record: ScopedRecord): Markup {
  const { connectionId, key } = record
  const query = `?connection_id=${encodeURIComponent(connectionId)}`
  const id = formatResultId({ connectionId, stream: scope.stream.name, recordKey: key })
  const row = (name: string, value: string) => html`<div><dt>${name}</dt><dd>${theirs(value, 2000)}</dd></div>`
  return html`<dl class="handles">
${row('Id', id)}
${row('Record', `GET ${recordRoute(scope, key)}${query}`)}
${row('A long field, in parts', `GET ${windowRoute(scope, key)}${query}&field=…`)}
${row('What came before and after', `GET /v1/streams/${encodeURIComponent(scope.stream.name)}/records${query}&around=${encodeURIComponent(key)}`)}
</dl>`
}
