import { html } from 'hono/html'
import type { StoredImport } from '../../imports/import.ts'
import { sumOf } from '../../imports/undo.ts'
import type { RunProgress } from '../../imports/worker-messages.ts'
import { count, counted } from '../frame/dates.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'
import { spanText } from './import-text.ts'

/** The progress of an import: share, rate, remaining time, and records written so far. */
export function importProgress(stored: StoredImport, progress: RunProgress | undefined): Markup {
  const { state, written, body } = stored
  if (state === 'waiting') return html`<p>Waiting until another import is done.</p>`
  if (body.isClientSide)
    return html`<p>Importing from a terminal. ${count(sumOf(written, 'added'))} new, ${count(sumOf(written, 'changed'))} changed so far.</p>`
  const resumed = body.resumed ? html`<p>The server was restarted. The import continues.</p>` : ''
  if (!progress) return html`${resumed}<progress aria-label="Import"></progress><p class="small quiet">Starting…</p>`
  const { share, secondsLeft, records, recordsPerSecond, input, source, sources } = progress
  const parts = [
    share === undefined ? '' : `${Math.floor(share * 100)} %`,
    `${counted(records, 'item')} read`,
    `${count(recordsPerSecond)} per second`,
    secondsLeft === undefined ? '' : `about ${spanText(secondsLeft)} left`,
  ]
  const bar =
    share === undefined
      ? html`<progress aria-label="Import"></progress>`
      : html`<progress max="100" value="${Math.floor(share * 100)}" aria-label="Import"></progress>`
  return html`${resumed}${bar}
<p class="figures-line">${parts.filter((part) => part !== '').join(' · ')}</p>
<p class="small quiet">${untrustedText(input, 120)}${sources > 1 ? `, source ${source + 1} of ${sources}` : ''} · ${count(sumOf(written, 'added'))} new, ${count(sumOf(written, 'changed'))} changed so far</p>`
}
