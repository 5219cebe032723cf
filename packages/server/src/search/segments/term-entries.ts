import { putVarint } from './bytes.ts'
import type { PartWriter } from './part-writer.ts'
import { PLACES_BLOCK, skipPlaces } from './places-codec.ts'
import { COUNT_OF, ENTRY_BYTES, OTHER_PATTERN } from './postings-codec.ts'
import type { TermCursor } from './term-cursor.ts'

const FEW = 24
/** The number of a document in its segment has 16 bits. */
const DOC_BITS = 16

/** The entries of one term from several segments, with the new numbers of their documents. */
export class TermEntries {
  #count = 0
  #lastDoc = -1
  #isSorted = true
  #docs = new Uint32Array(1024)
  /** The code of slot and count. For the code 7, the slot and the count follow in higher bits. */
  #patterns = new Uint32Array(1024)
  /** The positions at which the places of entries begin, and one more: the end of the last. */
  #placesAt = new Uint32Array(1025)
  #places = new Uint8Array(4096)
  /** While sorting: documents with the positions of their first entries. */
  #runs = new Uint32Array(1024)
  #starts = new Uint32Array(1024)
  #order = new Uint32Array(1024)

  /** Adds the entries of a cursor's term. `renumbered` has the new number of each document, or -1 if it is left out. */
  add(cursor: TermCursor, renumbered: Int32Array): void {
    const { entries, postings, postingsFrom, places, placesFrom, placesTo } = cursor
    this.#fit(this.#count + entries, this.#placesAt[this.#count]! + placesTo - placesFrom)
    const docs = this.#docs
    const patterns = this.#patterns
    const placesAt = this.#placesAt
    const copied = this.#places
    let at = postingsFrom
    let place = placesFrom
    let doc = -1
    let to = this.#count
    let lastDoc = this.#lastDoc
    let copiedTo = placesAt[to]!
    for (let entry = 0; entry < entries; entry++) {
      let byte = postings[at++]!
      let value = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = postings[at++]!
        value |= (byte & 127) << shift
      }
      doc += value >> 3
      let pattern = value & 7
      let count = COUNT_OF[pattern]!
      if (pattern === OTHER_PATTERN) {
        count = postings[at + 1]!
        pattern |= (postings[at]! << 8) | (count << 16)
        at += 2
      }
      const from = place
      if (count === 1 && places[place]! < 128) place++
      else place = skipPlaces(places, place, count)
      const renamed = renumbered[doc]!
      if (renamed < 0) continue
      for (let next = from; next < place; next++) copied[copiedTo++] = places[next]!
      if (renamed < lastDoc) this.#isSorted = false
      lastDoc = renamed
      docs[to] = renamed
      patterns[to++] = pattern
      placesAt[to] = copiedTo
    }
    this.#count = to
    this.#lastDoc = lastDoc
  }

  /** Writes all entries in the order of their documents. Returns their number. Afterwards the list is empty. */
  write({ postings, places, blocks }: PartWriter): number {
    const count = this.#count
    const order = this.#isSorted ? undefined : this.#sort()
    postings.reserve(count * ENTRY_BYTES)
    places.reserve(this.#placesAt[count]!)
    const docs = this.#docs
    const patterns = this.#patterns
    const placesAt = this.#placesAt
    const copied = this.#places
    const { bytes } = postings
    const { bytes: placeBytes } = places
    let at = postings.length
    let placeTo = places.length
    let last = -1
    for (let next = 0; next < count; next++) {
      const entry = order ? order[next]! : next
      if (next % PLACES_BLOCK === 0 && next > 0) blocks.push(placeTo)
      const doc = docs[entry]!
      const pattern = patterns[entry]!
      at = putVarint(bytes, at, (doc - last) * 8 + (pattern & 7))
      last = doc
      if (pattern > 7) {
        bytes[at++] = (pattern >> 8) & 255
        bytes[at++] = pattern >> 16
      }
      const end = placesAt[entry + 1]!
      for (let from = placesAt[entry]!; from < end; from++) placeBytes[placeTo++] = copied[from]!
    }
    postings.length = at
    places.length = placeTo
    this.#count = 0
    this.#lastDoc = -1
    this.#isSorted = true
    return count
  }

  /** The entries in the order of their documents. All entries of one document are next to each other, in order. */
  #sort(): Uint32Array {
    const docs = this.#docs
    const count = this.#count
    const runs = this.#runs
    const starts = this.#starts
    const order = this.#order
    let found = 0
    for (let at = 0; at < count; at++) {
      if (at > 0 && docs[at] === docs[at - 1]) continue
      starts[found] = at
      runs[found] = (docs[at]! << DOC_BITS) | found
      found++
    }
    // Sorting numbers without a comparison function takes a tenth of the time.
    if (found <= FEW) sortFew(runs, found)
    else runs.subarray(0, found).sort()
    let to = 0
    for (let at = 0; at < found; at++) {
      const doc = runs[at]! >>> DOC_BITS
      let entry = starts[runs[at]! & 0xffff]!
      do order[to++] = entry++
      while (entry < count && docs[entry] === doc)
    }
    return order
  }

  #fit(entries: number, places: number): void {
    if (places > this.#places.length) this.#places = grown(this.#places, new Uint8Array(places * 2))
    if (entries <= this.#docs.length) return
    const size = entries * 2
    this.#docs = grown(this.#docs, new Uint32Array(size))
    this.#patterns = grown(this.#patterns, new Uint32Array(size))
    this.#placesAt = grown(this.#placesAt, new Uint32Array(size + 1))
    this.#runs = new Uint32Array(size)
    this.#starts = new Uint32Array(size)
    this.#order = new Uint32Array(size)
  }
}

function grown<T extends Uint8Array | Uint32Array>(old: T, larger: T): T {
  larger.set(old)
  return larger
}

/** Insertion sort, which is the fastest for a few numbers. */
function sortFew(list: Uint32Array, count: number): void {
  for (let at = 1; at < count; at++) {
    const value = list[at]!
    let to = at
    for (; to > 0 && list[to - 1]! > value; to--) list[to] = list[to - 1]!
    list[to] = value
  }
}
