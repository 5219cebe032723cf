import { eachToken, INDEXED_UNITS } from '../analysis/analyser.ts'
import { LETTERS, TERM_UNITS } from '../analysis/ascii.ts'
import { idEnd, JOINTS } from '../analysis/ids.ts'
import { PARAGRAPH } from '../analysis/searched-text.ts'
import { OccurrenceLists } from './occurrence-lists.ts'
import { PartWriter } from './part-writer.ts'
import type { WordPart } from './segment.ts'
import { PACKED_LETTERS, sortByTerm, TermTable } from './term-table.ts'

/** With fewer terms than this, sorting them is faster than going through all terms of the table. */
const FEW_TERMS = 500
const MAX_KEPT_BYTES = 1_048_576

/**
 * All occurrences of words in a batch of documents, in the order of the documents. A thread uses the same object for
 * one batch after another.
 */
export class Occurrences {
  readonly #table = new TermTable()
  #lists = new OccurrenceLists()
  #writer = new PartWriter()
  #isOpen = false
  /** The text as bytes, which are faster to read than the units of a string. */
  #bytes: Buffer = Buffer.allocUnsafe(4096)

  /** Call before the first text of a batch. */
  begin(): this {
    // The batch before may have failed half-way.
    if (this.#isOpen) {
      this.#lists = new OccurrenceLists()
      this.#writer = new PartWriter()
    }
    this.#isOpen = true
    this.#lists.begin()
    this.#table.forgetIfLarge()
    // A long text leaves large buffers behind.
    if (this.#bytes.length > MAX_KEPT_BYTES) this.#bytes = Buffer.allocUnsafe(4096)
    if (this.#writer.capacity > MAX_KEPT_BYTES) this.#writer = new PartWriter()
    return this
  }

  /** Returns how many words the text has. */
  add(doc: number, slot: number, text: string): number {
    const field = doc * 256 + slot
    const indexed = text.length > INDEXED_UNITS ? text.slice(0, INDEXED_UNITS) : text
    if (!indexed.includes(PARAGRAPH)) return this.#addText(field, indexed, 0)
    let [words, place] = [0, 0]
    for (const paragraph of indexed.split(PARAGRAPH)) {
      const count = this.#addText(field, paragraph, place)
      words += count
      // One place stays free, so that the last word and the first of the next paragraph are no neighbours.
      place += count + 1
    }
    return words
  }

  /** Gives the words of a text the places from `first`. Returns their number. */
  #addText(field: number, text: string, first: number): number {
    const { length } = text
    if (this.#bytes.length < length + 4) this.#bytes = Buffer.allocUnsafe(length * 2 + 4)
    // A text that is not ASCII has more bytes than units.
    if (this.#bytes.write(text, 0, length + 4, 'utf8') === length) return this.#addAscii(field, text, first)
    let place = first
    eachToken(text, (term) => this.#lists.put(this.#table.numberOfTerm(term), field, place++))
    return place - first
  }

  /** Splits an ASCII text into words in the same way as `eachToken`. Its bytes were written before. */
  #addAscii(field: number, text: string, firstPlace: number): number {
    const { length } = text
    const bytes = this.#bytes
    const table = this.#table
    const lists = this.#lists
    // A space ends the last word.
    bytes[length] = 32
    let place = firstPlace
    for (let at = 0; at < length; ) {
      let letter = LETTERS[bytes[at]!]!
      if (letter === 0) {
        at++
        continue
      }
      const start = at
      let first = 0
      let rest = 0
      do {
        bytes[at] = letter
        if (at - start < 4) first = (first << 8) | letter
        else rest = (rest << 8) | letter
        letter = LETTERS[bytes[++at]!]!
      } while (letter !== 0)
      const end = JOINTS[bytes[at]!] === 1 ? idEnd(text, start, at) : 0
      let term: number
      if (end > 0) {
        term = this.#numberOfId(start, end)
        at = end
      } else if (at - start <= PACKED_LETTERS) term = table.numberOfPacked(first, rest)
      else term = table.numberOfWord(bytes, start, Math.min(at, start + TERM_UNITS))
      lists.put(term, field, place++)
    }
    return place - firstPlace
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

  /** Encodes the batch. Afterwards the object is ready for the next one. */
  finish(): WordPart[] {
    const ordered = this.#termsInOrder()
    for (let at = 0; at < ordered.length; at++) this.#finishTerm(ordered[at]!)
    this.#isOpen = false
    return this.#writer.finish()
  }

  #finishTerm(term: number): void {
    const { letters, starts } = this.#table
    this.#writer.endTerm(this.#lists.write(term, this.#writer), letters, starts[term]!, starts[term + 1]!)
  }

  /** The terms of the batch in order. */
  #termsInOrder(): Uint32Array {
    const { terms } = this.#lists
    if (terms.length < FEW_TERMS) return Uint32Array.from(sortByTerm([...terms], this.#table.terms))
    return this.#lists.termsOf(this.#table.inOrder())
  }
}
