/**
 * Parses JSON without losing digits: a number that a double cannot represent (an id above 2^53, a long decimal) or
 * would print differently (`1.10`) is kept as its source text. The slower parser only runs if the pattern below finds
 * such a number: 16 digits, a trailing zero after the point, six zeros after it, or an exponent. It looks only where a
 * number can begin, and a trailing zero must be where one can end, so that ids, hashes and times (`10:00:00.000Z`) in
 * strings rarely match.
 */
const MANY_DIGITS = /(?:^|[:[,\s])-?[0-9](?:[0-9.]{15}|[0-9]*(?:\.(?:[0-9]*0(?:[\s,}\]]|$)|0{6})|(?:\.[0-9]+)?[eE]))/

interface RawJson {
  readonly rawJSON: string
}

/** Part of ES2025 and of Node since 21, but not yet of TypeScript's library. */
declare global {
  interface JSON {
    rawJSON(text: string): RawJson
    isRawJSON(value: unknown): value is RawJson
  }
}

const isRaw = (value: unknown): value is RawJson => JSON.isRawJSON(value)

export function parseJson(text: string): unknown {
  return MANY_DIGITS.test(text) ? JSON.parse(text, keepSource) : JSON.parse(text)
}

function keepSource(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value
  return String(value) === context.source ? value : JSON.rawJSON(context.source)
}

/** The digits of a number that `parseJson` kept as text; undefined for any other value. */
export function rawNumber(value: unknown): string | undefined {
  return isRaw(value) ? value.rawJSON : undefined
}

const INT64 = 1n << 63n

/** Value used for comparisons: exact for whole numbers of up to 64 bits, otherwise the nearest double. */
export function comparableNumber(digits: string): number | bigint {
  if (!/^-?\d+$/.test(digits)) return Number(digits)
  const exact = BigInt(digits)
  return exact < INT64 && exact >= -INT64 ? exact : Number(digits)
}

/** Copies a value for validators. Numbers kept as text become the nearest double. */
export function withPlainNumbers(value: unknown): unknown {
  const raw = rawNumber(value)
  if (raw !== undefined) return Number(raw)
  if (Array.isArray(value)) return value.map(withPlainNumbers)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withPlainNumbers(member)]))
}

/** True if the text may contain numbers that only `parseJson` preserves. */
export function mayHoldLongNumbers(text: string): boolean {
  return MANY_DIGITS.test(text)
}

/** Returns the same text for equal values, regardless of the order of their keys. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object' || isRaw(value)) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const object = value as Record<string, unknown>
  const members = Object.keys(object)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key])}`)
  return `{${members.join(',')}}`
}

/** Max. nesting of a record. Real records are flatter, and parsing much deeper ones would exhaust the stack. */
export const MAX_RECORD_DEPTH = 500

/**
 * Checks the nesting of a JSON text before it is parsed. Skips over strings, and stops at the first level that is too
 * deep.
 */
export function isDeeper(text: string, limit: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfText(text, at)
        break
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++depth > limit + 1) return true
        break
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--
    }
  }
  return false
}

const [QUOTE, OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = [0x22, 0x5b, 0x7b, 0x5d, 0x7d]
const BACKSLASH = 0x5c

/** Finds the closing quote: the first one with an even number of backslashes before it. */
export function endOfText(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return end
  }
  return text.length
}

/** Path of the first number that is too large for a double, such as `1e999`. Sums over it would be meaningless. */
export function beyondDouble(value: unknown): string | undefined {
  const digits = rawNumber(value)
  if (digits !== undefined || typeof value === 'number')
    return Number.isFinite(Number(digits ?? value)) ? undefined : ''
  if (value === null || typeof value !== 'object') return
  for (const [name, member] of Object.entries(value)) {
    const path = beyondDouble(member)
    if (path !== undefined) return path === '' ? name : `${name}.${path}`
  }
  return
}
