import { entryOf, type Postings } from '../../segments/postings-codec.ts'
import { MAX_DOCUMENTS } from '../../segments/segment.ts'

/**
 * A set of a segment's documents with one bit per document, 32 in a number. Two sets are combined in some microseconds.
 */
export type DocumentBits = Int32Array

export const MAX_BIT_NUMBERS: number = MAX_DOCUMENTS / 32
/**
 * The bits of a list are cached if it has at least one in 16 documents of the segment. Then they are small compared to
 * the list.
 */
const DENSE_SHARE = 16

const ofVisible = new WeakMap<Uint8Array, DocumentBits>()
const ofPostings = new WeakMap<Postings, DocumentBits>()

/** The set of documents that are marked with 1. The marks must not change afterwards, because the set is cached. */
export function markedBits(marks: Uint8Array): DocumentBits {
  const known = ofVisible.get(marks)
  if (known) return known
  const bits = new Int32Array(Math.ceil(marks.length / 32))
  for (let doc = 0; doc < marks.length; doc++) bits[doc >>> 5]! |= marks[doc]! << (doc & 31)
  ofVisible.set(marks, bits)
  return bits
}

/** The set of a list's documents, if the list has many documents of the segment. */
export function denseBits(postings: Postings, documents: number): DocumentBits | undefined {
  if (postings.documents * DENSE_SHARE < documents) return
  const known = ofPostings.get(postings)
  if (known) return known
  const bits = new Int32Array(Math.ceil(documents / 32))
  addDocuments(postings, bits)
  ofPostings.set(postings, bits)
  return bits
}

/** Finds entries of a list: for each group of 32 documents the first entry that is not before it, and the documents. */
export interface EntryStarts {
  readonly firsts: Int32Array
  readonly bits: DocumentBits
}

const ofStarts = new WeakMap<Postings, EntryStarts>()

/** Undefined if the list has few documents of the segment. */
export function entryStarts(postings: Postings, documents: number): EntryStarts | undefined {
  const known = ofStarts.get(postings)
  if (known) return known
  const bits = denseBits(postings, documents)
  if (!bits) return
  const { docs, from, to } = postings
  const firsts = new Int32Array(bits.length)
  for (let at = 0, entry = from; at < firsts.length; at++) {
    while (entry < to && docs[entry]! < at * 32) entry++
    firsts[at] = entry
  }
  const starts = { firsts, bits }
  ofStarts.set(postings, starts)
  return starts
}

/** The same if it was made before. For a few documents, making it takes longer than finding them one by one. */
export const knownStarts = (postings: Postings): EntryStarts | undefined => ofStarts.get(postings)

/** The first entry of a document, or -1. `starts` are those of the list. */
export function entryFrom(postings: Postings, starts: EntryStarts | undefined, doc: number): number {
  if (!starts) return entryOf(postings, doc)
  const { docs } = postings
  const at = doc >>> 5
  const bits = starts.bits[at]!
  const bit = 1 << (doc & 31)
  if ((bits & bit) === 0) return -1
  // Each document before it in its group has at least one entry.
  let entry = starts.firsts[at]! + bitCount(bits & (bit - 1))
  while (docs[entry]! < doc) entry++
  return entry
}

export function addDocuments({ docs, from, to }: Postings, bits: DocumentBits): void {
  for (let entry = from; entry < to; entry++) bits[docs[entry]! >>> 5]! |= 1 << (docs[entry]! & 31)
}

/** 1 if the set has the document. */
export const bitAt = (bits: DocumentBits, doc: number): number => (bits[doc >>> 5]! >>> (doc & 31)) & 1

export const hasDocument = (bits: DocumentBits, doc: number): boolean => bitAt(bits, doc) === 1

/** True if a set has a document from `first` to `last`. */
export function hasBetween(bits: DocumentBits, first: number, last: number): boolean {
  const [start, end] = [Math.max(0, first), Math.min(bits.length * 32 - 1, last)]
  const [from, to] = [start >>> 5, end >>> 5]
  for (let at = from; at <= to; at++) {
    const head = at === from ? -1 << (start & 31) : -1
    const tail = at === to ? -1 >>> (31 - (end & 31)) : -1
    if ((bits[at]! & head & tail) !== 0) return true
  }
  return false
}

/** How many bits of a number are set. */
export function bitCount(number: number): number {
  let rest = number - ((number >>> 1) & 0x55555555)
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333)
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Number of documents that are in both sets. */
export function countBoth(a: DocumentBits, b: DocumentBits): number {
  let count = 0
  for (let at = 0; at < a.length; at++) {
    const both = a[at]! & b[at]!
    if (both !== 0) count += bitCount(both)
  }
  return count
}

/** Number of documents from `start` to before `end` that are in a set. */
export function countRange(bits: DocumentBits, start: number, end: number): number {
  if (start >= end) return 0
  const [first, last] = [start >>> 5, (end - 1) >>> 5]
  const [head, tail] = [-1 << (start & 31), -1 >>> (31 - ((end - 1) & 31))]
  if (first === last) return bitCount(bits[first]! & head & tail)
  let count = bitCount(bits[first]! & head) + bitCount(bits[last]! & tail)
  for (let at = first + 1; at < last; at++) count += bitCount(bits[at]!)
  return count
}
