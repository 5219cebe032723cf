import { PdppError } from './errors.ts'
import { isName } from './names.ts'
import { isCanonicalKey } from './record-key.ts'

/** What a result id names. Without a connection it is the legacy form, which a multi-source grant may find ambiguous. */
export interface ResultId {
  readonly connectionId?: string
  readonly stream: string
  readonly recordKey: string
}

const ESCAPES: Record<string, string> = { '%': '%25', '/': '%2F', '\\': '%5C' }

/** `{connection_id}/{stream}:{record_key}`, with `%`, `/` and `\` of the key percent-encoded. */
export function formatResultId(id: { connectionId: string; stream: string; recordKey: string }): string {
  return `${id.connectionId}/${id.stream}:${id.recordKey.replace(/[%/\\]/g, (char) => ESCAPES[char]!)}`
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
  return encoded.replace(/%(..)?/g, (_match, hex: string | undefined) => {
    if (hex === '25') return '%'
    if (hex?.toUpperCase() === '2F') return '/'
    if (hex?.toUpperCase() === '5C') return '\\'
    throw malformed(whole)
  })
}

function malformed(text: string): PdppError {
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text
  return new PdppError('invalid_argument', `"${shown}" is not a result id.`, {
    param: 'id',
    nextStep: 'Pass an id exactly as a result showed it: connection_id/stream:record_key.',
  })
}
