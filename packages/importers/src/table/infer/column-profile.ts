import { rawNumber } from '@pdpp/protocol'
import type { ImportNotice } from '../../notice.ts'
import { EPOCH_FORMS, epochSeconds, readTime, TEXT_FORMS, type TimeForm } from '../../reading/times.ts'
import { excerpt } from '../excerpt.ts'
import { amountText, currencyOf } from './amounts.ts'
import { saysTime } from './column-names.ts'
import { Binary, isNothing, numberText, type Reading, readValue, scalarText } from './values.ts'

/** The properties of one column, inferred from a sample. */
export interface ColumnProfile {
  readonly column: string
  readonly reading: Reading
  readonly filled: number
  /** Number of different values in the sample. */
  readonly distinct: number
  readonly longest: number
  readonly averageLength: number
  /** Share of values that have more than one word. */
  readonly wordy: number
  /** Assumptions that the owner may want to correct. */
  readonly notices: readonly ImportNotice[]
}

/** Apple counts seconds from 2001, so its numbers for 2010 to 2032 look like 1979 to 2001. */
const YEAR_2001 = 978_307_200
const YEAR_2010 = 1_262_304_000
const YEAR_2100 = 4_102_444_800
/** Max. share of invalid times in a column of times. Each invalid time is reported. */
const MAX_UNFIT_SHARE = 0.02
const MANY_VALUES = 50
const LONG_DIGITS = 15

export interface ProfileOptions {
  readonly textual: boolean
  readonly zone?: string | undefined
  /** The type that the owner chose: a kind, or a form of time. */
  readonly forced?: string | undefined
}

export function profileColumn(column: string, values: readonly unknown[], options: ProfileOptions): ColumnProfile {
  const present = values.filter((value) => value !== null && value !== undefined && !(options.textual && value === ''))
  const notices: ImportNotice[] = []
  const reading =
    options.forced === undefined
      ? inferReading(column, present, options, notices)
      : forcedReading(column, present, options, options.forced)
  const texts = present.map((value) => scalarText(value) ?? JSON.stringify(value) ?? '')
  const total = texts.reduce((sum, text) => sum + text.length, 0)
  return {
    column,
    reading,
    filled: present.filter((value) => readValue(value, reading, options.textual) !== null).length,
    distinct: new Set(texts).size,
    longest: texts.reduce((longest, text) => Math.max(longest, text.length), 0),
    averageLength: texts.length === 0 ? 0 : total / texts.length,
    wordy: texts.length === 0 ? 0 : texts.filter((text) => /\S\s+\S/.test(text)).length / texts.length,
    notices,
  }
}

function inferReading(
  column: string,
  values: readonly unknown[],
  options: ProfileOptions,
  notices: ImportNotice[],
): Reading {
  if (values.length === 0) return { as: 'string' }
  const kinds = new Set(values.map(kindOf))
  if (kinds.size === 1 && kinds.has('binary')) return { as: 'binary' }
  if (kinds.has('object')) return { as: 'json' }
  if (kinds.size > 1) {
    notices.push(`"${column}" holds values of several kinds; all are kept as text.`)
    return { as: 'string' }
  }
  const [kind] = kinds
  if (kind === 'boolean') return { as: 'boolean' }
  const time = timeReading(column, values, options, notices)
  if (time) return time
  if (kind === 'number') return { as: values.every((value) => isInteger(value)) ? 'integer' : 'number' }
  return options.textual
    ? textualReading(values as string[], column, notices)
    : (moneyReading(values as string[], column, notices) ?? { as: 'string' })
}

function kindOf(value: unknown): 'text' | 'number' | 'boolean' | 'binary' | 'object' {
  if (value instanceof Binary) return 'binary'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'number' || rawNumber(value) !== undefined ? 'number' : 'object'
}

function isInteger(value: unknown): boolean {
  const digits = rawNumber(value)
  return digits === undefined ? Number.isInteger(value) || !Number.isFinite(value) : /^-?\d+$/.test(digits)
}

