import type { ByteWriter } from './bytes.ts'
import type { DocumentColumns } from './document-columns.ts'

/**
 * The postings of a term: its occurrences in one segment. An entry is one field of one document that has the term.
 * `docs` has the number of the document in the segment, `slots` the slot of the field, `counts` the number of
 * occurrences, and `lengths` the length code of the field. The columns have the lengths too, but reading them from
 * there would jump about in memory. Entries are ordered by document, then by slot.
 */
export interface Postings {
  readonly docs: Uint16Array
  readonly slots: Uint8Array
  readonly counts: Uint8Array
  readonly lengths: Uint8Array
  /** Number of different documents. */
  readonly documents: number
}

/** Larger counts are stored as this number. All places are stored. */
export const MAX_COUNT = 255

/**
 * The most frequent pairs of slot and count. Such a pair is stored as a code of three bits. The code 7 means that slot
 * and count follow as bytes.
 */
const PATTERNS = [
  [0, 1],
  [1, 1],
  [2, 1],
  [3, 1],
  [0, 2],
  [0, 3],
  [1, 2],
] as const
export const OTHER_PATTERN = 7
export const SLOT_OF: Uint8Array = Uint8Array.from(PATTERNS, ([slot]) => slot)
export const COUNT_OF: Uint8Array = Uint8Array.from(PATTERNS, ([, count]) => count)
const CODES = new Uint8Array(256 * 256).fill(OTHER_PATTERN)
for (const [code, [slot, count]] of PATTERNS.entries()) CODES[slot * 256 + count] = code

/**
 * Writes an entry: the distance from the previous entry's document (0 if it is the same), shifted by three bits, and
 * the code.
 */
export function writeEntry(writer: ByteWriter, distance: number, slot: number, count: number): void {
  const code = CODES[slot * 256 + count]!
  writer.varint(distance * 8 + code)
  if (code < OTHER_PATTERN) return
  writer.byte(slot)
  writer.byte(count)
}

export function decodePostings(bytes: Uint8Array, entries: number, columns: DocumentColumns): Postings {
  const docs = new Uint16Array(entries)
  const [slots, counts] = [new Uint8Array(entries), new Uint8Array(entries)]
  let [at, doc, documents] = [0, -1, 0]
  for (let entry = 0; entry < entries; entry++) {
    let byte = bytes[at++]!
    let value = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++]!
      value |= (byte & 127) << shift
    }
    const step = value >> 3
    if (step > 0) documents++
    doc += step
    docs[entry] = doc
    const code = value & 7
    if (code < OTHER_PATTERN) {
      slots[entry] = SLOT_OF[code]!
      counts[entry] = COUNT_OF[code]!
    } else {
      slots[entry] = bytes[at]!
      counts[entry] = bytes[at + 1]!
      at += 2
    }
  }
  return { docs, slots, counts, lengths: lengthsOf(docs, slots, columns), documents }
}

function lengthsOf(docs: Uint16Array, slots: Uint8Array, { runs, lengths: codes }: DocumentColumns): Uint8Array {
  const lengths = new Uint8Array(docs.length)
  let [run, end, width, from] = [-1, 0, 0, 0]
  for (let entry = 0; entry < docs.length; entry++) {
    const doc = docs[entry]!
    while (doc >= end) {
      const { start, slots, lengthsAt } = runs[++run]!
      end = runs[run]!.end
      width = slots
      from = lengthsAt - start * slots
    }
    lengths[entry] = codes[from + doc * width + slots[entry]!]!
  }
  return lengths
}

/** The first entry of a document, or -1. */
export function entryOf({ docs }: Postings, doc: number): number {
  let [low, high] = [0, docs.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (docs[middle]! < doc) low = middle + 1
    else high = middle
  }
  return docs[low] === doc ? low : -1
}
