import { html } from 'hono/html'
import { type MonthCount, monthsAfter } from '../activity/activity-service.ts'
import type { ReadScope } from '../grants/read-scope.ts'
import type { ScopedRecord } from '../records/record-store.ts'
import { pager, plot } from './plot.ts'
import { recordRow } from './record-row.ts'
import { type Markup, theirs } from './theirs.ts'
import { count, monthText } from './time.ts'
import type { ViewedAs } from './viewed-as.ts'

export interface StreamList {
  readonly scope: ReadScope
  /** What its connection is called. */
  readonly place: string
  readonly records: readonly ScopedRecord[]
  /** All in reach, whatever the dates of the form say. */
  readonly total: number
  readonly months: readonly MonthCount[]
  readonly as: ViewedAs | undefined
  readonly next: string | undefined
  /** The same stream between two days, the second one included. */
  readonly between: (since: string, until: string) => string
}

/** One stream, newest first, and how much of it is from when. */
export function streamList({ scope, place, records, total, months, as, next, between }: StreamList): Markup {
  const points = months.map(({ month, count: amount }) => ({ at: month, count: amount }))
  const date = (at: number) => new Date(at).toISOString().slice(0, 10)
  return html`<section class="stack"><div class="head">
<h2>${theirs(place, 80)} / ${theirs(scope.stream.display?.label ?? scope.stream.name, 60)}</h2>
<p class="quiet">${count(total)} ${total === 1 ? 'record' : 'records'}</p></div>
${scope.stream.description === undefined ? '' : html`<p class="small quiet">${theirs(scope.stream.description, 500)}</p>`}
${
  points.length < 2
    ? ''
    : html`<div class="panel">${plot({
        title: 'Records by month',
        points,
        name: monthText,
        unit: 'Records',
        link: (at) => between(date(at), date(monthsAfter(at, 1) - 86_400_000)),
      })}</div>`
}
${records.length === 0 ? html`<p class="quiet">No records here.</p>` : html`<div class="panel"><ol class="hits">${records.map((record) => recordRow(record, { scope, place, as }))}</ol></div>`}
${pager(next)}
</section>`
}