/** Recognises numbers and booleans in texts. Leading zeros and many digits mean an id, not a quantity. */
function textualReading(values: readonly string[], column: string, notices: ImportNotice[]): Reading {
  const real = values.filter((value) => !isNothing(value))
  if (real.length === 0) return { as: 'string' }
  if (real.every((value) => /^(true|false)$/i.test(value.trim()))) return { as: 'boolean' }
  for (const decimal of [undefined, 'comma', 'grouped'] as const) {
    const texts = real.map((value) => numberText(value, decimal))
    if (!texts.every((text) => text !== undefined)) {
      hintAtNumbers(column, real, texts, notices)
      continue
    }
    if (texts.some((text) => text.replace(/\D/g, '').length > LONG_DIGITS)) return { as: 'string' }
    // `612 345 678` is a phone number or an id, unless another value of the column has a decimal part.
    if (real.some((value) => /\d\s\d/.test(value)) && texts.every((text) => /^-?\d+$/.test(text))) break
    return { as: texts.every((text) => /^-?\d+$/.test(text)) ? 'integer' : 'number', ...(decimal ? { decimal } : {}) }
  }
  return moneyReading(real, column, notices) ?? { as: 'string' }
}

/** Amounts become numbers only if all have the same currency, because a sum over several would mean nothing. */
function moneyReading(values: readonly string[], column: string, notices: ImportNotice[]): Reading | undefined {
  const real = values.filter((value) => !isNothing(value))
  const currency = currencyOf(real)
  if (currency === 'several') notices.push(`"${column}" has amounts in several currencies; it is kept as text.`)
  if (currency === undefined || currency === 'several') return
  const texts = real.map((value) => amountText(value, currency.unit))
  for (const decimal of [undefined, 'comma', 'grouped'] as const) {
    if (!texts.every((text) => numberText(text, decimal) !== undefined)) continue
    dropNumberHint(notices)
    return { as: 'number', ...(decimal ? { decimal } : {}), unit: currency.unit }
  }
  return
}

/** Removes the hint about currency signs, because they are recognised after all. */
function dropNumberHint(notices: ImportNotice[]): void {
  const at = notices.findIndex(saysNearlyNumbers)
  if (at !== -1) notices.splice(at, 1)
}

/** Adds one hint that nearly all values are numbers, in the first notation that fits. */
function hintAtNumbers(
  column: string,
  values: readonly string[],
  texts: readonly (string | undefined)[],
  notices: ImportNotice[],
): void {
  const unfit = values.filter((_, at) => texts[at] === undefined)
  if (unfit.length > values.length * 0.25 || notices.some(saysNearlyNumbers)) return
  if (unfit.every((value) => /^[\d.,\s+-]+$/.test(value))) return // leading zeros, dates and phone numbers stay texts
  const data = { column, unfit: unfit.length, values: values.length, example: excerpt(unfit[0]!) }
  notices.push({ code: 'nearly_numbers', data })
}

const saysNearlyNumbers = (notice: ImportNotice) => typeof notice !== 'string' && notice.code === 'nearly_numbers'

function timeReading(
  column: string,
  values: readonly unknown[],
  { zone, textual }: ProfileOptions,
  notices: ImportNotice[],
): Reading | undefined {
  const texts = values.map(scalarText).filter((text) => text !== undefined && !isNothing(text)) as string[]
  if (texts.length === 0) return
  const epoch = saysTime(column) ? epochForm(texts) : undefined
  if (epoch) {
    notices.push(`"${column}" holds ${epochWords[epoch]}; it is kept as date and time.`)
    return { as: 'date-time', form: epoch }
  }
  if (typeof values[0] !== 'string' && !textual) return
  const fitting = TEXT_FORMS.filter((form) => fits(form, texts))
  const form = chooseForm(fitting, texts)
  if (!form) return hintAtTimes(column, texts, notices)
  if (fitting.includes('dmy') && fitting.includes('mdy') && !texts[0]!.includes('.'))
    notices.push({ code: 'day_or_month_first', data: { column, form: form === 'dmy' ? 'dmy' : 'mdy' } })
  return timeOf(column, form, texts, zone, notices)
}

/** Adds a hint that nearly all values are times, because the owner may know what the others mean. */
function hintAtTimes(column: string, texts: readonly string[], notices: ImportNotice[]): undefined {
  for (const form of TEXT_FORMS) {
    const unfit = unfitIn(form, texts, texts.length * 0.25)
    if (unfit === undefined) continue
    const type = form === 'iso' || form === 'named' ? 'date-time' : form
    const data = { column, unfit: unfit.length, values: texts.length, example: excerpt(unfit[0]!), type }
    notices.push({ code: 'nearly_dates', data })
    return
  }
  return
}

