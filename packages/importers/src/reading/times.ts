import { parseInstant } from '@pdpp/protocol'
import { isDayName, monthNamed } from './calendar-names.ts'

/** The notations in which a text or a number can give a time. */
export type TimeForm =
  | 'iso'
  | 'ymd'
  | 'dmy'
  | 'mdy'
  | 'named'
  | 'epoch-s'
  | 'epoch-ms'
  | 'epoch-us'
  | 'epoch-ns'
  | 'webkit'
  | 'mac'

export interface ReadTime {
  /** RFC 3339, or a date. */
  readonly text: string
  readonly isDate: boolean
  /** True if the source named no zone. */
  readonly local: boolean
}

interface Parts {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly clock: RegExpExecArray | undefined
}

const CLOCK =
  /^[T,\s]*(?:at\s+)?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([AaPp])?(?:\.?[Mm]\.?)?\s*(Z|UTC?|GMT|0000|EST|EDT|CST|CDT|MST|MDT|PST|PDT|[+-]\d{2}:?\d{2})?\s*(?:\([^()]*\))?$/
const NUMERIC = /^(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})\.?(?=$|[T,\s])/
/** A day's name at the beginning of a date. */
const DAY_NAME = /^([\p{L}-]{2,15})\.?,?\s+/u
const DAY_MONTH = /^(\d{1,2})\.?[\s-]+(?:de\s+)?(\p{L}{3,12})\.?,?[\s-]+(?:de\s+)?(\d{4}|\d{2})(?=$|[T,\s])/u
const MONTH_DAY = /^(\p{L}{3,12})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?=$|[T,\s])/u
const YEAR_MONTH = /^(\d{4})\.?\s+(\p{L}{3,12})\.?\s+(\d{1,2})\.?(?=$|[T,\s])/u
/** `2021年1月5日(火) 10時20分`, and the same in Korean. */
const CJK =
  /^(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일](?:\s?[(（]?(?:[月火水木金土日](?:曜日?)?|(?:星期|周|週)[一二三四五六日天]|[월화수목금토일](?:요일)?)[)）]?)?(?=$|[\s\d])/u
const CJK_CLOCK = /^(\d{1,2})\s?[時时시]\s?(\d{1,2})\s?[分분](?:\s?(\d{1,2})\s?[秒초])?$/
/** The notation of `date` and mbox: `Tue Jul  1 10:52:37 2003`, with a zone before or after the year. */
const ASCTIME = /^\p{L}{3},?\s+(\p{L}{3})\s+(\d{1,2})\s+(\d{1,2}:\d{2}(?::\d{2})?)\s+(\S+\s+)?(\d{4})(\s+[+-]\d{4})?$/u

/** RFC 5322 section 4.3 still allows the North American zones by name. */
const ZONES: Record<string, string> = {
  EST: '-05:00',
  EDT: '-04:00',
  CST: '-06:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
}

const EPOCHS: Partial<Record<TimeForm, { perSecond: number; from: number }>> = {
  'epoch-s': { perSecond: 1, from: 0 },
  'epoch-ms': { perSecond: 1e3, from: 0 },
  'epoch-us': { perSecond: 1e6, from: 0 },
  'epoch-ns': { perSecond: 1e9, from: 0 },
  webkit: { perSecond: 1e6, from: -11_644_473_600 }, // microseconds since 1601, in Chrome's databases
  mac: { perSecond: 1, from: 978_307_200 }, // seconds since 2001, in Apple's databases
}

export const EPOCH_FORMS = Object.keys(EPOCHS) as TimeForm[]
export const TEXT_FORMS: readonly TimeForm[] = ['iso', 'ymd', 'named', 'dmy', 'mdy']

/** Reads a text, or the digits of a number, in one form. Returns undefined if the value does not have this form. */
export function readTime(form: TimeForm, value: string, zone = 'UTC'): ReadTime | undefined {
  const text = value.trim()
  const epoch = EPOCHS[form]
  if (epoch) return fromEpoch(text, epoch)
  if (form === 'iso') {
    if (parseInstant(text) === undefined) return
    return { text: text.length > 10 ? text.replace(' ', 'T') : text, isDate: text.length <= 10, local: false }
  }
  const parts = form === 'named' ? namedParts(text) : numericParts(form, text)
  return parts && fromParts(parts, zone)
}

/** Converts a number in an epoch form to seconds since 1970. The caller decides whether the result is plausible. */
export function epochSeconds(form: TimeForm, value: number): number {
  const { perSecond, from } = EPOCHS[form]!
  return value / perSecond + from
}

function fromEpoch(text: string, { perSecond, from }: { perSecond: number; from: number }): ReadTime | undefined {
  if (!/^-?\d{1,19}(\.\d{1,9})?$/.test(text)) return
  const [whole = '0', fraction = ''] = text.split('.')
  // Uses integers, because a double loses digits of nanoseconds and of Chrome's microseconds.
  const micros = (BigInt(whole) * 1_000_000n) / BigInt(perSecond) + BigInt(from) * 1_000_000n
  const below = perSecond === 1 ? BigInt(fraction.padEnd(6, '0').slice(0, 6) || '0') : 0n
  const total = micros + (whole.startsWith('-') ? -below : below)
  const millis = Number(total / 1000n)
  if (Math.abs(millis) > 8.64e15 || new Date(millis).getUTCFullYear() > 9999 || new Date(millis).getUTCFullYear() < 1)
    return
  const rest = Number(((total % 1000n) + 1000n) % 1000n)
  const shown = new Date(rest === 0 ? millis : Math.floor(Number(total) / 1000)).toISOString()
  return {
    text: rest === 0 ? shown.replace('.000Z', 'Z') : shown.replace('Z', `${String(rest).padStart(3, '0')}Z`),
    isDate: false,
    local: false,
  }
}

