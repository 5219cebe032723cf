import { LENGTH_CODES } from '../../segments/length-code.ts'
import type { Incoming } from '../neighbours/window.ts'
import type { OpenScope } from '../open-scope.ts'
import type { VisiblePart } from '../visible-part.ts'
import { entryFrom, entryStarts } from './document-bits.ts'
import type { FormPostings } from './form-postings.ts'
import { MAX_SUM, met, neared, sums, touched } from './score-arrays.ts'

/** Which documents get a sum: any, only those that a word has found already, or only others. */
export const [ANY, FOUND, NEW] = [0, 1, 2]

/** Adds up the sums of one word in the documents of a segment, in `sums`. `touched` lists these documents. */
export class WordSums {
  readonly #part: VisiblePart
  readonly #scope: OpenScope
  /** 1 for each document that may match. */
  readonly allowed: Uint8Array
  /** True if all documents may match. Then `allowed` need not be read, which takes long if it is not in the cache. */
  readonly isWhole: boolean
  /** Number of documents in `touched`. */
  count = 0

  constructor(scope: OpenScope, part: VisiblePart, allowed: Uint8Array) {
    this.#part = part
    this.#scope = scope
    this.allowed = allowed
    this.isWhole = part.isWhole && allowed === part.visible
  }

  addList({ postings: { docs, slots, counts, lengths, from, to }, closeness }: FormPostings, wanted: number): void {
    const [allowed, isWhole] = [this.allowed, this.isWhole]
    const { runOf, ends, classAt, classes } = this.#part.layout
    const counted = this.#scope.countedFor(closeness)
    let last = this.count
    let [end, class0] = [0, 0]
    for (let entry = from; entry < to; entry++) {
      const doc = docs[entry]!
      if ((wanted !== ANY && isLeftOut(doc, wanted)) || (!isWhole && allowed[doc] === 0)) continue
      if (doc >= end) {
        const run = runOf[doc]!
        end = ends[run]!
        class0 = classAt[run]!
      }
      const of = classes[class0 + slots[entry]!]!
      if (of < 0) continue
      const once = counted[of * LENGTH_CODES + lengths[entry]!]!
      const before = sums[doc]!
      if (before === 0) touched[last++] = doc
      const sum = before + ((counts[entry]! * once * closeness) | 0 || 1)
      sums[doc] = sum > MAX_SUM ? MAX_SUM : sum
    }
    this.count = last
  }

  /** Looks up the first `count` of these documents in a list. */
  addDocuments({ postings, closeness }: FormPostings, chosen: ArrayLike<number>, count: number): void {
    const { docs, slots, counts, lengths, to } = postings
    const { runOf, classAt, classes } = this.#part.layout
    const starts = entryStarts(postings, this.#part.visible.length)
    const counted = this.#scope.countedFor(closeness)
    for (let at = 0; at < count; at++) {
      const doc = chosen[at]!
      const first = entryFrom(postings, starts, doc)
      for (let entry = first; first >= 0 && entry < to && docs[entry] === doc; entry++) {
        const of = classes[classAt[runOf[doc]!]! + slots[entry]!]!
        if (of < 0) continue
        const once = counted[of * LENGTH_CODES + lengths[entry]!]!
        const before = sums[doc]!
        if (before === 0) touched[this.count++] = doc
        sums[doc] = Math.min(MAX_SUM, before + ((counts[entry]! * once * closeness) | 0 || 1))
      }
    }
  }

  /** Adds what documents get from neighbours that have the word. */
  addIncoming({ docs, values, isNear }: Incoming, wanted: number): void {
    let last = this.count
    for (let at = 0; at < docs.length; at++) {
      const doc = docs[at]!
      if (this.allowed[doc] === 0 || (wanted !== ANY && isLeftOut(doc, wanted))) continue
      const before = sums[doc]!
      if (before === 0) touched[last++] = doc
      const sum = before + values[at]!
      sums[doc] = sum > MAX_SUM ? MAX_SUM : sum
      neared[doc]! |= isNear[at]!
    }
    this.count = last
  }
}

const isLeftOut = (doc: number, wanted: number): boolean => (met[doc] === 0) === (wanted === FOUND)
