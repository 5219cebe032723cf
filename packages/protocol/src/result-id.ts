import { PdppError } from './errors/pdpp-error.ts'
import { isName } from './names.ts'
import { isCanonicalKey } from './record-key.ts'

/** What a result id names. Without a connection it is the legacy form, which a multi-source grant may find ambiguous. */
export interface ResultId {
  readonly connectionId?: string
  readonly stream: string
  readonly recordKey: string
}

/**
 * What separates the parts of an id, and what a reader could not see or would not copy. Keys come from third parties: a
 * line break in one must not make a line of its own, nor a bar a column, where ids are shown.
 */
const SEPARATORS = '%/\\\\|·'
const UNSEEN = String.raw`[^\S ]|\p{Cc}|\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb\ufffe\uffff]`
const ESCAPED = new RegExp(`[${SEPARATORS}]|${UNSEEN}|^ | $| (?= )`, 'gu')
const DECODED = new RegExp(`^(?:[${SEPARATORS} ]|${UNSEEN})+$`, 'u')
const PLAIN = /^[\w.:@=,+-]*$/

/** `{connection_id}/{stream}:{record_key}`, with those characters of the key percent-encoded. */
export function formatResultId({ connectionId, stream, recordKey }: Required<ResultId>): string {
  return `${connectionId}/${stream}:${PLAIN.test(recordKey) ? recordKey : recordKey.replace(ESCAPED, encodeURIComponent)}`
}

/** Refuses a malformed id before anything is asked of a server. */
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

/** The legacy form is never decoded: it parses byte for byte as it always did. */
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
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text
  return new PdppError('invalid_argument', `"${shown}" is not a result id.`, {
    param: 'id',
    nextStep:
      'Pass an id exactly as a result showed it: connection_id/stream:record_key, with %, / and \\ of the key as %25, %2F and %5C.',
  })
}
