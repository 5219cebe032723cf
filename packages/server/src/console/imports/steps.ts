import { html } from 'hono/html'
import { icon } from '../frame/icons.ts'
import type { Markup } from '../frame/untrusted-text.ts'

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
