import type { WireReceipt } from '@pdpp/protocol'
import { formatResultId } from '@pdpp/protocol'
import { html } from 'hono/html'
import type { ChainState } from '../../receipts/receipt-chain.ts'
import type { Highlight } from '../../receipts/receipt-highlights.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { bytes, calendarDay, clock, count, counted } from '../frame/dates.ts'
import { icon } from '../frame/icons.ts'
import { agentTile } from '../frame/kind.ts'
import { form, type Page } from '../frame/layout.ts'
import { formatIn, zonedDay } from '../frame/local-time.ts'
import { notice } from '../frame/notice.ts'
import { named, type PlotPoint, pager, plot } from '../frame/plot.ts'
import { type Markup, plainText, untrustedText } from '../frame/untrusted-text.ts'

const MAX_RECORDS = 10
const MAX_TALLIED = 10

export interface Tallied {
  readonly id: string
  readonly name: string
  readonly reads: number
  readonly refused: number
}

interface ShownReceipt {
  readonly receipt: WireReceipt
  readonly highlights: readonly Highlight[]
  readonly clientName: string | undefined
}

export interface ReceiptsPage {
  readonly pageSession: PageSession
  readonly receipts: readonly ShownReceipt[]
  readonly days: readonly PlotPoint[]
  readonly agents: readonly Tallied[]
  readonly streams: readonly Tallied[]
  readonly chain: ChainState
  readonly filters: Readonly<
    Record<'client' | 'grant' | 'stream' | 'record' | 'since' | 'until' | 'outcome', string | undefined>
  >
  readonly clientName: string | undefined
  readonly next: string | undefined
  readonly done: string | undefined
  readonly link: (changes: Readonly<Record<string, string | undefined>>) => string
  readonly exportLink: string
}

/** The activity log: which agent read what and when, with highlights. */
export function receiptsPage(view: ReceiptsPage): Page {
  const { pageSession, filters, receipts } = view
  const body = html`<div class="head"><h1>Activity</h1><a class="button plain" href="${view.exportLink}" download>${icon('download')}Download the log</a></div>
<p class="quiet">Everything that agents read, and everything they were refused. What you read yourself isn't logged; your backups, your exports and the access you give are.</p>
${notice(view.done)}
${chainPanel(pageSession, view.chain)}
${filters.record === undefined ? '' : html`<div class="note agent"><div class="banner"><p>Who saw <a href="/r/${encodeURIComponent(filters.record)}">this item</a>?</p><a href="/activity">All activity</a></div></div>`}
<div class="cols"><div class="stack">${filterForm(view)}
${receipts.length === 0 ? noEntries(view) : html`<div class="stack" role="region" aria-label="Activity, newest first">${timeLine(receipts, view.link)}</div>`}
${pager(view.next)}</div>
<aside class="stack" aria-label="The last 30 days">${filters.grant === undefined && filters.record === undefined ? summary(view) : ''}</aside></div>`
  return { title: 'Activity', body, pageSession, here: '/activity' }
}

function noEntries({ next, filters }: ReceiptsPage): Markup {
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  return html`<section class="panel empty">${icon('activity', 'big')}<p>${
    next !== undefined
      ? 'No match among the entries searched so far.'
      : filters.record !== undefined
        ? 'No agent has read this.'
        : isFiltered
          ? 'No entries match.'
          : 'No agent has read anything yet.'
  }</p>${isFiltered ? '' : html`<a class="button" href="/agents/connect">Connect an agent</a>`}</section>`
}

/** Newest first, grouped by day. */
function timeLine(receipts: readonly ShownReceipt[], link: ReceiptsPage['link']): Markup {
  const days = Map.groupBy(receipts, ({ receipt }) => zonedDay(Date.parse(receipt.at)))
  return html`${[...days].map(
    ([date, list]) => html`<section class="panel flat"><div class="bar"><h2>${calendarDay(date)}</h2></div>
<ul class="list">${list.map((one) => receiptRow(one, link))}</ul></section>`,
  )}`
}

function chainPanel(pageSession: PageSession, { checked, brokenAt, running }: ChainState): Markup {
  const again = form(
    pageSession,
    { action: '/activity/check', purpose: 'check-receipts' },
    html`<button class="button plain small">Check all again</button>`,
  )
  const says =
    brokenAt !== undefined
      ? html`<strong>The log was altered at entry ${brokenAt}.</strong> The ${count(checked)} ${checked === 1 ? 'entry before it is' : 'entries before it are'} unchanged. Later entries may have been changed or removed.`
      : running
        ? html`Checking the log: ${count(checked)} ${checked === 1 ? 'entry is' : 'entries are'} verified so far. Reload the page to see more.`
        : html`Log verified: ${checked === 0 ? 'it has no entries yet' : checked === 1 ? 'its only entry was not altered' : `none of the ${count(checked)} entries was altered`}.`
  return brokenAt === undefined
    ? html`<div class="verify">${icon('shield')}<p>${says}</p>${again}</div>`
    : html`<div class="note bad" role="alert"><div class="banner"><p>${says}</p>${again}</div></div>`
}

