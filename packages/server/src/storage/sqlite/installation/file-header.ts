import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'

const HEADER_BYTES = 100

/**
 * Whether a database file is shorter than its header says. Returns false if there is a write-ahead log, because a
 * killed checkpoint may have written the first page before the last.
 */
export function cutOff(file: string): boolean {
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return false
  const header = Buffer.alloc(HEADER_BYTES)
  const descriptor = openSync(file, 'r')
  try {
    if (readSync(descriptor, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return true
    const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
    // The header's page count is valid only if the two change counters are equal (SQLite's file format, 1.3.7).
    const isKnown = header.readUInt32BE(24) === header.readUInt32BE(92)
    return isKnown && fstatSync(descriptor).size < pageSize * header.readUInt32BE(28)
  } finally {
    closeSync(descriptor)
  }
}
