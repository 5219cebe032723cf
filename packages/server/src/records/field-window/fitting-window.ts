import { escapeHidden, formatResultId, WINDOW_CHARS } from '@pdpp/protocol'
import type { ReadScope } from '../../grants/read-scope.ts'
import type { ScopedRecord } from '../record-store.ts'
import type { readField } from './field-window-service.ts'

type FieldRead = ReturnType<typeof readField>

const BESIDE_BYTES = 1_200
const ATTEMPTS = 8
/** A little less than the share that would just fit: characters differ in size. */
const MARGIN = 0.92

/**
 * Bytes for the text of a window in a tool result of so many. Beside the text stand the id and the field, and both
 * again in the calls that read on.
 */
export function windowRoom(resultBytes: number, scope: ReadScope, record: ScopedRecord, field: string): number {
  const { connectionId, key } = record
  const id = formatResultId({ connectionId, stream: scope.stream.name, recordKey: key })
  return resultBytes - BESIDE_BYTES - 4 * writtenBytes(id) - 4 * writtenBytes(field)
}

/** The window as it was asked for, or with fewer characters where they take more bytes than there is room for. */
export function fittingWindow(
  asked: number | undefined,
  room: number | undefined,
  read: (limitChars: number | undefined) => FieldRead,
): FieldRead {
  let found = read(asked)
  for (let attempt = 0; room !== undefined && found.window !== null && attempt < ATTEMPTS; attempt++) {
    const bytes = writtenBytes(found.window.text)
    if (bytes <= room) break
    const chars = found.window.end_chars - found.window.start_chars
    const shorter = Math.floor((Math.min(chars, WINDOW_CHARS.max) * Math.max(0, room) * MARGIN) / bytes)
    found = read(Math.max(1, shorter))
  }
  return found
}

/** As an adapter writes it, hidden characters written out. */
const writtenBytes = (text: string): number => Buffer.byteLength(JSON.stringify(escapeHidden(text)))
