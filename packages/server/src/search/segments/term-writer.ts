import { PlacesEncoder } from './places-codec.ts'
import { MAX_COUNT, PostingsEncoder } from './postings-codec.ts'
import type { TermBytes } from './segment.ts'

/** Encodes terms one after another: first the entries of a term, then its end. */
export class TermWriter {
  readonly terms: string[] = []
  readonly #bytes: TermBytes[] = []
  readonly #postings = new PostingsEncoder()
  readonly #places = new PlacesEncoder()

  add(doc: number, slot: number, places: ArrayLike<number>, from: number, to: number): void {
    const count = Math.min(to - from, MAX_COUNT)
    this.#postings.add(doc, slot, count)
    this.#places.add(places, from, to)
  }

  /** Adds an entry of another segment. */
  copy(doc: number, slot: number, count: number, places: Uint8Array, from: number, to: number): void {
    this.#postings.add(doc, slot, count)
    this.#places.copy(places, from, to)
  }

  end(term: string): void {
    const { entries, documents } = this.#postings
    if (entries === 0) return
    this.terms.push(term)
    this.#bytes.push({ entries, documents, postings: this.#postings.finish(), places: this.#places.finish() })
  }

  termBytes = (at: number): TermBytes => this.#bytes[at]!
}
