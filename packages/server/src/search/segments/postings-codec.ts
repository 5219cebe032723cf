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

/**
 * Memory for some lists. An array with memory of its own takes two hundred bytes more, so the short lists of a term share
 * their memory.
 */
export class PostingSpace {
  readonly #buffer: ArrayBuffer
  readonly #entries: number
  #used = 0

  constructor(entries: number) {
    this.#buffer = new ArrayBuffer(entries * 4)
    this.#entries = entries
  }

  take(entries: number): Pick<Postings, 'docs' | 'slots' | 'lengths'> {
    const [buffer, from] = [this.#buffer, this.#used]
    this.#used += entries
    return {
      docs: new Uint16Array(buffer, from * 2, entries),
      slots: new Uint8Array(buffer, this.#entries * 2 + from, entries),
      lengths: new Uint8Array(buffer, this.#entries * 3 + from, entries),
    }
  }
}

export function copyPostings(postings: Postings, space = new PostingSpace(postings.docs.length)): Postings {
  const { docs, slots, lengths } = space.take(postings.docs.length)
  docs.set(postings.docs)
  slots.set(postings.slots)
  lengths.set(postings.lengths)
  return { docs, slots, counts: postings.counts, lengths, documents: postings.documents }
}

export function decodePostings(
  bytes: Uint8Array,
  entries: number,
  columns: DocumentColumns,
  space: PostingSpace = new PostingSpace(entries),
): Postings {
  const { docs, slots, lengths } = space.take(entries)
  const once = onesOf(entries)
  let counts = once
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
    let count: number
    if (code < OTHER_PATTERN) {
      slots[entry] = SLOT_OF[code]!
      count = COUNT_OF[code]!
    } else {
      slots[entry] = bytes[at]!
      count = bytes[at + 1]!
      at += 2
    }
    if (count === 1) continue
    if (counts === once && entries <= MAX_ONES) counts = new Uint8Array(entries).fill(1)
    counts[entry] = count
  }
  readLengths(lengths, docs, slots, columns)
  return { docs, slots, counts, lengths, documents }
}

const MAX_ONES = 1024
const ones = new Uint8Array(MAX_ONES).fill(1)
const knownOnes: Uint8Array[] = []

/** The counts of a list whose words occur once in each field. Most short lists are like that, so they share these. */
function onesOf(entries: number): Uint8Array {
  if (entries > MAX_ONES) return new Uint8Array(entries).fill(1)
  const known = knownOnes[entries]
  if (known) return known
  const made = ones.subarray(0, entries)
  knownOnes[entries] = made
  return made
}

function readLengths(
  lengths: Uint8Array,
  docs: Uint16Array,
  slots: Uint8Array,
  { runs, lengths: codes }: DocumentColumns,
): void {
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
