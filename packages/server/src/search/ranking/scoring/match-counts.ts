import type { Postings } from '../../segments/postings-codec.ts'
import type { VisiblePart } from '../visible-part.ts'
import {
  addDocuments,
  bitCount,
  countRange,
  type DocumentBits,
  denseBits,
  MAX_BIT_NUMBERS,
  markedBits,
} from './document-bits.ts'

// One search runs at a time in a thread, so all searches use the same arrays.
const some = new Int32Array(MAX_BIT_NUMBERS)
const every = new Int32Array(MAX_BIT_NUMBERS)
const one = new Int32Array(MAX_BIT_NUMBERS)

/**
 * Counts the visible documents of a segment that have words, with sets of bits instead of a loop over documents.
 * Requires that every field of a visible document is visible, because a bit does not tell the field.
 */
export class MatchCounts {
  readonly #part: VisiblePart
  readonly #visible: DocumentBits
  readonly #numbers: number

  constructor(part: VisiblePart) {
    this.#part = part
    this.#visible = markedBits(part.visible)
    this.#numbers = this.#visible.length
    some.fill(0, 0, this.#numbers)
    every.set(this.#visible)
  }

  /** Adds a word in all its forms. Returns the number of visible documents that have it. */
  add(lists: readonly Postings[]): number {
    const bits = this.#union(lists)
    const visible = this.#visible
    let count = 0
    for (let at = 0; at < this.#numbers; at++) {
      const found = bits[at]! & visible[at]!
      if (found !== 0) count += bitCount(found)
      some[at]! |= found
      every[at]! &= found
    }
    return count
  }

  /** Adds to `byRun` the documents that have any of the words. Returns their number, and how many have all words. */
  finish(byRun: Uint32Array): { total: number; withAllWords: number } {
    const { starts, ends } = this.#part.layout
    let [total, withAllWords] = [0, 0]
    for (let run = 0; run < starts.length; run++) {
      const count = countRange(some, starts[run]!, ends[run]!)
      byRun[run]! += count
      total += count
    }
    for (let at = 0; at < this.#numbers; at++) if (every[at] !== 0) withAllWords += bitCount(every[at]!)
    return { total, withAllWords }
  }

  #union(lists: readonly Postings[]): DocumentBits {
    const documents = this.#part.visible.length
    const dense = lists.length === 1 ? denseBits(lists[0]!, documents) : undefined
    if (dense) return dense
    one.fill(0, 0, this.#numbers)
    for (const postings of lists) {
      const bits = denseBits(postings, documents)
      if (!bits) addDocuments(postings, one)
      else for (let at = 0; at < this.#numbers; at++) one[at]! |= bits[at]!
    }
    return one
  }
}