function numericParts(form: TimeForm, text: string): Parts | undefined {
  const match = NUMERIC.exec(text)
  if (!match) return
  const [a, b, c] = [match[1]!, match[3]!, match[4]!]
  const [year, month, day] = form === 'ymd' ? [a, b, c] : form === 'dmy' ? [c, b, a] : [c, a, b]
  if ((year.length !== 4 && year.length !== 2) || (form === 'ymd' && year.length !== 4)) return
  if (month.length > 2 || day.length > 2) return
  return withClock(fullYear(year), Number(month), Number(day), text.slice(match[0].length))
}

function namedParts(text: string): Parts | undefined {
  const printed = ASCTIME.exec(text)
  if (printed) {
    const [, month, day, clock, before = '', year, after = ''] = printed
    const zone = after.trim() || (/^([+-]\d{4}|[A-Z]{3})$/.test(before.trim()) ? before.trim() : '')
    return withClock(Number(year), monthNamed(month!), Number(day), ` ${clock} ${zone}`.trimEnd())
  }
  const east = CJK.exec(text)
  if (east) return withClock(Number(east[1]), Number(east[2]), Number(east[3]), plainClock(text.slice(east[0].length)))
  const whole = dateParts(text)
  if (whole) return whole
  // Removed only now, because `Mar` is a day in Spanish and a month in English.
  const dayName = DAY_NAME.exec(text)
  return dayName && isDayName(dayName[1]!) ? dateParts(text.slice(dayName[0].length)) : undefined
}

function dateParts(text: string): Parts | undefined {
  const first = DAY_MONTH.exec(text)
  if (first) return withClock(fullYear(first[3]!), monthNamed(first[2]!), Number(first[1]), text.slice(first[0].length))
  const second = MONTH_DAY.exec(text)
  if (second)
    return withClock(Number(second[3]), monthNamed(second[1]!), Number(second[2]), text.slice(second[0].length))
  const third = YEAR_MONTH.exec(text)
  if (third) return withClock(Number(third[1]), monthNamed(third[2]!), Number(third[3]), text.slice(third[0].length))
  return
}

/** `10時20分` as `10:20`. */
function plainClock(text: string): string {
  const match = CJK_CLOCK.exec(text.trim())
  if (!match) return text
  const [hour, minute, second] = match.slice(1).map((part) => part?.padStart(2, '0'))
  return [hour, minute, second].filter((part) => part !== undefined).join(':')
}
const fullYear = (digits: string): number =>
  digits.length === 4 ? Number(digits) : Number(digits) + (Number(digits) < 70 ? 2000 : 1900)

function withClock(year: number, month: number, day: number, rest: string): Parts | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  if (year < 1000 || month < 1 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return
  if (rest.trim() === '') return { year, month, day, clock: undefined }
  const clock = CLOCK.exec(rest)
  return clock ? { year, month, day, clock } : undefined
}

function fromParts({ year, month, day, clock }: Parts, zone: string): ReadTime | undefined {
  const date = `${year}-${two(month)}-${two(day)}`
  if (!clock) return { text: date, isDate: true, local: true }
  const [, hours, minutes, seconds = '00', fraction, half, named] = clock
  let hour = Number(hours)
  if (half && (hour < 1 || hour > 12)) return
  if (half) hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  const time = `${two(hour)}:${minutes}:${seconds}${fraction ? `.${fraction}` : ''}`
  const offset = named === undefined ? offsetOf(zone, `${date}T${time}Z`) : (ZONES[named] ?? writtenOffset(named))
  const text = `${date}T${time}${offset}`
  return parseInstant(text) === undefined ? undefined : { text, isDate: false, local: named === undefined }
}

const two = (value: number): string => String(value).padStart(2, '0')

function writtenOffset(text: string): string {
  if (!/^[+-]/.test(text)) return 'Z'
  return text.includes(':') ? text : `${text.slice(0, 3)}:${text.slice(3)}`
}

const formats = new Map<string, Intl.DateTimeFormat>()

export function isTimeZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}

/** The offset of a zone at a local time. If the clock shows this time twice, the first one counts. */
function offsetOf(zone: string, localAsUtc: string): string {
  if (zone === 'UTC') return 'Z'
  const micros = parseInstant(localAsUtc)
  if (micros === undefined) return 'Z'
  const local = Math.floor(micros / 1000)
  const guess = zoneMinutes(zone, local - zoneMinutes(zone, local) * 60_000)
  const earlier = zoneMinutes(zone, local - 86_400_000)
  const minutes = zoneMinutes(zone, local - earlier * 60_000) === earlier ? earlier : guess
  const sign = minutes < 0 ? '-' : '+'
  return `${sign}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`
}

function zoneMinutes(zone: string, at: number): number {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    formats.set(zone, format)
  }
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(name)
  return match ? (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) : 0
}
