import { LENGTH_CODES } from '../segments/length-code.ts'
import { entryOf, type Postings } from '../segments/postings-codec.ts'
import { MAX_DOCUMENTS } from '../segments/segment.ts'
import type { Levers } from './levers.ts'
import { type OpenScope, UNIT } from './open-scope.ts'
import type { VisiblePart } from './visible-part.ts'
import type { Incoming } from './window.ts'

/** Sums stop here, whatever the order of addition, and stay whole numbers of 32 bits. */
const MAX_SUM = 2 ** 29
/** Looking up a document in postings costs about as much as reading this many of them. */
const LOOKUP_COST = 8

// One search runs at a time in a thread, so all searches use the same arrays. They are as small as a segment and stay
// in the processor's cache.
const sums = new Int32Array(MAX_DOCUMENTS)
const touched = new Uint16Array(MAX_DOCUMENTS)
/** For each document its score, and the weight of the words that it has. */
const scores = new Float64Array(2 * MAX_DOCUMENTS)
/** 0 if no word found the document, else one more than the number of words of content that it has itself. */
const met = new Uint16Array(MAX_DOCUMENTS)
const found = new Uint16Array(MAX_DOCUMENTS)

/** Scores the documents of one segment, word by word. Everything it keeps is cleared by `each`. */
export class SegmentScores {
  readonly #part: VisiblePart
  readonly #scope: OpenScope
  /** 1 for each document that may be found. */
  readonly #allowed: Uint8Array
  /** The same as a list, if they are few. */
  readonly #few: readonly number[] | undefined
  #found = 0
  #touched = 0
  /** How many of the touched documents have the word themselves. They come first. */
  #own = 0

  constructor(scope: OpenScope, part: VisiblePart, allowed = part.visible, few?: readonly number[]) {
    this.#part = part
    this.#scope = scope
    this.#allowed = allowed
    this.#few = few
  }

  get isEmpty(): boolean {
    return this.#found === 0
  }

