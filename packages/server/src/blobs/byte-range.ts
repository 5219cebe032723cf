import type { ByteRange } from './blob-store.ts'

/**
 * Parses a Range header (RFC 9110 section 14). Returns undefined if the whole file should be sent: without a header, or
 * for other units, several ranges or invalid ranges. `unsatisfiable` means outside of the file.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return
  const [first, last] = [match[1]!, match[2]!]
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { from: size - length, to: size - 1 }
  }
  const from = Number(first)
  if (last !== '' && Number(last) < from) return
  if (from >= size) return 'unsatisfiable'
  return { from, to: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

/** Implements If-None-Match: a list of tags, which may be weak, or a star. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((part) => part.trim() === '*' || part.trim().replace(/^W\//, '') === tag)
}
