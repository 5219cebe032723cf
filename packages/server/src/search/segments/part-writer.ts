import { ByteWriter } from './bytes.ts'
import { PLACES_BLOCK } from './places-codec.ts'
import { MAX_COUNT, writeEntry } from './postings-codec.ts'
import type { WordPart } from './segment.ts'
import { encodeTerms } from './word-part.ts'

/** A part ends after the term with which it reaches this many bytes. A search reads the names of a whole part. */
const PART_BYTES = 32_768

/** Encodes terms in ascending order. Add all entries of a term, then call `endTerm`. */
export class PartWriter {
  readonly #parts: WordPart[] = []
  #names: string[] = []
  #nameUnits = 0
  readonly #sizes = new ByteWriter()
  readonly #postings = new ByteWriter(PART_BYTES)
  readonly #places = new ByteWriter(PART_BYTES)
  /** State of the current term: number of entries, last document, and the positions at which its bytes begin. */
  #entries = 0
  #last = -1
  #postingsFrom = 0
  #placesFrom = 0
  #offsets: number[] = []

  #begin(doc: number, slot: number, count: number): void {
    writeEntry(this.#postings, doc - this.#last, slot, count)
    this.#last = doc
    if (this.#entries > 0 && this.#entries % PLACES_BLOCK === 0)
      this.#offsets.push(this.#places.length - this.#placesFrom)
    this.#entries++
  }

  /** Adds an entry with its places. */
  add(doc: number, slot: number, places: Uint32Array, from: number, to: number): void {
    const count = to - from
    this.#begin(doc, slot, count < MAX_COUNT ? count : MAX_COUNT)
    // A count of 255 stands for more, so the number of places comes first.
    if (count >= MAX_COUNT) this.#places.varint(count)
    let last = 0
    for (let at = from; at < to; at++) {
      this.#places.varint(places[at]! - last)
      last = places[at]!
    }
  }

  /** Copies an entry from another segment, with the encoded bytes of its places. */
  copy(doc: number, slot: number, count: number, bytes: Uint8Array, from: number, to: number): void {
    this.#begin(doc, slot, count)
    this.#places.append(bytes, from, to)
  }

  /** A term without entries is not written. */
  endTerm(term: string): void {
    if (this.#entries === 0) return
    if (this.#offsets.length > 0) {
      for (const offset of this.#offsets) this.#places.fourBytes(offset)
      this.#offsets = []
    }
    this.#names.push(term)
    this.#nameUnits += term.length + 1
    this.#sizes.varint(this.#entries)
    this.#sizes.varint(this.#postings.length - this.#postingsFrom)
    this.#sizes.varint(this.#places.length - this.#placesFrom)
    this.#entries = 0
    this.#last = -1
    this.#postingsFrom = this.#postings.length
    this.#placesFrom = this.#places.length
    if (this.#nameUnits + this.#sizes.length + this.#postings.length + this.#places.length >= PART_BYTES)
      this.#endPart()
  }

  #endPart(): void {
    const terms = new ByteWriter(64)
    const names = encodeTerms(this.#names)
    terms.varint(this.#names.length)
    terms.varint(names.length)
    terms.append(names)
    terms.append(this.#sizes.bytes, 0, this.#sizes.length)
    this.#parts.push({ terms: terms.finish(), postings: this.#postings.finish(), places: this.#places.finish() })
    this.#names = []
    this.#nameUnits = 0
    for (const writer of [this.#sizes, this.#postings, this.#places]) writer.length = 0
    this.#postingsFrom = 0
    this.#placesFrom = 0
  }

  finish(): WordPart[] {
    if (this.#names.length > 0) this.#endPart()
    return this.#parts
  }
}
