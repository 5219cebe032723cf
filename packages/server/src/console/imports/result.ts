import { coverageSum, coverageText, leftOutText } from '@pdpp/importers'
import { html } from 'hono/html'
import type { ImportedSource, StayReason, StoredImport } from '../../imports/import.ts'
import { sumOf, UNDO_DAYS, UNDO_IMPORTS, undoable } from '../../imports/undo.ts'
import type { PageSession } from '../../sign-in/page-session.ts'
import { ago, count, counted } from '../frame/dates.ts'
import { form } from '../frame/layout.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'

/** The result of an import, and the owner's next steps. */
export function resultPanel(stored: StoredImport): Markup | string {
  const { body, state, written } = stored
  if (state === 'undone') return undonePanel(stored)
  if (body.results.length === 0 && written.length === 0) return ''
  const connections = [...new Set(written.map(({ connectionId }) => connectionId))]
  const nameOf = (connection: string) =>
    body.results.find(({ connectionId }) => connectionId === connection)?.name ?? connection
  return html`<section class="panel"><h2>${state === 'finished' ? 'Imported' : 'Imported before it stopped'}</h2>
<div class="scroll whole" tabindex="0" role="region" aria-label="Items by part"><table class="table results"><thead><tr><th scope="col">Part</th><th scope="col" class="number">Read</th><th scope="col" class="number">New</th><th scope="col" class="number">Changed</th><th scope="col" class="number">Unchanged</th><th scope="col" class="number">Refused</th></tr></thead>
<tbody>${rowsOf(stored).map(
    (
      row,
    ) => html`<tr><th scope="row"><a href="/browse?connection=${encodeURIComponent(row.connectionId)}&amp;stream=${encodeURIComponent(row.stream)}">${untrustedText(row.stream, 60)}</a> ${row.connectionId === row.stream ? '' : html`<span class="quiet">${untrustedText(nameOf(row.connectionId), 60)}</span>`}</th>
<td class="number" data-label="Read">${count(row.read)}</td><td class="number" data-label="New">${count(row.added)}</td><td class="number" data-label="Changed">${count(row.changed)}</td><td class="number" data-label="Unchanged">${count(row.unchanged)}</td><td class="number" data-label="Refused">${count(row.refused)}</td></tr>`,
  )}</tbody></table></div>
${coverageLine(stored)}
${state !== 'finished' ? '' : html`<p class="answers">${connections.slice(0, 3).map((connection) => html`<a class="button" href="/browse?connection=${encodeURIComponent(connection)}">Browse ${connections.length > 1 ? untrustedText(nameOf(connection), 40) : 'it'}</a>`)}<a class="button plain" href="/agents/connect">Connect an agent</a></p>`}
</section>`
}

const MAX_REASONS = 30

/** How much of the files was imported, and what was left out. Imports of earlier versions have no such counts. */
function coverageLine({ body, problems }: StoredImport): Markup | string {
  const counted = body.results.flatMap(({ coverage }) => coverage ?? [])
  if (counted.length === 0) return ''
  const reasons = counted.flatMap(({ leftOut }) => leftOut)
  const text = coverageText(coverageSum(counted, body.unreadFiles ?? 0), problems)
  return html`<p id="coverage">Coverage: ${text}.</p>
${reasons.length === 0 ? '' : html`<details class="more"><summary class="small">Left out, by reason</summary><ul class="steps small">${reasons.slice(0, MAX_REASONS).map((each) => html`<li>${untrustedText(leftOutText(each), 200)}</li>`)}</ul></details>`}`
}

interface ResultRow {
  readonly stream: string
  readonly connectionId: string
  readonly read: number
  readonly added: number
  readonly changed: number
  readonly unchanged: number
  readonly refused: number
}

/** Counts of read records are from the last run; counts of written records are from all runs together. */
function rowsOf({ body: { results }, written }: StoredImport): ResultRow[] {
  const read = results.flatMap(({ connectionId, streams }: ImportedSource) =>
    streams.map((stream) => ({ connectionId, ...stream })),
  )
  const known = read.map(({ connectionId, name, read: amount, refused }): ResultRow => {
    const feed = written.find((one) => one.connectionId === connectionId && one.stream === name)
    const [added, changed] = [feed?.added ?? 0, feed?.changed ?? 0]
    const unchanged = Math.max(0, amount - added - changed - refused)
    return { stream: name, connectionId, read: amount, added, changed, unchanged, refused }
  })
  const others = written
    .filter((feed) => !known.some((row) => row.connectionId === feed.connectionId && row.stream === feed.stream))
    .map((feed): ResultRow => ({ ...feed, read: feed.added + feed.changed, unchanged: 0, refused: 0 }))
  const all = [...known, ...others]
  // Many exports leave some streams of a service empty, so empty streams are not listed.
  const filled = all.filter((row) => row.read + row.added + row.changed + row.refused > 0)
  return filled.length > 0 ? filled : all
}

