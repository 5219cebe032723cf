import { canonicalJson, countChars, sliceGraphemes } from '@pdpp/protocol/reading'
import { blobsOf, blobsText } from './blob.ts'
import { binaryOf, grouped, wholeTime } from './preview.ts'
import { safeText } from './safe-text.ts'

/** Longer texts are shown as their beginning, their size and what reads the rest. */
const CELL_CHARS = 600

/** Where a value that is too large for a table is read. */
export type ReadOn = (field: string, offset: number) => string

/** A value on one line, unambiguous beside ` | `. */
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
  if (total <= CELL_CHARS) return inline(text, typeof value === 'string')
  // What reads on reads the canonical text: from another order of members a part would never be seen.
  const whole = typeof value === 'string' ? text : canonicalJson(value)
  const head = sliceGraphemes(whole.slice(0, CELL_CHARS * 2 + 64), CELL_CHARS)
  const shown = countChars(head)
  return `${inline(head, typeof value === 'string')} [${shown} of ${grouped(total)} chars; ${readOn(field, shown)}]`
}

/** Plain where it can be; in quotes, with escapes, where it would be taken for something else. */
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
