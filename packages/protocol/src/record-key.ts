import { PdppError } from './errors/pdpp-error.ts'
import { rawNumber } from './text/json.ts'

const MAX_KEY_BYTES = 512

/**
 * A key of one field is its text. A key of several fields is a minified JSON array of texts, so that `["a","b"]` and
 * `["a,b"]` stay different. A key has 1 to 512 bytes and is not "." or "..", because it is used as a path segment.
 */
export function canonicalKey(parts: readonly (string | number | bigint | boolean)[]): string {
  const texts = parts.map(String)
  if (texts.length === 0 || texts.some((text) => text === '')) throw identityError('A record key must not be empty.')
  const key = texts.length === 1 ? texts[0]! : JSON.stringify(texts)
  if (!isCanonicalKey(key))
    throw identityError(`A record key must have 1 to ${MAX_KEY_BYTES} bytes and not be "." or "..".`)
  return key
}

/**
 * Converts the value of a foreign key (a text, a number with all digits, or a list with one value per part) to the key
 * it refers to.
 */
export function referencedKey(value: unknown): string | undefined {
  const parts = (Array.isArray(value) ? value : [value]).map((part) => rawNumber(part) ?? part)
  if (parts.length === 0 || !parts.every(isKeyPart)) return
  const texts = parts.map(String)
  const key = Array.isArray(value) && texts.length > 1 ? JSON.stringify(texts) : texts[0]!
  return isCanonicalKey(key) ? key : undefined
}

const isKeyPart = (part: unknown): boolean =>
  typeof part === 'string' || typeof part === 'boolean' || (typeof part === 'number' && Number.isFinite(part))

export function isCanonicalKey(key: string): boolean {
  if (key === '' || key === '.' || key === '..') return false
  // UTF-8 encodes every lone surrogate as U+FFFD, so two different keys would become equal.
  return Buffer.byteLength(key) <= MAX_KEY_BYTES && key.isWellFormed() && !key.includes('\u0000')
}

function identityError(message: string): PdppError {
  return new PdppError('invalid_record_identity', message)
}