function summary(view: ReceiptsPage): Markup {
  const { days, agents, streams, link } = view
  if (days.every(({ count: amount }) => amount === 0)) return html``
  const date = (at: number) => new Date(at).toISOString().slice(0, 10)
  return html`<section class="panel side-plot">${plot({
    title: 'Reads by day, the last 30 days',
    of: 'agents',
    points: days,
    name: (at) => formatIn({ dateStyle: 'long' }, at, 'UTC'),
    shortName: (at) => formatIn({ day: 'numeric', month: 'short' }, at, 'UTC'),
    unit: 'Reads',
    refused: 'Refused',
    link: (at) => link({ since: date(at), until: date(at), before: undefined }),
  })}</section>
${tallyPanel('By agent', 'client', agents, link)}${tallyPanel('By part', 'stream', streams, link)}`
}

function tallyPanel(title: string, param: string, list: readonly Tallied[], link: ReceiptsPage['link']): Markup {
  return html`<section class="panel"><h2>${title}</h2><ul class="streams small">${list
    .slice(0, MAX_TALLIED)
    .map(
      ({ id, name, reads, refused }) =>
        html`<li><a href="${link({ [param]: id, before: undefined })}"><span>${untrustedText(name, 60)}</span><span class="number">${count(reads)}${refused === 0 ? '' : ` and ${count(refused)} refused`}</span></a></li>`,
    )}</ul></section>`
}

function filterForm({ filters, clientName, streams }: ReceiptsPage): Markup {
  const kept = (['client', 'grant', 'record'] as const).filter((name) => filters[name] !== undefined)
  const names = [
    ...new Set([...streams.map(({ id }) => id), ...(filters.stream === undefined ? [] : [filters.stream])]),
  ]
  const option = (value: string, text: string, chosen: string | undefined) =>
    html`<option value="${value}"${value === (chosen ?? '') ? html` selected` : ''}>${plainText(text)}</option>`
  return html`<search><form method="get" action="/activity" class="search">
${kept.map((name) => html`<input type="hidden" name="${name}" value="${filters[name]!}">`)}
<div class="facets">
<label>Part <select name="stream">${option('', 'all', filters.stream)}${names.slice(0, 200).map((name) => option(name, name, filters.stream))}</select></label>
<label>Outcome <select name="outcome">${option('', 'all', filters.outcome)}${option('ok', 'answered', filters.outcome)}${option('refused', 'refused', filters.outcome)}</select></label>
<label>From <input type="date" name="since" value="${filters.since ?? ''}"></label>
<label>Until <input type="date" name="until" value="${filters.until ?? ''}"></label>
<button class="button plain">Show</button>
</div>
${kept.length === 0 ? '' : html`<p class="small quiet">${filters.client === undefined ? '' : html`Only of ${named(clientName, filters.client, 60)}. `}${filters.grant === undefined ? '' : html`Only with <a href="/agents/grants/${encodeURIComponent(filters.grant)}">one access</a>. `}<a href="/activity">Show all</a></p>`}
</form></search>`
}

/** How the read came in. */
const SURFACES: Readonly<Record<string, string>> = {
  rest: 'over the web API',
  mcp: 'through MCP',
  'mcp-developer': 'through MCP, for developers',
  stdio: 'through a program here',
  'stdio-developer': 'through a program here, for developers',
  cli: 'from a terminal',
  console: 'in this console',
}

const OPERATIONS: Readonly<Record<string, string>> = {
  records: 'listed items',
  record: 'read an item',
  search: 'searched',
  schema: 'listed what it can read',
  aggregate: 'counted',
  field_window: 'read a part of a long field',
  blob: 'read a file',
  streams: 'listed what it can read',
  stream: 'listed what it can read',
  connectors: 'listed sources',
  fetch: 'read an item',
  query_records: 'listed items',
  read_record_field: 'read a part of a long field',
  event_delivery: 'was told of changes',
  event_subscriptions: 'listed where it is told of changes',
  event_subscription: 'looked at where it is told of changes',
  create_event_subscription: 'asked to be told of changes',
  update_event_subscription: 'changed where it is told of changes',
  delete_event_subscription: 'stopped being told of changes',
  send_test_event: 'asked for a test event',
  widen: 'gave an agent more',
  create_access: 'made a new access',
  backup: 'took a backup of everything',
  export: 'took an export of everything',
}

