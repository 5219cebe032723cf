import { html } from 'hono/html'
import { BACK_DAYS, type BackDays, ENDS, type Ends, FORM } from '../../authorization/consent/choice.ts'
import type { Markup } from '../frame/untrusted-text.ts'

const BACK_TEXTS: Readonly<Record<BackDays, string>> = {
  '30': '30 days',
  '365': '12 months',
  '1826': '5 years',
  '': 'Everything',
}

const END_TEXTS: Readonly<Record<Ends, string>> = {
  once: '1 hour',
  '1': '1 day',
  '7': '7 days',
  '90': '90 days',
  '365': '1 year',
  '': 'No end',
}

export interface Periods {
  readonly back: BackDays
  readonly ends: Ends
  /** True if the client named the data that it needs. Then the widest period is the one that it asked for. */
  readonly isAsked: boolean
  /** True if the client asked for one hour. Then there is nothing to choose. */
  readonly isOnceAsked: boolean
}

/** How far back and for how long. No tick and no quick choice answers these two questions. */
export function periods({ back, ends, isAsked, isOnceAsked }: Periods): Markup {
  const texts = isAsked ? { ...BACK_TEXTS, '': 'As asked' } : BACK_TEXTS
  return html`<div class="periods">
${segments({ legend: 'How far back?', name: FORM.back, options: BACK_DAYS.map((one) => [one, texts[one]]), value: back })}
${
  isOnceAsked
    ? html`<p class="period"><strong>For how long?</strong> It asked for 1 hour, one time only.</p>`
    : segments({
        legend: 'For how long?',
        name: FORM.ends,
        options: ENDS.map((one) => [one, END_TEXTS[one]]),
        value: ends,
      })
}</div>`
}

/** The period as part of a sentence: "the last 12 months". */
export const backWords: Readonly<Record<Exclude<BackDays, ''>, string>> = {
  '30': 'the last 30 days',
  '365': 'the last 12 months',
  '1826': 'the last 5 years',
}

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
