import { html } from 'hono/html'
import type { Markup } from './untrusted-text.ts'

const LONG = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** A readable date and time in UTC, with the exact time in `datetime`. */
export function moment(at: number): Markup {
  return html`<time datetime="${new Date(at).toISOString()}">${LONG.format(at)} UTC</time>`
}

/** Only the time of day, for lists that show the day above. */
export function clock(at: number): Markup {
  const text = new Date(at).toISOString()
  return html`<time datetime="${text}">${text.slice(11, 16)} UTC</time>`
}

export function day(at: number): Markup {
  return html`<time datetime="${new Date(at).toISOString().slice(0, 10)}">${DAY.format(at)}</time>`
}

export const dayText = (at: number): string => DAY.format(at)

export function monthSpan(from: number, to: number): string {
  const [first, last] = [MONTH.format(from), MONTH.format(to)]
  return first === last ? first : `${first} – ${last}`
}

export const monthText = (at: number): string => MONTH.format(at)

const STEPS = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const
const AGO = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/** "3 days ago", with the exact time in `datetime`. */
export function ago(at: number, now: number): Markup {
  const [unit, length] = STEPS.find(([, step]) => Math.abs(now - at) >= step) ?? ['second', Number.POSITIVE_INFINITY]
  const text = unit === 'second' ? 'just now' : AGO.format(Math.round((at - now) / length), unit)
  return html`<time datetime="${new Date(at).toISOString()}">${text}</time>`
}

/** A file size in decimal units, such as "1.5 MB". */
export function bytes(size: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const step = Math.min(units.length - 1, size < 1000 ? 0 : Math.floor(Math.log10(size) / 3))
  return `${(size / 1000 ** step).toLocaleString('en', { maximumFractionDigits: step === 0 ? 0 : 1 })} ${units[step]}`
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

/** An ISO 8601 duration as text: P1Y6M is "1 year, 6 months". */
export function durationText(duration: string): string {
  const parts = UNITS.flatMap(([pattern, unit]) => {
    const number = Number(pattern.exec(duration)?.[1] ?? 0)
    return number === 0 ? [] : [`${count(number)} ${unit}${number === 1 ? '' : 's'}`]
  })
  return parts.join(', ') || 'no time at all'
}
