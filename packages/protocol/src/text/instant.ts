/**
 * Instants are whole microseconds since 1970 UTC, because integers compare the same in every store and time zone.
 * Smaller fractions are dropped here; answers always show the source's text.
 */
const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:[.,](\d+))?([Zz]|[+-]\d\d:?\d\d)$/
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/

/** Parses an RFC 3339 date-time, or a date as its UTC midnight. Returns undefined for anything else. */
export function parseInstant(text: string): number | undefined {
  const usual = parseUsual(text)
  if (usual !== undefined) return usual
  const date = DATE.exec(text)
  if (date) return fromParts(date, 0, 0, 0, 0, 0)
  const match = DATE_TIME.exec(text)
  if (!match) return
  const second = Math.min(Number(match[6]), 59) // A leap second counts as the second before it.
  const fraction = Number((match[7] ?? '').padEnd(6, '0').slice(0, 6))
  if (Number(match[4]) > 23 || Number(match[5]) > 59 || Number(match[6]) > 60) return
  const offset = offsetMinutes(match[8]!)
  return offset === undefined
    ? undefined
    : fromParts(match, Number(match[4]), Number(match[5]) - offset, second, fraction, 0)
}

const ZERO = 48
const MICROS_PER_DAY = 86_400_000_000

/**
 * Parses the form that programs write: `2026-04-01T09:30:00Z`, with or without three digits of a second, in the years
 * 1970 to 9999. It takes a tenth of the time of the patterns. Returns undefined for anything else.
 */
function parseUsual(text: string): number | undefined {
  const { length } = text
  if ((length !== 20 && length !== 24) || text.charCodeAt(length - 1) !== 0x5a) return
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2)
  const month = twoDigits(text, 5)
  const day = twoDigits(text, 8)
  const hour = twoDigits(text, 11)
  const minute = twoDigits(text, 14)
  const second = twoDigits(text, 17)
  const millis = length === 20 ? 0 : 10 * twoDigits(text, 20) + text.charCodeAt(22) - ZERO
  const hasMarks =
    text.charCodeAt(4) === 0x2d &&
    text.charCodeAt(7) === 0x2d &&
    text.charCodeAt(10) === 0x54 &&
    text.charCodeAt(13) === 0x3a &&
    text.charCodeAt(16) === 0x3a &&
    (length === 20 || (text.charCodeAt(19) === 0x2e && isDigit(text.charCodeAt(22))))
  if (!hasMarks || year < 1970 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 28) return
  if (hour > 23 || minute > 59 || second > 59 || millis > 999) return
  return daysSince1970(year, month, day) * MICROS_PER_DAY + ((hour * 60 + minute) * 60 + second) * 1e6 + millis * 1000
}

const isDigit = (code: number): boolean => code >= ZERO && code <= ZERO + 9

/** Returns an impossible number if the characters are not digits. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO
  const ones = text.charCodeAt(at + 1) - ZERO
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 1_000_000
}

/** Counts in years that begin in March, so that a leap day is the last day of its year. */
function daysSince1970(year: number, month: number, day: number): number {
  const years = month > 2 ? year : year - 1
  const months = month > 2 ? month - 3 : month + 9
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400)
  return years * 365 + leapDays + Math.floor((153 * months + 2) / 5) + day - 1 - 719_468
}

function fromParts(match: RegExpExecArray, hour: number, minute: number, second: number, micros: number, base: number) {
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day) // Date.UTC would read the years 0 to 99 as 19xx.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return
  return base + (date.getTime() + hour * 3_600_000 + minute * 60_000 + second * 1000) * 1000 + micros
}

function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(-2))
  if (hours > 23 || minutes > 59) return
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}

const MICROS = { 'epoch-seconds': 1_000_000, 'epoch-milliseconds': 1_000 } as const

/**
 * Converts a count since 1970 to an instant. Returns undefined if it is not a whole number or is after the year 9999.
 */
export function epochInstant(count: number, kind: keyof typeof MICROS): number | undefined {
  const micros = count * MICROS[kind]
  return Number.isSafeInteger(count) && Math.abs(micros) <= MAX_MICROS ? micros : undefined
}

const MAX_MICROS = Date.UTC(9999, 11, 31) * 1000

export function formatInstant(micros: number): string {
  return isoTime(Math.floor(micros / 1000))
}

const DAY_MS = 86_400_000
/** The last millisecond that a date can have. */
const MAX_MS = 8_640_000_000_000_000
const MAX_DAYS = 1000

const padded = (digits: number, count: number): string[] =>
  Array.from({ length: count }, (_, number) => String(number).padStart(digits, '0'))
const TWO = padded(2, 60)
const THREE = padded(3, 1000)

/** Dates by their number since 1970. */
const dates = new Map<number, string>()

/**
 * The same text as `toISOString` of a date, for whole milliseconds. Most rows of a page are from a few days, so the
 * date is cached, and the time needs no calendar.
 */
export function isoTime(millis: number): string {
  if (!Number.isInteger(millis) || Math.abs(millis) > MAX_MS) return new Date(millis).toISOString()
  const day = Math.floor(millis / DAY_MS)
  const rest = millis - day * DAY_MS
  const seconds = Math.floor(rest / 1000)
  const minutes = Math.floor(seconds / 60)
  const time = `${TWO[Math.floor(minutes / 60)]}:${TWO[minutes % 60]}:${TWO[seconds % 60]}.${THREE[rest % 1000]}Z`
  return (dates.get(day) ?? dateOf(day)) + time
}

function dateOf(day: number): string {
  const date = new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length)
  if (dates.size >= MAX_DAYS) dates.clear()
  dates.set(day, date)
  return date
}
