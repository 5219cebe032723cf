import type { PlannedStream } from '@pdpp/importers'
import { html } from 'hono/html'
import type { ImportState, StoredImport } from '../../imports/import.ts'
import { sumOf } from '../../imports/undo.ts'
import { count, counted } from '../frame/dates.ts'
import { icon } from '../frame/icons.ts'
import { type Markup, untrustedText } from '../frame/untrusted-text.ts'

const STATES: Record<ImportState, readonly [string, string]> = {
  uploaded: ['Checking…', ''],
  recognised: ['Ready to check', 'warn'],
  waiting: ['Waiting', ''],
  running: ['Importing…', ''],
  finished: ['Finished', 'good'],
  failed: ['Failed', 'bad'],
  stopped: ['Stopped', 'warn'],
  undoing: ['Undoing…', ''],
  undone: ['Undone', ''],
}

export function stateBadge(state: ImportState): Markup {
  const [words, kind] = STATES[state]
  return html`<span class="badge ${kind}">${words}</span>`
}

/** The name of the first file, and the number of the others. */
export function filesWords({ body: { files, fileCount = files.length } }: StoredImport, limit = 80): Markup {
  const more = fileCount - 1
  return html`${untrustedText(files[0]?.name ?? 'nothing', limit)}${more > 0 ? ` and ${count(more)} more` : ''}`
}

export function countsWords({ state, written, problems }: StoredImport): string {
  const [added, changed] = [sumOf(written, 'added'), sumOf(written, 'changed')]
  const isBefore = ['uploaded', 'recognised', 'waiting'].includes(state) || (state === 'failed' && written.length === 0)
  const parts = [
    ...(isBefore ? [] : [`${count(added)} new, ${count(changed)} changed`]),
    ...(problems === 0 ? [] : [`${count(problems)} ${problems === 1 ? 'problem' : 'problems'}`]),
  ]
  return parts.join(' · ')
}

export function spanText(seconds: number): string {
  if (seconds < 60) return `${count(Math.max(1, seconds))} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${count(minutes)} min` : `${(seconds / 3600).toFixed(1)} h`
}

/** The number of items, if it is known before everything is read. */
export function itemsWords(streams: readonly PlannedStream[]): string {
  const sum = streams.reduce((all, { sampled, expected }) => all + (expected ?? sampled), 0)
  const isKnown = streams.every(({ complete, expected }) => complete || expected !== undefined)
  return isKnown ? counted(sum, 'item') : `more than ${counted(sum, 'item')}`
}

const STEPS = ['Choose', 'Check', 'Import'] as const
export type ImportStep = (typeof STEPS)[number]

/** Shows the owner's current step on the way from files to items. */
export function importSteps(now: ImportStep): Markup {
  const at = STEPS.indexOf(now)
  return html`<ol class="way" aria-label="Steps">${STEPS.map(
    (step, index) =>
      html`<li${index === at ? html` aria-current="step"` : ''}${index < at ? html` class="past"` : ''}><span class="way-mark" aria-hidden="true">${index < at ? icon('check') : index + 1}</span>${step}</li>`,
  )}</ol>`
}
