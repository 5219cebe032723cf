import { putVarint } from './bytes.ts'
import type { PartWriter } from './part-writer.ts'
import { PLACES_BLOCK } from './places-codec.ts'
import { codeOf, ENTRY_BYTES, MAX_COUNT, OTHER_PATTERN } from './postings-codec.ts'

/** Numbers for each occurrence: the document with its slot, the place in the field, the next occurrence of the term. */
const ITEM = 4
/** Occurrences in a batch of usual size. */
const MAX_KEPT = 262_144
const VARINT_BYTES = 5

/** Linked lists with the occurrences of each term in a batch. Terms are numbers. */
export class OccurrenceLists {
  /** The first item is not used, because 0 means none. */
  #items = new Uint32Array(4096 * ITEM)
  #used = ITEM
  /** For each term its first and its last item. All zero between two batches. */
  #ends = new Uint32Array(8192)
  #terms = new Uint32Array(4096)
  #termCount = 0

  /** The terms of the batch, each once. */
  get terms(): Uint32Array {
    return this.#terms.subarray(0, this.#termCount)
  }

  /** The terms of the batch, in the order that they have among all terms. */
  termsOf(all: Uint32Array): Uint32Array {
    const ends = this.#ends
    const { terms } = this
    let found = 0
    for (let at = 0; at < all.length; at++) if (ends[all[at]! * 2]! > 0) terms[found++] = all[at]!
    return terms
  }

  /** Call before a batch. */
  begin(): void {
    this.#used = ITEM
    this.#termCount = 0
    // A batch of long texts leaves a large array behind.
    if (this.#items.length > MAX_KEPT * ITEM) this.#items = new Uint32Array(4096 * ITEM)
  }

  /** Adds an occurrence. Fields and places must be in ascending order. */
  put(term: number, field: number, place: number): void {
    const at = this.#used
    if (at === this.#items.length) this.#items = grown(this.#items, at * 2)
    const items = this.#items
    this.#used = at + ITEM
    items[at] = field
    items[at + 1] = place
    items[at + 2] = 0
    const end = term * 2
    if (end >= this.#ends.length) this.#ends = grown(this.#ends, end * 2)
    const last = this.#ends[end + 1]!
    if (last === 0) this.#begin(term, at)
    else items[last + 2] = at
    this.#ends[end + 1] = at
  }

  #begin(term: number, at: number): void {
    this.#ends[term * 2] = at
    if (this.#termCount === this.#terms.length) this.#terms = grown(this.#terms, this.#termCount * 2)
    this.#terms[this.#termCount++] = term
  }

  /** Writes the list of a term, and empties it. Returns the number of entries. */
  write(term: number, { postings, places, blocks }: PartWriter): number {
    const items = this.#items
    let at = this.#ends[term * 2]!
    let entries = 0
    let lastDoc = -1
    this.#ends[term * 2] = 0
    this.#ends[term * 2 + 1] = 0
    while (at !== 0) {
      const field = items[at]!
      let count = 1
      let next = items[at + 2]!
      for (; next !== 0 && items[next] === field; next = items[next + 2]!) count++
      const doc = field >>> 8
      const slot = field & 255
      const stored = count < MAX_COUNT ? count : MAX_COUNT
      const code = codeOf(slot, stored)
      postings.reserve(ENTRY_BYTES)
      let to = putVarint(postings.bytes, postings.length, (doc - lastDoc) * 8 + code)
      if (code === OTHER_PATTERN) {
        postings.bytes[to++] = slot
        postings.bytes[to++] = stored
      }
      postings.length = to
      lastDoc = doc
      if (entries % PLACES_BLOCK === 0 && entries > 0) blocks.push(places.length)
      entries++
      places.reserve((count + 1) * VARINT_BYTES)
      to = places.length
      // A count of 255 stands for more, so the number of places comes first.
      if (stored === MAX_COUNT) to = putVarint(places.bytes, to, count)
      for (let before = 0; at !== next; at = items[at + 2]!) {
        to = putVarint(places.bytes, to, items[at + 1]! - before)
        before = items[at + 1]!
      }
      places.length = to
    }
    return entries
  }
}

function grown(old: Uint32Array, size: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(size)
  larger.set(old)
  return larger
}
