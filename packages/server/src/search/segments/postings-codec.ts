import type { DocumentColumns } from './document-columns.ts'

/**
 * The postings of a term: its occurrences in one segment. An entry is one field of one document that has the term.
 * `docs` has the number of the document in the segment, `slots` the slot of the field, `counts` the number of
 * occurrences, and `lengths` the length code of the field. The columns have the lengths too, but reading them from
 * there would jump about in memory. Entries are ordered by document, then by slot.
 *
 * The entries are those from `from` to before `to`. The short lists of a term share their arrays, so before and after
 * them are entries of other segments.
 */
export interface Postings {
  readonly docs: Uint16Array
  readonly slots: Uint8Array
  readonly counts: Uint8Array
  readonly lengths: Uint8Array
  readonly from: number
  readonly to: number
  /** Number of different documents. */
  readonly documents: number
}

/** Larger counts are stored as this number. All places are stored. */
export const MAX_COUNT = 255

/**
 * An entry is stored as the distance from the previous entry's document (0 if it is the same), shifted by three bits,
 * and a code of three bits for its slot and count. These are the most frequent pairs of slot and count. The code 7
 * means that slot and count follow as bytes.
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
/** Max. bytes of an entry: a varint, the slot and the count. */
export const ENTRY_BYTES = 7
/** By code. There is a value for the code 7 too, so that it can be read without a condition. */
const SLOT_OF: Uint8Array = Uint8Array.of(...PATTERNS.map(([slot]) => slot), 0)
export const COUNT_OF: Uint8Array = Uint8Array.of(...PATTERNS.map(([, count]) => count), 0)
const CODES = new Uint8Array(256 * 256).fill(OTHER_PATTERN)
for (const [code, [slot, count]] of PATTERNS.entries()) CODES[slot * 256 + count] = code

/** The code of a slot and a count. */
export const codeOf = (slot: number, count: number): number => CODES[slot * 256 + count]!

/** Arrays for some lists. An array takes a hundred bytes in addition to its values, so short lists share them. */
export class PostingSpace {
  readonly docs: Uint16Array
  readonly slots: Uint8Array
  readonly counts: Uint8Array
  readonly lengths: Uint8Array
  #used = 0

  constructor(entries: number) {
    const buffer = new ArrayBuffer(entries * 5)
    this.docs = new Uint16Array(buffer, 0, entries)
    this.slots = new Uint8Array(buffer, entries * 2, entries)
    this.counts = new Uint8Array(buffer, entries * 3, entries)
    this.lengths = new Uint8Array(buffer, entries * 4, entries)
  }

  /** Takes room for a list. Returns the position of its first entry. */
  take(entries: number): number {
    const from = this.#used
    this.#used += entries
    return from
  }
}

/** Copies a list to other arrays. */
export function copyPostings(postings: Postings, space: PostingSpace): Postings {
  const { from, to, documents } = postings
  const { docs, slots, counts, lengths } = space
  const at = space.take(to - from)
  docs.set(postings.docs.subarray(from, to), at)
  slots.set(postings.slots.subarray(from, to), at)
  counts.set(postings.counts.subarray(from, to), at)
  lengths.set(postings.lengths.subarray(from, to), at)
  return { docs, slots, counts, lengths, from: at, to: at + to - from, documents }
}

export function decodePostings(
  bytes: Uint8Array,
  entries: number,
  { runs, lengths: codes }: DocumentColumns,
  space: PostingSpace = new PostingSpace(entries),
): Postings {
  const { docs, slots, counts, lengths } = space
  const from = space.take(entries)
  const to = from + entries
  let [at, doc, documents] = [0, -1, 0]
  // The run of the document. The length code of a field is at `lengthsAt + doc * width + slot`.
  let [run, end, width, lengthsAt] = [-1, 0, 0, 0]
  for (let entry = from; entry < to; entry++) {
    let value = bytes[at++]!
    if (value > 127) {
      value &= 127
      for (let shift = 7, byte = 128; byte > 127; shift += 7) {
        byte = bytes[at++]!
        value |= (byte & 127) << shift
      }
    }
    const step = value >> 3
    // 1 if the step is not 0. A condition would be guessed wrong too often.
    documents += -step >>> 31
    doc += step
    if (doc >= end) {
      do run++
      while (doc >= runs[run]!.end)
      end = runs[run]!.end
      width = runs[run]!.slots
      lengthsAt = runs[run]!.lengthsAt - runs[run]!.start * width
    }
    const code = value & 7
    let slot = SLOT_OF[code]!
    let count = COUNT_OF[code]!
    if (code === OTHER_PATTERN) {
      slot = bytes[at]!
      count = bytes[at + 1]!
      at += 2
    }
    docs[entry] = doc
    slots[entry] = slot
    counts[entry] = count
    lengths[entry] = codes[lengthsAt + doc * width + slot]!
  }
  return { docs, slots, counts, lengths, from, to, documents }
}

export const entriesIn = ({ from, to }: Postings): number => to - from

/** The first entry of a document, or -1. */
export function entryOf({ docs, from, to }: Postings, doc: number): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (docs[middle]! < doc) low = middle + 1
    else high = middle
  }
  return low < to && docs[low] === doc ? low : -1
}
