import type { WordPart } from './segment.ts'
import { PartTerms } from './word-part.ts'

const NO_BYTES: Uint8Array = new Uint8Array(0)

/** Goes through the terms of a segment in order. Keeps one part in memory at a time. */
export class TermCursor {
  readonly input: number
  readonly #parts: Iterator<WordPart>
  #terms: PartTerms | undefined
  #names: readonly string[] = []
  #at = 0
  term = ''
  isAtEnd = false
  entries = 0
  /** The bytes of the whole part. `postingsFrom` and `placesFrom` are the positions of the term's bytes. */
  postings = NO_BYTES
  postingsFrom = 0
  places = NO_BYTES
  placesFrom = 0

  constructor(parts: Iterable<WordPart>, input: number) {
    this.#parts = parts[Symbol.iterator]()
    this.input = input
  }

  /** Returns false after the last term. */
  next(): boolean {
    this.#at++
    if (!this.#terms || this.#at === this.#names.length) {
      const { value: part, done } = this.#parts.next()
      if (done) {
        this.isAtEnd = true
        return false
      }
      this.#terms = new PartTerms(part.terms)
      this.#names = this.#terms.names()
      this.#at = 0
      this.postings = part.postings
      this.places = part.places
    }
    this.term = this.#names[this.#at]!
    this.entries = this.#terms.entries[this.#at]!
    this.postingsFrom = this.#terms.postingsAt[this.#at]!
    this.placesFrom = this.#terms.placesAt[this.#at]!
    return true
  }
}
