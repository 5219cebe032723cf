import { formatResultId, parseJson } from '@pdpp/protocol'
import { html } from 'hono/html'
import type { ReadScope } from '../../grants/read-scope.ts'
import type { ScopedRecord } from '../../records/record-store.ts'
import { recordRoute, windowRoute } from '../../records/render.ts'
import { type Label, labelOf } from '../../search/evidence/label.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import type { Connection } from '../../sources/connections/connection-store.ts'
import { count, moment } from '../frame/dates.ts'
import { type FileLink, fileLine, fileLinks } from '../frame/file-link.ts'
import { icon } from '../frame/icons.ts'
import type { Page } from '../frame/layout.ts'
import { leftOut, type Markup, plainText, untrustedText } from '../frame/untrusted-text.ts'
import { fieldRows } from './field-rows.ts'
import { labelLine, recordRow, when } from './record-row.ts'
import { recordPath, type ViewedAs, viewedAsBanner } from './view-as-banner.ts'

const RAW_CHARS = 60_000
const BODY_NAMES = ['body_text', 'body', 'text', 'content', 'message', 'note', 'description']
const BODY_CHARS = 20_000

/** Records that belong to this one, or that it belongs to. */
export interface RelatedRecords {
  readonly name: string
  readonly hasMore: boolean
  readonly records: readonly { readonly id: string; readonly label: Label; readonly files: readonly FileLink[] }[]
}

export interface RecordPage {
  readonly pageSession: PageSession
  readonly scope: ReadScope
  readonly record: ScopedRecord
  readonly source: { readonly connection: Connection; readonly name: string }
  readonly as: ViewedAs | undefined
  /** The records before and after it, and the record itself. */
  readonly around: readonly ScopedRecord[]
  readonly related: readonly RelatedRecords[]
}

/** The page of one record: a summary, all fields, related and neighbouring records, and how programs read it. */
export function recordPage(view: RecordPage): Page {
  const { pageSession, scope, record, source, as } = view
  const data = parseJson(record.json) as Record<string, unknown>
  const { connectionId } = source.connection
  const sourceName = source.connection.displayName ?? connectionId
  const label = labelOf(scope, data, sourceName)
  const id = formatResultId({ connectionId, stream: scope.stream.name, recordKey: record.key })
  const asParam = as === undefined ? '' : `as=${encodeURIComponent(as.id)}&`
  const inSource = `/browse?${asParam}connection=${encodeURIComponent(connectionId)}`
  const text = letter(data)
  const body = html`${viewedAsBanner(as)}
<article class="stack">
<header class="stack">
<p class="small quiet crumbs"><a href="/browse${as === undefined ? '' : `?as=${as.id}`}">Browse</a> / <a href="${inSource}">${untrustedText(sourceName, 80)}</a> / <a href="${inSource}&amp;stream=${encodeURIComponent(scope.stream.name)}">${untrustedText(scope.stream.display?.label ?? scope.stream.name, 60)}</a></p>
<h1>${untrustedText(label.title)}</h1>
<dl class="facts">
${fact('Who', label.actor)}${fact('Where', label.container)}
${label.authoredAt === undefined ? '' : html`<div><dt>When</dt><dd>${when(label.authoredAt)}</dd></div>`}
${label.container === source.name ? '' : fact('Source', source.name)}
<div><dt>Last changed here</dt><dd>${moment(record.emittedAt)}</dd></div>
</dl>
${as === undefined ? html`<p><a class="button plain" href="/activity?record=${encodeURIComponent(id)}">${icon('eye')}Who saw this?</a></p>` : ''}
</header>
${text}
<details class="panel"${text === '' ? html` open` : ''}><summary>All fields</summary>${fieldRows(scope.stream, data, (field) => `/r/${encodeURIComponent(id)}/file?${asParam}field=${encodeURIComponent(field)}`, fileLinks(scope.stream, data, `/r/${encodeURIComponent(id)}`, as?.id))}</details>
${view.related.map((related) => relatedPanel(related, as))}
${view.around.length < 2 ? '' : html`<section class="panel flat"><div class="bar"><h2>Before and after</h2></div><ol class="hits">${view.around.map((near) => recordRow(near, { scope, sourceName, as, here: near.number === record.number }))}</ol></section>`}
<details class="panel"><summary>For programs</summary>${handles(scope, record, id)}</details>
${rawPanel(data)}
</article>`
  return { title: plainText(label.title, 80) || 'Item', body, pageSession, here: '/browse' }
}

/** The text of a mail, message or note comes first, in a font for reading. */
function letter(data: Readonly<Record<string, unknown>>): Markup | string {
  const text = BODY_NAMES.map((name) => data[name]).find((value) => typeof value === 'string' && value.trim() !== '')
  if (text === undefined) return ''
  return html`<section class="panel"><div class="letter">${untrustedText(text as string, BODY_CHARS)}</div></section>`
}

function relatedPanel({ name, records, hasMore }: RelatedRecords, as: ViewedAs | undefined): Markup {
  return html`<section class="panel flat"><div class="bar"><h2>Related: ${untrustedText(name, 60)}</h2></div>
<ul class="hits">${records.map(({ id, label, files }) => html`<li class="row"><div class="grow"><p><a class="row-title" href="${recordPath(id, as)}">${untrustedText(label.title)}</a></p>${labelLine(label)}${files.map(fileLine)}</div></li>`)}</ul>
${hasMore ? html`<p class="row small quiet">There are more; the first ${count(records.length)} are shown.</p>` : ''}</section>`
}

function rawPanel(data: Readonly<Record<string, unknown>>): Markup {
  const raw = JSON.stringify(data, null, 2)
  const more = leftOut(raw, RAW_CHARS)
  return html`<details class="panel"><summary>Raw JSON</summary>
<pre>${untrustedText(raw, RAW_CHARS)}</pre>
${more > 0 ? html`<p class="small quiet">${count(more)} more characters are not shown here.</p>` : ''}
</details>`
}

function fact(name: string, value: string | undefined): Markup | string {
  return value === undefined ? '' : html`<div><dt>${name}</dt><dd>${untrustedText(value, 120)}</dd></div>`
}

function handles(scope: ReadScope, { connectionId, key }: ScopedRecord, id: string): Markup {
  const query = `?connection_id=${encodeURIComponent(connectionId)}`
  const row = (name: string, value: string) => html`<div><dt>${name}</dt><dd>${untrustedText(value, 2000)}</dd></div>`
  return html`<dl class="handles">
${row('Id', id)}
${row('Tool of an agent: the whole item', `fetch ${JSON.stringify({ id })}`)}
${row('Tool of an agent: a long field, in parts', `read_record_field ${JSON.stringify({ id, field_path: '…' })}`)}
${row('Record', `GET ${recordRoute(scope, key)}${query}`)}
${row('A long field, in parts', `GET ${windowRoute(scope, key)}${query}&field=…`)}
${row('What came before and after', `GET /v1/streams/${encodeURIComponent(scope.stream.name)}/records${query}&around=${encodeURIComponent(key)}`)}
</dl>`
}
