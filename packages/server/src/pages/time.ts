import { html } from 'hono/html'
import type { Markup } from './theirs.ts'

const LONG = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** A moment in words, in UTC, with the exact one behind it. */
export function moment(at: number): Markup {
  return html`<time datetime="${new Date(at).toISOString()}">${LONG.format(at)} UTC</time>`
}

export function day(at: number): Markup {
  return html`<time datetime="${new Date(at).toISOString().slice(0, 10)}">${DAY.format(at)}</time>`
}

export const dayText = (at: number): string => DAY.format(at)

export function monthSpan(from: number, to: number): string {
  const [first, last] = [MONTH.format(from), MONTH.format(to)]
  return first === last ? first : `${first} – ${last}`
}

export const count = (number: number): string => number.toLocaleString('en')

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/(\d{1,9})Y/, 'year'],
  [/^[^T]*?(\d{1,9})M/, 'month'],
  [/(\d{1,9})W/, 'week'],
  [/(\d{1,9})D/, 'day'],
  [/(\d{1,9})H/, 'hour'],
  [/T.*?(\d{1,9})M/, 'minute'],
  [/(\d{1,9})S/, 'second'],
]

/** An ISO 8601 duration in words: P1Y6M is "1 year, 6 months". */
export function durationText(duration: string): string {
  const parts = UNITS.flatMap(([pattern, unit]) => {
    const number = Number(pattern.exec(duration)?.[1] ?? 0)
    return number === 0 ? [] : [`${count(number)} ${unit}${number === 1 ? '' : 's'}`]
  })
  return parts.join(', ') || 'no time at all'
}