/** Receipts of the owner: backups and exports, which contain everything, and decisions to give more access. */
const isOwners = ({ client_id: clientId, outcome }: WireReceipt): boolean => clientId === null && outcome === 'ok'

function receiptRow({ receipt, highlights, clientName }: ShownReceipt, link: ReceiptsPage['link']): Markup {
  const { client_id: clientId, outcome } = receipt
  const lines = [receipt, ...(receipt.also ?? [])]
  const items = lines.reduce((sum, line) => sum + line.record_count, 0)
  const streams = lines.flatMap(({ stream }) => stream ?? [])
  const did = OPERATIONS[receipt.operation] ?? receipt.operation
  return html`<li class="row top-align receipt">${isOwners(receipt) ? html`<span class="tile">${icon('lock')}</span>` : agentTile(clientName ?? clientId ?? '?')}<div class="grow">
<p>${isOwners(receipt) ? html`<strong class="row-title">You</strong>` : clientId === null ? html`<strong class="row-title">Somebody unknown</strong>` : html`<a class="row-title" href="${link({ client: clientId, before: undefined })}">${named(clientName, clientId, 60)}</a>`} ${outcome === 'ok' ? untrustedText(did, 40) : outcome === 'delivery_failed' ? 'could not be told of changes' : html`was refused when it ${untrustedText(did, 40)}`}${streams.map((stream, index) => html`${index === 0 ? ' in ' : ', '}<a href="${link({ stream, before: undefined })}">${untrustedText(stream, 60)}</a>`)}${items === 0 ? '' : html`: ${counted(items, 'item')}`}</p>
<p class="small quiet">${clock(Date.parse(receipt.at))} · ${SURFACES[receipt.surface] ?? untrustedText(receipt.surface, 16)}${receipt.bytes === 0 ? '' : html` · ${bytes(receipt.bytes)}`}</p>
${details(receipt)}</div>
<span class="marks">${highlights.map(highlight)}</span></li>`
}

function highlight(kind: Highlight): Markup {
  const texts = { first: 'first read', burst: 'many at once', refused: 'refused' }
  return html`<span class="badge ${kind === 'first' ? 'agent' : kind === 'refused' ? 'bad' : 'warn'}">${texts[kind]}</span>`
}

function details(receipt: WireReceipt): Markup {
  const { grant_id: grantId, outcome } = receipt
  const lines = [receipt, ...(receipt.also ?? [])]
  const folder = grantId?.startsWith('pkg_') ? 'packages' : 'grants'
  return html`<details class="more"><summary class="small">Details</summary><dl class="facts tall small">
${outcome === 'ok' ? '' : row('Refused with', html`<code>${untrustedText(outcome, 60)}</code>`)}
${lines.map((line) => lineDetails(line, lines.length > 1))}
${grantId === null ? '' : row('With', html`<a href="/agents/${folder}/${encodeURIComponent(grantId)}">this access</a>`)}
${row('Entry', html`<code>${receipt.receipt_id}</code>, request <code>${untrustedText(receipt.request_id, 100)}</code>`)}
</dl></details>`
}

type ReceiptLine = Pick<
  WireReceipt,
  'stream' | 'records' | 'record_count' | 'records_erased' | 'fields' | 'connection_ids'
>

const row = (name: string, value: Markup) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`

function lineDetails(line: ReceiptLine, isNamed: boolean): Markup {
  const { stream, records, records_erased: erased, fields, connection_ids: connections } = line
  const more = line.record_count - Math.min(records.length, MAX_RECORDS) - erased
  return html`${isNamed ? row('Part', html`${untrustedText(stream ?? '', 100)}`) : ''}
${
  records.length === 0
    ? ''
    : row(
        'Items',
        html`${records.slice(0, MAX_RECORDS).map(({ connection_id: connectionId, record_id: recordKey }) => {
          const id = formatResultId({ connectionId, stream: stream!, recordKey })
          return html`<div><a href="/r/${encodeURIComponent(id)}">${untrustedText(recordKey, 80)}</a></div>`
        })}${more > 0 ? html`<div class="quiet">and ${count(more)} more</div>` : ''}`,
      )
}
${erased === 0 ? '' : row('Erased since', html`${count(erased)}`)}
${fields.length === 0 ? '' : row('Fields', html`${untrustedText(fields.join(', '), 400)}`)}
${connections.length === 0 ? '' : row('Sources', html`${untrustedText(connections.join(', '), 300)}`)}`
}
