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
