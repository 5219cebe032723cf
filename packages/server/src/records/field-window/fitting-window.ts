import { escapeHidden, formatResultId, WINDOW_CHARS } from '@pdpp/protocol'
import type { ReadScope } from '../../grants/read-scope.ts'
import type { ScopedRecord } from '../record-store.ts'
import type { readField } from './field-window-service.ts'

type FieldRead = ReturnType<typeof readField>

const OVERHEAD_BYTES = 1_200
const ATTEMPTS = 8
/** Aim for a bit less than would fit, because characters differ in size. */
const MARGIN = 0.92

/**
 * Bytes that remain for the text of a window in a tool result. The rest is for the id and the field, which the
 * follow-up calls repeat.
 */
export function windowRoom(resultBytes: number, scope: ReadScope, record: ScopedRecord, field: string): number {
  const { connectionId, key } = record
  const id = formatResultId({ connectionId, stream: scope.stream.name, recordKey: key })
  return resultBytes - OVERHEAD_BYTES - 4 * writtenBytes(id) - 4 * writtenBytes(field)
}

/** Returns the requested window, or a shorter one if it does not fit into `room` bytes. */
export function fittingWindow(
  requestedChars: number | undefined,
  room: number | undefined,
  read: (limitChars: number | undefined) => FieldRead,
): FieldRead {
  let found = read(requestedChars)
  for (let attempt = 0; room !== undefined && found.window !== null && attempt < ATTEMPTS; attempt++) {
    const bytes = writtenBytes(found.window.text)
    if (bytes <= room) break
    const chars = found.window.end_chars - found.window.start_chars
    const shorter = Math.floor((Math.min(chars, WINDOW_CHARS.max) * Math.max(0, room) * MARGIN) / bytes)
    found = read(Math.max(1, shorter))
  }
  return found
}

/** Bytes as the adapter writes them, with hidden characters escaped. */
const writtenBytes = (text: string): number => Buffer.byteLength(JSON.stringify(escapeHidden(text)))
