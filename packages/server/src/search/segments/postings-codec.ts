import type { ByteWriter } from './bytes.ts'
import type { DocumentColumns } from './document-columns.ts'

/**
 * The occurrences of one term in one segment. An entry is a field of a document: `slots` says which of its search
 * fields, `counts` how often, `lengths` the code of the field's length. The columns have lengths too, but far apart.
 * Entries are in the order of documents, then of slots.
 */
export interface Postings {
  readonly docs: Uint16Array
  readonly slots: Uint8Array
  readonly counts: Uint8Array
  readonly lengths: Uint8Array
  /** How many different documents there are. */
  readonly documents: number
}

/** Counts stop here. All places are kept. */
export const MAX_COUNT = 255

/** Most entries are one of these: the slot and the count. Their code takes three bits; 7 says that both follow. */
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

/** Writes an entry: the distance to the document before (0 for the same one), shifted by three bits, and the code. */
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
