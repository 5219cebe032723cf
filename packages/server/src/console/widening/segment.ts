import { html } from 'hono/html'
import type { Markup } from '../frame/untrusted-text.ts'

/** A few choices side by side, one of which is chosen. */
export function segment<Value extends string>(
  title: string,
  name: string,
  values: readonly Value[],
  chosen: Value,
  text: (value: Value) => string,
): Markup {
  return html`<fieldset class="segment"><legend>${title}</legend><div class="seg">${values.map(
    (value) =>
      html`<label><input type="radio" name="${name}" value="${value}" id="${name}-${value}"${value === chosen ? html` checked` : ''}><span>${text(value)}</span></label>`,
  )}</div></fieldset>`
}
