import type { ReportedProblem } from '@pdpp/importers'
import { html } from 'hono/html'
import { KEPT_PROBLEMS, type StoredImport } from '../../imports/import.ts'
import { count } from '../frame/dates.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'

export interface ShownProblem {
  readonly at: number
  readonly problem: ReportedProblem
}

export interface ProblemPage {
  readonly shown: readonly ShownProblem[]
  readonly next: string | undefined
  /** Number of problems before this page. */
  readonly first: number
}

/** The problems of an import, each with its place and reason. */
export function problemsPanel(
  { importId, problems: total }: StoredImport,
  { shown, next, first }: ProblemPage,
): Markup | string {
  if (total === 0) return ''
  const kept = Math.min(total, KEPT_PROBLEMS)
  return html`<section class="panel" id="problems"><div class="head"><h2>${count(total)} ${total === 1 ? 'problem' : 'problems'}</h2>
${shown.length === 0 && first === 0 ? '' : html`<a href="/import/${importId}/problems">Download ${kept < total ? `the first ${count(kept)}` : 'all'}</a>`}</div>
${
  shown.length === 0
    ? html`<p class="quiet">${first === 0 ? 'They are no longer stored.' : 'There are no more.'}</p>`
    : html`<div class="scroll whole" tabindex="0" role="region" aria-label="Problems"><table class="table small"><thead><tr><th scope="col">Where</th><th scope="col">What is wrong</th><th scope="col">Item</th></tr></thead>
<tbody>${shown.map(({ problem }) => row(problem))}</tbody></table></div>
${shown.length === total ? '' : html`<p class="small quiet">${count(shown[0]!.at)} to ${count(shown.at(-1)!.at)} of ${count(total)}${kept < total ? `. Only the first ${count(kept)} are stored` : ''}. ${first === 0 ? '' : html`<a href="/import/${importId}#problems">First</a> `}${next === undefined ? '' : html`<a href="${next}#problems">Next</a>`}</p>`}`
}</section>`
}

function row({ file, table, row: number, line, reason, excerpt, imported }: ReportedProblem): Markup {
  const where = [
    table === undefined ? '' : untrustedText(table, 60),
    number === undefined ? '' : `row ${count(number)}`,
    line === undefined ? '' : `line ${count(line)}`,
  ]
  const parts = where.filter((part) => part !== '')
  return html`<tr><th scope="row">${untrustedText(file, 80)}${parts.map((part) => html`, ${part}`)}</th>
<td>${untrustedText(reason, 300)}${excerpt === undefined ? '' : html`<br><span class="quiet">${untrustedText(excerpt, 160)}</span>`}</td>
<td>${imported ? 'imported without this value' : 'skipped'}</td></tr>`
}
