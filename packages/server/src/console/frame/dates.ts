import { html } from 'hono/html'
import { formatIn, zonedDay } from './local-time.ts'
import type { Markup } from './untrusted-text.ts'

/** The full date and time with the zone, for titles. */
const fullText = (at: number): string =>
  `${formatIn({ dateStyle: 'long', timeStyle: 'short' }, at)} ${formatIn({ timeZoneName: 'short' }, at).split(', ').at(-1)}`

/** "Today, 13:48", "15 Nov, 09:00" or "4 Nov 2024, 09:00", in the owner's time zone. */
function momentText(at: number): string {
  return `${dateText(at)}, ${formatIn({ timeStyle: 'short' }, at)}`
}

function dateText(at: number): string {
  const now = Date.now()
  if (zonedDay(at) === zonedDay(now)) return 'Today'
  if (zonedDay(at) === zonedDay(now - 86_400_000)) return 'Yesterday'
  const isThisYear = zonedDay(at).slice(0, 4) === zonedDay(now).slice(0, 4)
  return formatIn({ day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) }, at)
}

/** A short date and time, with the exact time in `datetime` and the full one in the title. */
export function moment(at: number): Markup {
  return html`<time datetime="${new Date(at).toISOString()}" title="${fullText(at)}">${momentText(at)}</time>`
}

/** Only the time of day, for lists that show the day above. */
export function clock(at: number): Markup {
  return html`<time datetime="${new Date(at).toISOString()}" title="${fullText(at)}">${formatIn({ timeStyle: 'short' }, at)}</time>`
}

export function day(at: number): Markup {
  return html`<time datetime="${zonedDay(at)}">${dayText(at)}</time>`
}

/** A date without a time, such as a birthday. It is the same day in every zone. */
export function calendarDay(text: string): Markup {
  return html`<time datetime="${text}">${formatIn({ dateStyle: 'long' }, Date.parse(text), 'UTC')}</time>`
}

export const dayText = (at: number): string => formatIn({ dateStyle: 'long' }, at)

export function monthSpan(from: number, to: number): string {
  const [first, last] = [monthText(from), monthText(to)]
  return first === last ? first : `${first} – ${last}`
}

/** Months are in UTC. */
export const monthText = (at: number): string => formatIn({ month: 'short', year: 'numeric' }, at, 'UTC')

const STEPS = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const
const AGO = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/** "3 days ago", with the exact time in `datetime` and in the title. */
export function ago(at: number, now: number): Markup {
  const [unit, length] = STEPS.find(([, step]) => Math.abs(now - at) >= step) ?? ['second', Number.POSITIVE_INFINITY]
  const text = unit === 'second' ? 'just now' : AGO.format(Math.round((at - now) / length), unit)
  return html`<time datetime="${new Date(at).toISOString()}" title="${fullText(at)}">${text}</time>`
}

/** A file size in decimal units, such as "1.5 MB". */
export function bytes(size: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const step = Math.min(units.length - 1, size < 1000 ? 0 : Math.floor(Math.log10(size) / 3))
  return `${(size / 1000 ** step).toLocaleString('en', { maximumFractionDigits: step === 0 ? 0 : 1 })} ${units[step]}`
}

export const count = (number: number): string => number.toLocaleString('en')

/** "1 item", "2 items". */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : many}`

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
    return number === 0 ? [] : [counted(number, unit)]
  })
  return parts.join(', ') || 'no time at all'
}
