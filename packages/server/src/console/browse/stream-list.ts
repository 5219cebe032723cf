import { html } from 'hono/html'
import { type MonthCount, monthsAfter } from '../../aggregates/monthly-counts.ts'
import type { ReadScope } from '../../grants/read-scope.ts'
import type { ScopedRecord } from '../../records/record-store.ts'
import { count, counted, monthText } from '../frame/dates.ts'
import { pager, plot } from '../frame/plot.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import { recordRow } from '../record/record-row.ts'
import type { ViewedAs } from '../record/view-as-banner.ts'

export interface StreamList {
  readonly scope: ReadScope
  /** The name of its connection. */
  readonly sourceName: string
  readonly records: readonly ScopedRecord[]
  /** Number of all visible records, regardless of the dates in the form. */
  readonly total: number
  readonly months: readonly MonthCount[]
  readonly as: ViewedAs | undefined
  readonly next: string | undefined
  /** The dates in the form; `all` is a link without them. */
  readonly dates:
    | { readonly since: string | undefined; readonly until: string | undefined; readonly all: string }
    | undefined
  /** True if the stream has a time field, so that dates apply. */
  readonly hasTime: boolean
  /** A link to the same stream between two days, both included. */
  readonly between: (since: string, until: string) => string
}

/** One stream: a plot by month, and its records, newest first. */
export function streamList(view: StreamList): Markup {
  const { scope, sourceName, records, total, months, as, next, between } = view
  const unplotted = total - months.reduce((sum, { count: amount }) => sum + amount, 0)
  const points = months.map(({ month, count: amount }) => ({ at: month, count: amount }))
  const date = (at: number) => new Date(at).toISOString().slice(0, 10)
  return html`<section class="stack"><div class="head">
<h2>${untrustedText(sourceName, 80)} / ${untrustedText(scope.stream.display?.label ?? scope.stream.name, 60)}</h2>
<p class="quiet">${counted(total, 'item')}${view.dates === undefined ? '' : ' in all'}</p></div>
${scope.stream.description === undefined ? '' : html`<p class="small quiet">${untrustedText(scope.stream.description, 500)}</p>`}
${
  points.length < 2
    ? ''
    : html`<div class="panel">${plot({
        title: 'Items by month',
        points,
        name: monthText,
        unit: 'Items',
        link: (at) => between(date(at), date(monthsAfter(at, 1) - 86_400_000)),
      })}${unplotted <= 0 ? '' : html`<p class="small quiet">${count(unplotted)} ${unplotted === 1 ? 'item is' : 'items are'} not in the chart: much earlier or later, or without a date.</p>`}</div>`
}
${datesNote(view)}
${records.length === 0 ? html`<p class="quiet">${view.dates && view.hasTime ? 'No items on these days.' : 'No items here.'}</p>` : html`<div class="panel flat"><ol class="hits">${records.map((record) => recordRow(record, { scope, sourceName, as }))}</ol></div>`}
${pager(next)}
</section>`
}

/** Says which days are shown, because the number above the list is for all days. */
function datesNote({ dates, hasTime }: StreamList): Markup | string {
  if (dates === undefined) return ''
  const { since, until, all } = dates
  if (!hasTime)
    return html`<p class="note">These items have no date, so the dates do not apply. All items are shown.</p>`
  const days = [
    ...(since === undefined ? [] : [html`from ${untrustedText(since, 40)}`]),
    ...(until === undefined ? [] : [html`until ${untrustedText(until, 40)}`]),
  ]
  return html`<p class="small">Shown: items ${days.map((part, index) => html`${index === 0 ? '' : ' '}${part}`)}. <a href="${all}">All days</a></p>`
}