  /** Adds a form of the word at hand. With `onlyFound` it counts in documents that another word found, and finds none. */
  add(postings: Postings, closeness: number, onlyFound: boolean): void {
    const { length } = postings.docs
    if (onlyFound && this.#found * LOOKUP_COST < length) this.#addTo(found, this.#found, postings, closeness)
    else if (this.#few && this.#few.length * LOOKUP_COST < length)
      this.#addTo(this.#few, this.#few.length, postings, closeness)
    else this.#addAll(postings, closeness, onlyFound)
  }

  #addAll({ docs, slots, counts }: Postings, closeness: number, onlyFound: boolean): void {
    const allowed = this.#allowed
    const { runOf, ends, classAt, classes, lengthAt, width, lengths } = this.#part.layout
    const counted = this.#scope.countedFor(closeness)
    let last = this.#touched
    let [end, class0, length0, step] = [0, 0, 0, 0]
    for (let entry = 0; entry < docs.length; entry++) {
      const doc = docs[entry]!
      if (allowed[doc] === 0 || (onlyFound && met[doc] === 0)) continue
      if (doc >= end) {
        const run = runOf[doc]!
        end = ends[run]!
        class0 = classAt[run]!
        length0 = lengthAt[run]!
        step = width[run]!
      }
      const slot = slots[entry]!
      const of = classes[class0 + slot]!
      if (of < 0) continue
      const once = counted[of * LENGTH_CODES + lengths[length0 + doc * step + slot]!]!
      const before = sums[doc]!
      if (before === 0) touched[last++] = doc
      const sum = before + ((counts[entry]! * once * closeness) | 0)
      // Zero means untouched.
      sums[doc] = sum > MAX_SUM ? MAX_SUM : sum === 0 ? 1 : sum
    }
    this.#touched = last
    this.#own = last
  }

  /** Adds what documents get from neighbours that have the word at hand. Call after all its forms. */
  addIncoming({ docs, values }: Incoming): void {
    const allowed = this.#allowed
    let last = this.#touched
    for (let at = 0; at < docs.length; at++) {
      const doc = docs[at]!
      if (allowed[doc] === 0) continue
      const before = sums[doc]!
      if (before === 0) touched[last++] = doc
      const sum = before + values[at]!
      sums[doc] = sum > MAX_SUM ? MAX_SUM : sum
    }
    this.#touched = last
  }

  /** Looks up single documents, if they are few and the postings many. */
  #addTo(chosen: ArrayLike<number>, count: number, postings: Postings, closeness: number): void {
    const { docs, slots, counts } = postings
    const { runOf, classAt, classes, lengthAt, width, lengths } = this.#part.layout
    const counted = this.#scope.countedFor(closeness)
    for (let at = 0; at < count; at++) {
      const doc = chosen[at]!
      const first = entryOf(postings, doc)
      for (let entry = first; entry >= 0 && docs[entry] === doc; entry++) {
        const run = runOf[doc]!
        const slot = slots[entry]!
        const of = classes[classAt[run]! + slot]!
        if (of < 0) continue
        const once = counted[of * LENGTH_CODES + lengths[lengthAt[run]! + doc * width[run]! + slot]!]!
        const before = sums[doc]!
        if (before === 0) touched[this.#touched++] = doc
        const sum = before + ((counts[entry]! * once * closeness) | 0)
        sums[doc] = sum > MAX_SUM ? MAX_SUM : sum === 0 ? 1 : sum
      }
    }
    this.#own = this.#touched
  }

  /** Ends the word at hand. Many occurrences count little more than a few. */
  endWord(weight: number, isContent: boolean): void {
    const { saturation, whole } = this.#scope.levers
    let last = this.#found
    for (let at = 0; at < this.#touched; at++) {
      const doc = touched[at]!
      const more = isContent && at < this.#own ? 1 : 0
      const sum = sums[doc]! / UNIT
      sums[doc] = 0
      const words = met[doc]!
      if (words === 0) {
        met[doc] = 1 + more
        found[last++] = doc
      } else met[doc] = words + more
      scores[2 * doc]! += (weight * sum) / (saturation + sum)
      scores[2 * doc + 1]! += sum >= whole ? weight : (weight * sum) / whole
    }
    this.#touched = 0
    this.#own = 0
    this.#found = last
  }

  /**
   * Calls back with each document, its grains and how many words of content it has, mostly the newest first: of equals
   * the newer goes first, and what comes later is soon recognised as too old. A word many times over is a worse answer
   * than several of the words, so the score depends on what share of their weight a document has. `named` is what the
   * documents of a run gain because words of the query name their fields.
   */
  each(
    allWeights: number,
    named: Float64Array | undefined,
    visit: (doc: number, grains: number, contentWords: number) => void,
  ): void {
    const { uncovered } = this.#scope.levers
    const share = allWeights === 0 ? 0 : (1 - uncovered) / allWeights
    const { runOf } = this.#part.layout
    for (let at = this.#found - 1; at >= 0; at--) {
      const doc = found[at]!
      if (named && named[runOf[doc]!]! > 0) {
        scores[2 * doc]! += named[runOf[doc]!]!
        scores[2 * doc + 1]! += named[runOf[doc]!]!
      }
      // Scores in whole units: smaller differences are no difference.
      const grains = Math.round(scores[2 * doc]! * (uncovered + share * scores[2 * doc + 1]!) * UNIT)
      const words = met[doc]! - 1
      scores[2 * doc] = 0
      scores[2 * doc + 1] = 0
      met[doc] = 0
      visit(doc, grains, words)
    }
    this.#found = 0
  }
}

/** The grains of a document whose one word counts this much. They grow with the sum. */
export function grainsOfOneWord(sum: number, weight: number, { saturation, whole, uncovered }: Levers): number {
  const units = sum / UNIT
  const covered = units >= whole ? weight : (weight * units) / whole
  const share = weight === 0 ? 0 : (1 - uncovered) / weight
  return Math.round(((weight * units) / (saturation + units)) * (uncovered + share * covered) * UNIT)
}
