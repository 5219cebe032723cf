import { eachToken, INDEXED_UNITS } from '../analysis/analyser.ts'
import { LETTERS, TERM_UNITS } from '../analysis/ascii.ts'
import { idEnd, JOINTS } from '../analysis/ids.ts'
import { PartWriter } from './part-writer.ts'
import type { WordPart } from './segment.ts'
import { PACKED_LETTERS, sortByTerm, TermTable } from './term-table.ts'

/** With fewer terms than this, sorting them is faster than going through all terms of the table. */
const FEW_TERMS = 500
/** Occurrences in a batch of usual size. */
const MAX_KEPT = 262_144

/**
 * All occurrences of words in a batch of documents, in the order of the documents. A thread uses the same object for
 * one batch after another.
 */
export class Occurrences {
  readonly #table = new TermTable()
  /** The text as bytes, which are faster to read than the units of a string. */
  #bytes: Buffer = Buffer.allocUnsafe(4096)
  #count = 0
  /** Per occurrence: the number of the term, the document with its slot, and the place in the field. */
  #term = new Uint32Array(4096)
  #field = new Uint32Array(4096)
  #place = new Uint32Array(4096)
  /**
   * For each term first its number of occurrences, then the position at which they end. All zero between two batches.
   */
  #ends = new Uint32Array(4096)

  /** Call before the first text of a batch. */
  begin(): this {
    this.#count = 0
    this.#table.forgetIfLarge()
    // A batch of long texts leaves large arrays behind.
    if (this.#term.length > MAX_KEPT) {
      this.#term = new Uint32Array(4096)
      this.#field = new Uint32Array(4096)
      this.#place = new Uint32Array(4096)
      this.#bytes = Buffer.allocUnsafe(4096)
    }
    return this
  }

  /** Returns how many words the text has. */
  add(doc: number, slot: number, text: string): number {
    const field = doc * 256 + slot
    const indexed = text.length > INDEXED_UNITS ? text.slice(0, INDEXED_UNITS) : text
    const before = this.#count
    if (this.#addAscii(field, indexed)) return this.#count - before
    this.#count = before
    eachToken(indexed, (term) => this.#put(this.#table.numberOfTerm(term), field, this.#count - before))
    return this.#count - before
  }

  /**
   * Splits an ASCII text into words in the same way as `eachToken`. Returns false if the text is not ASCII, which shows
   * in its having more bytes than units.
   */
  #addAscii(field: number, text: string): boolean {
    const { length } = text
    if (this.#bytes.length < length + 4) this.#bytes = Buffer.allocUnsafe(length * 2 + 4)
    const bytes = this.#bytes
    if (bytes.write(text, 0, length + 4, 'utf8') !== length) return false
    // A space ends the last word.
    bytes[length] = 32
    const before = this.#count
    const table = this.#table
    for (let at = 0; at < length; ) {
      let letter = LETTERS[bytes[at]!]!
      if (letter === 0) {
        at++
        continue
      }
      const start = at
      let [first, rest] = [0, 0]
      do {
        bytes[at] = letter
        if (at - start < 4) first = (first << 8) | letter
        else rest = (rest << 8) | letter
        letter = LETTERS[bytes[++at]!]!
      } while (letter !== 0)
      const end = JOINTS[bytes[at]!] === 1 ? idEnd(text, start, at) : 0
      if (end > 0) {
        this.#put(this.#numberOfId(start, end), field, this.#count - before)
        at = end
        continue
      }
      const term =
        at - start <= PACKED_LETTERS
          ? table.numberOfPacked(first, rest)
          : table.numberOfWord(bytes, start, Math.min(at, start + TERM_UNITS))
      this.#put(term, field, this.#count - before)
    }
    return true
  }

  /** Removes the joints, as the analyser does. */
  #numberOfId(start: number, end: number): number {
    const bytes = this.#bytes
    let to = start
    for (let at = start; at < end; at++) {
      const letter = LETTERS[bytes[at]!]!
      if (letter !== 0) bytes[to++] = letter
    }
    if (to - start <= PACKED_LETTERS) return this.#table.numberOfTerm(bytes.toString('latin1', start, to))
    return this.#table.numberOfWord(bytes, start, Math.min(to, start + TERM_UNITS))
  }

  #put(term: number, field: number, place: number): void {
    const at = this.#count++
    if (at === this.#term.length) this.#grow()
    this.#term[at] = term
    this.#field[at] = field
    this.#place[at] = place
  }

  #grow(): void {
    const grown = (old: Uint32Array<ArrayBuffer>) => {
      const larger = new Uint32Array(old.length * 2)
      larger.set(old)
      return larger
    }
    this.#term = grown(this.#term)
    this.#field = grown(this.#field)
    this.#place = grown(this.#place)
  }

  /** Encodes the batch. Afterwards the object is ready for the next one. */
  finish(): WordPart[] {
    const { terms } = this.#table
    if (this.#ends.length < terms.length) this.#ends = new Uint32Array(terms.length * 2)
    const ends = this.#ends
    const ordered = this.#termsInOrder(ends)
    let sum = 0
    for (const term of ordered) {
      const count = ends[term]!
      ends[term] = sum
      sum += count
    }
    const [fields, places] = [new Uint32Array(this.#count), new Uint32Array(this.#count)]
    for (let at = 0; at < this.#count; at++) {
      const to = ends[this.#term[at]!]!++
      fields[to] = this.#field[at]!
      places[to] = this.#place[at]!
    }
    const writer = new PartWriter()
    let at = 0
    for (const term of ordered) {
      for (const last = ends[term]!; at < last; ) {
        const field = fields[at]!
        const from = at++
        while (at < last && fields[at] === field) at++
        writer.add(field >>> 8, field & 255, places, from, at)
      }
      writer.endTerm(terms[term]!)
      ends[term] = 0
    }
    return writer.finish()
  }

  /** Counts the occurrences of each term, and returns the terms in order. */
  #termsInOrder(counts: Uint32Array): number[] {
    const met: number[] = []
    for (let at = 0; at < this.#count; at++) if (counts[this.#term[at]!]!++ === 0) met.push(this.#term[at]!)
    if (met.length < FEW_TERMS) {
      sortByTerm(met, this.#table.terms)
      return met
    }
    let found = 0
    for (const term of this.#table.inOrder()) if (counts[term]! > 0) met[found++] = term
    return met
  }
}
