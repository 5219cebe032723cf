import { readTime } from '../../reading/times.ts'
import { hourOf } from './day-periods.ts'

/** Text direction marks, which WhatsApp puts around numbers, names and its own words. */
const MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

export const withoutMarks = (text: string): string => text.replace(MARKS, '')

/** The parts of the time at which a line begins. Only the whole file shows which part is the day. */
export interface Stamp {
  /** The text of the time, without marks and with Latin digits. Part of the id of a message. */
  readonly text: string
  readonly parts: readonly [string, string, string]
  readonly clock: string
  readonly hasSeconds: boolean
  /** iPhones put the time in brackets. */
  readonly isBracketed: boolean
}

export interface StampedLine {
  readonly stamp: Stamp
  readonly rest: string
  /** True if a mark is before the time. iPhones add it for media. */
  readonly isMarked: boolean
  /** True if the time has marks for writing from right to left. Then WhatsApp begins its own words with them too. */
  readonly isRightToLeft: boolean
}

export type DateOrder = 'dmy' | 'mdy' | 'ymd'

const BRACKETED = /^\[([^\][]{8,48})\] ?(.*)$/s
const DASHED = /^(.{8,48}?) [-–] (.*)$/s
const DATE = /([RHS]?\d{1,4})\s?[./\-年년]\s?(\d{1,2})\s?[./\-月월]\s?([RHS]?\d{1,4})(?:[日일.]|\s?(?:BE|г\.?|AP))*/u
  .source
const CLOCK = String.raw`(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?`
const DATE_FIRST = new RegExp(String.raw`^${DATE}(?<before>[^\d]{0,24}?)${CLOCK}(?<after>\D{0,16})$`, 'u')
const CLOCK_FIRST = new RegExp(String.raw`^${CLOCK}(?<after>\D{0,16}?),?\s+${DATE}$`, 'u')

/** Splits a line into its time and the rest. Undefined if it does not begin with a time. */
export function readStamp(line: string): StampedLine | undefined {
  const start = /^[\u200e\u200f\ufeff\u202a-\u202e]*/.exec(line)![0].length
  const isMarked = /[\u200e\u200f]/.test(line.slice(0, start))
  const text = line.slice(start)
  const isBracketed = text.startsWith('[')
  const match = (isBracketed ? BRACKETED : DASHED).exec(text)
  const stamp = match ? stampOf(match[1]!, isBracketed) : undefined
  return stamp && { stamp, rest: match![2]!, isMarked, isRightToLeft: match![1]!.includes('\u200f') }
}

function stampOf(written: string, isBracketed: boolean): Stamp | undefined {
  const text = plain(written)
  const first = DATE_FIRST.exec(text)
  const second = first ? undefined : CLOCK_FIRST.exec(text)
  const match = first ?? second
  if (!match) return
  const [date, clock] = first ? [match.slice(1, 4), match.slice(5, 8)] : [match.slice(5, 8), match.slice(1, 4)]
  const { before = '', after = '' } = match.groups!
  const hour = hourOf(Number(clock[0]), [before, after])
  if (hour === undefined || Number(clock[1]) > 59 || Number(clock[2] ?? 0) > 59) return
  return {
    text,
    parts: date as [string, string, string],
    clock: `${String(hour).padStart(2, '0')}:${clock[1]}:${clock[2] ?? '00'}`,
    hasSeconds: clock[2] !== undefined,
    isBracketed,
  }
}

/** Latin digits, plain spaces and commas. */
const plain = (written: string): string =>
  withoutMarks(written)
    .replace(/[\s\u00a0\u202f]+/g, ' ')
    .replace(/[،、，]/g, ',')
    .replace(/\p{Nd}/gu, latinDigit)
    .trim()

/** Every script has its ten digits in a row, so walking back finds the zero. */
function latinDigit(digit: string): string {
  const code = digit.codePointAt(0)!
  if (code < 0x80) return digit
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((code - zero) % 10)
}

/**
 * Finds out which part of the times is the day, from all times of a file: a part above 12, or the order in which the
 * times rise.
 */
export class DateOrders {
  readonly #tooLarge = { dmy: 0, mdy: 0, ymd: 0 }
  readonly #falls = { dmy: 0, mdy: 0, ymd: 0 }
  readonly #last = { dmy: '', mdy: '', ymd: '' }
  #hasHalfDays = false

  add(stamp: Stamp): void {
    this.#hasHalfDays ||= /[ap]\.? ?m/i.test(stamp.text)
    for (const order of ['dmy', 'mdy', 'ymd'] as const) {
      const date = dateOf(stamp, order)
      if (date === undefined) this.#tooLarge[order]++
      else {
        const key = `${date} ${stamp.clock}`
        if (key < this.#last[order]) this.#falls[order]++
        this.#last[order] = key
      }
    }
  }

  get order(): DateOrder {
    // If the order is still unclear, times with AM and PM are mostly American.
    const usual: DateOrder[] = this.#hasHalfDays ? ['mdy', 'dmy', 'ymd'] : ['dmy', 'mdy', 'ymd']
    const rank = (order: DateOrder) => this.#tooLarge[order] * 1e6 + this.#falls[order]
    return usual.toSorted((a, b) => rank(a) - rank(b))[0]!
  }
}

/** The instant, or undefined if there is no such day. Some files mix orders, so a part above 12 overrides the order. */
export function timeOf(stamp: Stamp, order: DateOrder, zone: string): string | undefined {
  const date = dateOf(stamp, order) ?? dateOf(stamp, order === 'dmy' ? 'mdy' : 'dmy') ?? dateOf(stamp, 'ymd')
  return date === undefined ? undefined : readTime('ymd', `${date} ${stamp.clock}`, zone)?.text
}

function dateOf({ parts: [a, b, c] }: Stamp, order: DateOrder): string | undefined {
  const [year, month, day] = order === 'ymd' ? [a, b, c] : order === 'dmy' ? [c, b, a] : [c, a, b]
  if (year.length > 4 || month.length > 2 || day.length > 2 || Number(month) > 12 || Number(day) > 31) return
  if (Number(month) < 1 || Number(day) < 1) return
  const full = gregorianYear(year)
  return full === undefined ? undefined : `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** Converts years of Japanese eras and of the Buddhist calendar. */
function gregorianYear(year: string): number | undefined {
  const era = { R: 2018, H: 1988, S: 1925 }[year[0]!]
  if (era !== undefined) return era + Number(year.slice(1))
  const number = Number(year)
  if (year.length === 2) return 2000 + number
  if (number > 2400) return number - 543
  return year.length === 4 && number > 1990 ? number : undefined
}
