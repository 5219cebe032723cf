/**
 * JSON whose numbers survive: a number that a double cannot hold (an id above 2^53, a long decimal) or would write
 * otherwise (`1.10`) is kept as its source text. Everything else parses as usual, so the cost is paid only where such
 * digits occur: 16 of them with or without a point, a last zero after the point, six zeros after it, an exponent;
 * where a number may begin, so that ids and hashes in texts do not count.
 */
const MANY_DIGITS = /(?:^|[:[,\s])-?[0-9](?:[0-9.]{15}|[0-9]*(?:\.(?:[0-9]*0(?![0-9])|0{6})|(?:\.[0-9]+)?[eE]))/

interface RawJson {
  readonly rawJSON: string
}

/** In the language since ES2025 and in Node since 21; the compiler's library does not name them yet. */
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

/** The digits of a number that `parseJson` kept as text, or undefined for any other value. */
export function rawNumber(value: unknown): string | undefined {
  return isRaw(value) ? value.rawJSON : undefined
}

const INT64 = 1n << 63n

/** What a number is compared as: a whole one of up to 64 bits exactly, any other as the nearest double. */
export function comparableNumber(digits: string): number | bigint {
  if (!/^-?\d+$/.test(digits)) return Number(digits)
  const exact = BigInt(digits)
  return exact < INT64 && exact >= -INT64 ? exact : Number(digits)
}

/** A plain copy for validators: kept digits become the nearest double. */
export function withPlainNumbers(value: unknown): unknown {
  const raw = rawNumber(value)
  if (raw !== undefined) return Number(raw)
  if (Array.isArray(value)) return value.map(withPlainNumbers)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withPlainNumbers(member)]))
}

/** Whether a text can hold numbers that only `parseJson` keeps. */
export function mayHoldLongNumbers(text: string): boolean {
  return MANY_DIGITS.test(text)
}

/** The same text for the same value, whatever order its keys came in. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object' || isRaw(value)) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const object = value as Record<string, unknown>
  const members = Object.keys(object)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key])}`)
  return `{${members.join(',')}}`
}

/** How deep a record may be nested: deeper than any real one, and far from what would exhaust the stack. */
export const MAX_RECORD_DEPTH = 500

/**
 * Whether a text of JSON opens more levels than that, found before it is parsed. Texts within it are leapt over, so a
 * long one costs next to nothing, and the search ends with the first level too many.
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

/** The quote that closes a text: one that no odd number of backslashes stands before. */
function endOfText(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return end
  }
  return text.length
}

/** The path of the first number that a double cannot hold at all, such as `1e999`; a sum with it has no value. */
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
