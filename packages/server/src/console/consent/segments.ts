import { html } from 'hono/html'
import type { Markup } from '../frame/untrusted-text.ts'

export interface Segments<Value extends string> {
  /** The question, such as "For how long?". */
  readonly legend: string
  readonly name: string
  readonly options: readonly (readonly [Value, string])[]
  readonly value: Value
}

/** A question with a few answers next to each other. One click answers it, even without scripts. */
export function segments<Value extends string>({ legend, name, options, value }: Segments<Value>): Markup {
  const option = ([one, text]: readonly [Value, string]) =>
    html`<label><input type="radio" id="${name}-${one === '' ? 'any' : one}" name="${name}" value="${one}"${one === value ? html` checked` : ''}><span>${text}</span></label>`
  return html`<fieldset class="period"><legend>${legend}</legend><div class="segments">${options.map(option)}</div></fieldset>`
}
