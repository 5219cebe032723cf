import { ByteWriter } from './bytes.ts'
import type { WordPart } from './segment.ts'

/** A part ends after the term with which it reaches this many bytes. A search reads the names of a whole part. */
const PART_BYTES = 32_768
const LINE_FEED = 10

/**
 * Collects the parts of a segment, term by term in ascending order. Write the postings and places of a term, then call
 * `endTerm`.
 */
export class PartWriter {
  readonly postings: ByteWriter = new ByteWriter(2 * PART_BYTES)
  readonly places: ByteWriter = new ByteWriter(2 * PART_BYTES)
  /** The positions in `places` at which the blocks of the current term begin, except the first block. */
  readonly blocks: number[] = []
  #parts: WordPart[] = []
  readonly #names = new ByteWriter(PART_BYTES)
  readonly #sizes = new ByteWriter(PART_BYTES)
  #terms = 0
  #postingsFrom = 0
  #placesFrom = 0

  /** Bytes of its buffers that grow with the longest list. */
  get capacity(): number {
    return this.postings.bytes.length + this.places.bytes.length
  }

  /** Ends a term with this number of entries. Its name is UTF-8. A term without entries is not written. */
  endTerm(entries: number, names: Uint8Array, from: number, to: number): void {
    if (entries === 0) return
    if (this.blocks.length > 0) {
      for (const block of this.blocks) this.places.fourBytes(block - this.#placesFrom)
      this.blocks.length = 0
    }
    this.#names.append(names, from, to)
    this.#names.byte(LINE_FEED)
    this.#sizes.varint(entries)
    this.#sizes.varint(this.postings.length - this.#postingsFrom)
    this.#sizes.varint(this.places.length - this.#placesFrom)
    this.#terms++
    this.#postingsFrom = this.postings.length
    this.#placesFrom = this.places.length
    if (this.#names.length + this.#sizes.length + this.postings.length + this.places.length >= PART_BYTES)
      this.#endPart()
  }

  #endPart(): void {
    // No line feed follows the last name.
    const names = this.#names.length - 1
    const terms = new ByteWriter(names + this.#sizes.length + 16)
    terms.varint(this.#terms)
    terms.varint(names)
    terms.append(this.#names.bytes, 0, names)
    terms.append(this.#sizes.bytes, 0, this.#sizes.length)
    this.#parts.push({ terms: terms.finish(), postings: this.postings.finish(), places: this.places.finish() })
    this.#terms = 0
    for (const writer of [this.#names, this.#sizes, this.postings, this.places]) writer.length = 0
    this.#postingsFrom = 0
    this.#placesFrom = 0
  }

  /** Returns the parts. Afterwards the object is ready for another segment. */
  finish(): WordPart[] {
    if (this.#terms > 0) this.#endPart()
    const parts = this.#parts
    this.#parts = []
    return parts
  }
}
