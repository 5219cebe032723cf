import { canonicalJson, countChars, sliceGraphemes } from '@pdpp/protocol/reading'
import { binaryOf, blobsOf, blobsText } from './blob.ts'
import { grouped, safeText, wholeTime } from './safe-text.ts'

/** Max. characters per cell. A longer text is cut, followed by its size and the call that reads the rest. */
const MAX_CELL_CHARS = 600

/** Returns the call that reads the rest of a value that is too large for a cell. */
export type ReadOn = (field: string, offset: number) => string

/** A value on one line. It is quoted if it could be confused with the separator ` | `. */
export function cell(value: unknown, field: string, readOn: ReadOn): string {
  if (value === undefined || value === null) return ''
  if (isDescriptor(value)) return described(value, field, readOn)
  const blobs = typeof value === 'object' ? blobsOf(value) : []
  if (blobs.length > 0) return `[${blobsText(blobs)}; ${readOn(field, 0)}]`
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const binary = typeof value === 'string' ? binaryOf(value) : undefined
  if (binary) return `[${binary.mediaType}, ${grouped(binary.bytes)} bytes; ${readOn(field, 0)}]`
  const time = typeof value === 'string' ? wholeTime(value) : undefined
  if (time !== undefined) return time
  const total = countChars(text)
  if (total <= MAX_CELL_CHARS) return inline(text, typeof value === 'string')
  // `read_record_field` reads the canonical JSON, so cut that. Another order of members would hide a part.
  const whole = typeof value === 'string' ? text : canonicalJson(value)
  const head = sliceGraphemes(whole.slice(0, MAX_CELL_CHARS * 2 + 64), MAX_CELL_CHARS)
  const shown = countChars(head)
  return `${inline(head, typeof value === 'string')} [${shown} of ${grouped(total)} chars; ${readOn(field, shown)}]`
}

/** Plain text if it is unambiguous, otherwise in quotes with escapes. */
function inline(text: string, quotable: boolean): string {
  const plain = text !== '' && text === text.trim() && !/[|\n\r\t]|^"/.test(text)
  return plain || !quotable ? safeText(text).replace(/\s*\n\s*/g, ' ') : safeText(JSON.stringify(text))
}

interface Descriptor {
  readonly object: 'field_descriptor'
  readonly type?: unknown
  readonly media_type?: unknown
  readonly total_chars?: unknown
  readonly size_bytes?: unknown
  readonly preview?: unknown
}

function isDescriptor(value: unknown): value is Descriptor {
  return typeof value === 'object' && value !== null && (value as { object?: unknown }).object === 'field_descriptor'
}

function described(value: Descriptor, field: string, readOn: ReadOn): string {
  const size =
    typeof value.total_chars === 'number'
      ? `${grouped(value.total_chars)} chars`
      : `${grouped(Number(value.size_bytes ?? 0))} bytes`
  const preview = typeof value.preview === 'string' ? `${inline(value.preview, true)} ` : ''
  const kind = safeText(String(value.media_type ?? value.type ?? 'text'))
  return `${preview}[${kind}, ${size}; ${readOn(field, 0)}]`
}