function undonePanel({ written, made, body: { undoneAt } }: StoredImport): Markup {
  const [removed, restored, kept] = [sumOf(written, 'removed'), sumOf(written, 'restored'), sumOf(written, 'kept')]
  return html`<section class="panel"><h2>Undone ${undoneAt === undefined ? '' : ago(undoneAt, Date.now())}</h2>
<p>Removed ${counted(removed, 'item')} that it had added, and restored ${counted(restored, 'item')} that it had changed.</p>
${kept === 0 ? '' : html`<div class="note warn"><p>${counted(kept, 'item')} changed again later, so ${kept === 1 ? 'it stays' : 'they stay'} as ${kept === 1 ? 'it is' : 'they are'}.</p></div>`}
${madeWords(made)}
<p class="small quiet">You can import the files again.</p></section>`
}

const KINDS = { connection: 'account', source: 'source' } as const

const WHY: Record<StayReason, string> = {
  records: 'it has items that this import did not add, or that changed later.',
  grant: 'an agent has or had access to it.',
  changed: 'it changed later.',
  connector: 'a program that updates it keeps its place there.',
  connections: 'it has other accounts.',
}

function madeWords(made: StoredImport['made']): Markup {
  if (made.length === 0) return html`<p>Its sources stay.</p>`
  const gone = made.filter(({ outcome }) => outcome === 'removed')
  const stays = made.filter(({ outcome }) => outcome !== 'removed')
  return html`${gone.length === 0 ? '' : html`<p>Also removed, because nothing else used ${gone.length === 1 ? 'it' : 'them'}: ${list(gone.map((one) => html`the ${KINDS[one.kind]} ${untrustedText(one.name, 60)}`))}.</p>`}
${stays.length === 0 ? '' : html`<div class="note">${stays.map((one) => html`<p>The ${KINDS[one.kind]} ${untrustedText(one.name, 60)} stays: ${one.outcome === undefined ? '' : WHY[one.outcome as StayReason]}</p>`)}</div>`}`
}

const list = (parts: readonly Markup[]): Markup[] =>
  parts.map((part, at) => html`${at === 0 ? '' : at === parts.length - 1 ? ' and ' : ', '}${part}`)

export function undoPanel(pageSession: PageSession, stored: StoredImport): Markup | string {
  const { state, written, importId } = stored
  if (state === 'undone') return ''
  const answer = undoable(stored)
  if (!answer.possible)
    return sumOf(written, 'added') + sumOf(written, 'changed') === 0
      ? ''
      : html`<section class="panel" id="undo"><h2>Undo</h2><p>Too late to undo. ${answer.reason}</p></section>`
  const [added, changed] = [sumOf(written, 'added'), sumOf(written, 'changed')]
  return html`<section class="panel" id="undo"><h2>Undo</h2><details class="more"><summary>Undo this import</summary>${form(
    pageSession,
    { action: `/import/${importId}/undo`, purpose: `undo:${importId}`, stacked: true },
    html`<p class="quiet">${undoWords(added, changed)}${stored.made.length === 0 ? '' : ' Sources that it created go too, unless something else uses them.'} Items that changed again later stay as they are. Agents that follow changes see the undo as ordinary changes.</p>
<button class="button danger">Undo this import</button>`,
  )}</details>
${changed === 0 ? '' : html`<p class="small quiet">It changed items, so you can undo it for ${UNDO_DAYS} days, while it is one of the last ${UNDO_IMPORTS} imports.</p>`}</section>`
}

function undoWords(added: number, changed: number): string {
  const parts = [
    ...(added === 0 ? [] : [`Removes the ${counted(added, 'new item')}.`]),
    ...(changed === 0 ? [] : [`Restores the ${counted(changed, 'changed item')}.`]),
  ]
  return parts.length === 0 ? 'It has no items.' : parts.join(' ')
}
