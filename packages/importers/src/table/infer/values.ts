import { rawNumber } from '@pdpp/protocol'
import { readTime, type TimeForm } from '../../reading/times.ts'
import { amountText } from './amounts.ts'

/**
 * How the values of a column become values of a field. Stored with the source, so that the next file is read in the
 * same way.
 */
export interface Reading {
  readonly as: 'string' | 'integer' | 'number' | 'boolean' | 'date-time' | 'date' | 'json' | 'binary'
  /** For times only. */
  readonly form?: TimeForm | undefined
  readonly zone?: string | undefined
  /** For numbers in texts only: `1.234,50` and `1 234,50` are `comma`, `1,234.50` and `1'234.50` are `grouped`. */
  readonly decimal?: 'comma' | 'grouped' | undefined
  /** For amounts in texts only: the currency as it is written, such as `€` or `USD`. */
  readonly unit?: string | undefined
}

/** Bytes from a database, in base64. A class distinguishes them from text. */
export class Binary {
  readonly base64: string

  constructor(base64: string) {
    this.base64 = base64
  }
}

export const UNFIT = Symbol('unfit')

const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/
/** `1.234,50`, and `1 234,50` as in France and Sweden. All groups of a number have the same separator. */
const COMMA_NUMBER = /^-?(?:0|[1-9]\d*|[1-9]\d{0,2}([.'’ \u00a0\u2009\u202f])\d{3}(?:\1\d{3})*)(?:,\d+)?$/
/** `1,234.50`, and `1'234.50` as in Switzerland. */
const GROUPED_NUMBER = /^-?(?:0|[1-9]\d*|[1-9]\d{0,2}([,'’ \u00a0\u2009\u202f])\d{3}(?:\1\d{3})*)(?:\.\d+)?$/
/** `12,50-`, as some banks write. Without a decimal part it may be something else, such as the years `1999-`. */
const SIGN_AFTER = /^(\d.*[.,]\d+)-$/
/** Words that programs write into empty cells of numbers or times. */
const EMPTY_WORDS = new Set([
  '',
  'null',
  'nan',
  'n/a',
  'na',
  '#n/a',
  'none',
  '\\n',
  '-',
  'nil',
  'undefined',
  'inf',
  '-inf',
])

export const isNumberText = (text: string): boolean => PLAIN_NUMBER.test(text)
export const isNothing = (text: string): boolean => text.length < 20 && EMPTY_WORDS.has(text.trim().toLowerCase())

/** The number in JSON notation, or undefined if the text is not a number in this notation. */
export function numberText(text: string, decimal: Reading['decimal']): string | undefined {
  const signed = text.trim().replace('\u2212', '-').replace(SIGN_AFTER, '-$1')
  if (decimal === 'comma')
    return COMMA_NUMBER.test(signed) ? signed.replace(/[^\d,-]/g, '').replace(',', '.') : undefined
  if (decimal === 'grouped') return GROUPED_NUMBER.test(signed) ? signed.replace(/[^\d.-]/g, '') : undefined
  return PLAIN_NUMBER.test(signed) ? signed : undefined
}

/**
 * Returns the value of the field, null if the cell is empty, or UNFIT. `textual`: all values of the source are texts.
 */
export function readValue(value: unknown, reading: Reading, textual: boolean): unknown {
  if (value === null || value === undefined) return null
  if (textual && value === '') return null
  switch (reading.as) {
    case 'string':
    case 'binary':
      return cleanText(value)
    case 'integer':
    case 'number':
      return readNumber(value, reading)
    case 'boolean':
      return readBoolean(value)
    case 'date-time':
    case 'date':
      return readTimeValue(value, reading)
    case 'json':
      return value
  }
}

/** Removes U+0000 and halves of surrogate pairs. Broken exports contain them, and they mean nothing. */
function cleanText(value: unknown): unknown {
  if (typeof value === 'string') {
    const text = value.includes('\u0000') ? value.replaceAll('\u0000', '') : value
    return text.isWellFormed() ? text : text.toWellFormed()
  }
  if (value instanceof Binary) return value.base64
  const digits = rawNumber(value)
  if (digits !== undefined) return digits
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function readNumber(value: unknown, { as, decimal, unit }: Reading): unknown {
  if (typeof value === 'string') {
    const text = numberText(unit === undefined ? value : amountText(value, unit), decimal)
    if (text === undefined) return isNothing(value) ? null : UNFIT
    return as === 'integer' && !/^-?\d+$/.test(text) ? UNFIT : exactNumber(text)
  }
  const digits = rawNumber(value)
  if (digits !== undefined) return as === 'integer' && !/^-?\d+$/.test(digits) ? UNFIT : value
  if (typeof value !== 'number') return UNFIT
  if (!Number.isFinite(value)) return null
  return as === 'integer' && !Number.isInteger(value) ? UNFIT : value
}

/** Keeps the digits if a double cannot hold them or would print other digits. */
function exactNumber(text: string): unknown {
  const value = Number(text)
  return String(value) === text ? value : JSON.rawJSON(text)
}

function readBoolean(value: unknown): unknown {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') return value === 1 ? true : value === 0 ? false : UNFIT
  const text = value.trim().toLowerCase()
  if (text === 'true') return true
  if (text === 'false') return false
  return isNothing(text) ? null : UNFIT
}

function readTimeValue(value: unknown, { as, form = 'iso', zone }: Reading): unknown {
  const text = scalarText(value)
  if (text === undefined) return UNFIT
  const isEpoch = form.startsWith('epoch') || form === 'webkit' || form === 'mac'
  if (isNothing(text) || (isEpoch && Number(text) === 0)) return null
  const time = readTime(form, text, zone)
  if (!time) return UNFIT
  // In a column of dates, midnight is a date. Any other time of day would be lost, so it does not fit.
  if (as === 'date') return time.isDate || /T00:00(:00)?/.test(time.text) ? time.text.slice(0, 10) : UNFIT
  return time.isDate ? readTime('ymd', `${time.text} 00:00`, zone)?.text : time.text
}

/** The text of a value. A number keeps its digits. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'number' || !Number.isFinite(value)) return rawNumber(value)
  const text = String(value)
  return text.includes('e+') ? BigInt(value).toString() : text
}
