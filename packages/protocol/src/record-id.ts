import { PdppError } from './errors/pdpp-error.ts'
import { isName } from './names.ts'
import { rawNumber } from './text/json.ts'

const MAX_KEY_BYTES = 512
/** UTF-8 takes at most this many bytes for a UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3

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
  const isShort = key.length * MAX_BYTES_PER_UNIT <= MAX_KEY_BYTES || Buffer.byteLength(key) <= MAX_KEY_BYTES
  return isShort && key.isWellFormed() && !key.includes('\u0000')
}

function identityError(message: string): PdppError {
  return new PdppError('invalid_record_identity', message)
}

/**
 * The parts of a result id. The legacy form has no connection, so it can be ambiguous under a grant with several
 * sources.
 */
export interface ResultId {
  readonly connectionId?: string
  readonly stream: string
  readonly recordKey: string
}

/**
 * Characters of keys that are percent-encoded: separators of ids, separators of the lines and columns in which ids are
 * quoted, and characters that a reader cannot see or copy. Keys come from third parties and must not forge lines or
 * columns.
 */
const SEPARATORS = '%/\\\\|·'
const UNSEEN = String.raw`[^\S ]|\p{Cc}|\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb\ufffe\uffff]`
const ESCAPED = new RegExp(`[${SEPARATORS}]|${UNSEEN}|^ | $| (?= )`, 'gu')
const DECODED = new RegExp(`^(?:[${SEPARATORS} ]|${UNSEEN})+$`, 'u')
const PLAIN = /^[\w.:@=,+-]*$/

/** Format: `{connection_id}/{stream}:{record_key}`, with the characters above percent-encoded in the key. */
export function formatResultId({ connectionId, stream, recordKey }: Required<ResultId>): string {
  return `${connectionId}/${stream}:${PLAIN.test(recordKey) ? recordKey : recordKey.replace(ESCAPED, encodeURIComponent)}`
}

/** Throws on a malformed id before any request is sent. */
export function parseResultId(text: string): ResultId {
  const slash = text.indexOf('/')
  if (slash === -1) return parseLegacy(text)
  const connectionId = text.slice(0, slash)
  const rest = text.slice(slash + 1)
  const colon = rest.indexOf(':')
  const stream = colon === -1 ? '' : rest.slice(0, colon)
  const encoded = colon === -1 ? '' : rest.slice(colon + 1)
  if (!isName(connectionId) || !isName(stream) || /[/\\]/.test(encoded)) throw malformed(text)
  const recordKey = decodeOnce(encoded, text)
  if (!isCanonicalKey(recordKey)) throw malformed(text)
  return { connectionId, stream, recordKey }
}

/** The legacy form is never decoded, so that old ids keep their meaning. */
function parseLegacy(text: string): ResultId {
  const colon = text.indexOf(':')
  const stream = colon === -1 ? '' : text.slice(0, colon)
  const recordKey = colon === -1 ? '' : text.slice(colon + 1)
  if (!isName(stream) || !isCanonicalKey(recordKey) || /[\\]/.test(recordKey) || recordKey.includes('..'))
    throw malformed(text)
  return { stream, recordKey }
}

function decodeOnce(encoded: string, whole: string): string {
  return encoded.replace(/(?:%[\da-f]{2})+|%/gi, (escapes) => {
    const decoded = decodedText(escapes)
    if (decoded === undefined || !DECODED.test(decoded)) throw malformed(whole)
    return decoded
  })
}

function decodedText(escapes: string): string | undefined {
  try {
    return decodeURIComponent(escapes)
  } catch {
    return
  }
}

function malformed(text: string): PdppError {
  const quoted = text.length > 80 ? `${text.slice(0, 80)}…` : text
  return new PdppError('invalid_argument', `"${quoted}" is not a result id.`, {
    param: 'id',
    nextStep:
      'Pass an id exactly as a result showed it: connection_id/stream:record_key, with %, / and \\ of the key as %25, %2F and %5C.',
  })
}