function timeOf(
  column: string,
  form: TimeForm,
  texts: readonly string[],
  zone: string | undefined,
  notices?: ImportNotice[],
): Reading {
  const times = texts.map((text) => readTime(form, text, zone)).filter((time) => time !== undefined)
  if (times.every((time) => time.isDate)) return { as: 'date', form }
  const local = times.some((time) => time.local)
  if (local && zone === undefined) notices?.push({ code: 'no_time_zone', data: { column } })
  else if (local && zone !== undefined) notices?.push({ code: 'local_times', data: { zone, isChosen: true } })
  return { as: 'date-time', form, ...(local && zone !== undefined ? { zone } : {}) }
}

const epochWords: Partial<Record<TimeForm, string>> = {
  'epoch-s': 'seconds since 1970',
  'epoch-ms': 'milliseconds since 1970',
  'epoch-us': 'microseconds since 1970',
  'epoch-ns': 'nanoseconds since 1970',
  webkit: 'microseconds since 1601',
  mac: 'seconds since 2001, as Apple counts',
}

/** The unit in which all numbers are plausible times. */
function epochForm(texts: readonly string[]): TimeForm | undefined {
  const numbers = texts.map(Number).filter((value) => value !== 0)
  if (numbers.length === 0 || numbers.some((value) => !Number.isFinite(value))) return
  return EPOCH_FORMS.find((form) => {
    const [from, to] = form === 'mac' ? [YEAR_2010, 2 * YEAR_2001] : [YEAR_2001, YEAR_2100]
    return numbers.every((value) => {
      const seconds = epochSeconds(form, value)
      return seconds > from && seconds < to
    })
  })
}

function fits(form: TimeForm, texts: readonly string[]): boolean {
  return unfitIn(form, texts, texts.length >= MANY_VALUES ? texts.length * MAX_UNFIT_SHARE : 0) !== undefined
}

/** The values that are not times in this form, or undefined if there are more than `few`. */
function unfitIn(form: TimeForm, texts: readonly string[], few: number): string[] | undefined {
  const unfit: string[] = []
  for (const text of texts) {
    if (readTime(form, text) !== undefined) continue
    unfit.push(text)
    if (unfit.length > few) return
  }
  return unfit
}

/** If day and month are ambiguous, a point means day first and a slash month first. */
function chooseForm(fitting: readonly TimeForm[], texts: readonly string[]): TimeForm | undefined {
  if (fitting.includes('dmy') && fitting.includes('mdy')) return texts[0]!.includes('/') ? 'mdy' : 'dmy'
  return fitting[0]
}

export const FORCED_TYPES = [
  'string',
  'text',
  'integer',
  'number',
  'boolean',
  'date-time',
  'date',
  'json',
  'dmy',
  'mdy',
  'ymd',
  ...EPOCH_FORMS,
] as const

function forcedReading(
  column: string,
  values: readonly unknown[],
  { zone, textual }: ProfileOptions,
  forced: string,
): Reading {
  const texts = values.map(scalarText).filter((text) => text !== undefined && !isNothing(text)) as string[]
  if (forced === 'text' || forced === 'string') return { as: 'string' }
  if (forced === 'boolean' || forced === 'json') return { as: forced }
  if (forced === 'integer' || forced === 'number') {
    const currency = currencyOf(texts)
    const unit = typeof currency === 'object' ? currency.unit : undefined
    const amounts = unit === undefined ? texts : texts.map((text) => amountText(text, unit))
    const decimal = textual || unit !== undefined ? notationOf(amounts) : undefined
    return { as: forced, ...(decimal ? { decimal } : {}), ...(unit === undefined ? {} : { unit }) }
  }
  if ((EPOCH_FORMS as readonly string[]).includes(forced)) return { as: 'date-time', form: forced as TimeForm }
  if (forced === 'dmy' || forced === 'mdy' || forced === 'ymd') return timeOf(column, forced, texts, zone)
  const fitting = TEXT_FORMS.filter((form) => fits(form, texts))
  const form = chooseForm(fitting, texts) ?? epochForm(texts) ?? 'iso'
  return { as: forced as 'date' | 'date-time', form, ...(zone === undefined ? {} : { zone }) }
}

/** The notation that most numbers have. */
function notationOf(texts: readonly string[]): Reading['decimal'] {
  const fitting = (decimal: Reading['decimal']) =>
    texts.filter((text) => numberText(text, decimal) !== undefined).length
  return ([undefined, 'comma', 'grouped'] as const).toSorted((a, b) => fitting(b) - fitting(a))[0]
}
