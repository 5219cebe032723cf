import { LENGTH_CODES } from '../segments/length-code.ts'
import { entryOf, type Postings } from '../segments/postings-codec.ts'
import { MAX_DOCUMENTS } from '../segments/segment.ts'
import { UNIT } from './open-scope.ts'
import type { VisiblePart } from './visible-part.ts'

/** A word counts half of its weight when its occurrences count this much. */
const SATURATION = 1
/** A word that counts this share of one occurrence is wholly there. */
const WHOLE_SHARE = 0.5
/** How much of its score a document keeps that has hardly any of what the query is about. */
const UNCOVERED = 0.5
/** Sums stop here, whatever the order of addition, and stay whole numbers of 32 bits. */
const MAX_SUM = 2 ** 29
/** Looking up a document in postings costs about as much as reading this many of them. */
const LOOKUP_COST = 8

// One search runs at a time in a thread, so all searches use the same arrays. They are as small as a segment and stay
// in the processor's cache.
const sums = new Int32Array(MAX_DOCUMENTS)
const touched = new Uint16Array(MAX_DOCUMENTS)
const scores = new Float64Array(MAX_DOCUMENTS)
const covered = new Float64Array(MAX_DOCUMENTS)
const met = new Uint8Array(MAX_DOCUMENTS)
const isFound = new Uint8Array(MAX_DOCUMENTS)
const found = new Uint16Array(MAX_DOCUMENTS)

/** Scores the documents of one segment, word by word. Everything it keeps is cleared by `each`. */
export class SegmentScores {
  readonly #part: VisiblePart
  readonly #counted: Int32Array
  #found = 0
  #touched = 0

  constructor(part: VisiblePart, counted: Int32Array) {
    this.#part = part
    this.#counted = counted
  }

  get isEmpty(): boolean {
    return this.#found === 0
  }

  /** Adds a form of the word at hand. With `onlyFound` it counts in documents that another word found, and finds none. */
  add(postings: Postings, closeness: number, onlyFound: boolean): void {
    if (onlyFound && this.#found * LOOKUP_COST < postings.docs.length) this.#addToFound(postings, closeness)
    else this.#addAll(postings, closeness, onlyFound)
  }

  #addAll({ docs, slots, counts }: Postings, closeness: number, onlyFound: boolean): void {
    const { visible, layout } = this.#part
    const { runOf, classAt, classes, lengthAt, width, lengths } = layout
    const counted = this.#counted
    let last = this.#touched
    for (let entry = 0; entry < docs.length; entry++) {
      const doc = docs[entry]!
      if (visible[doc] === 0 || (onlyFound && isFound[doc] === 0)) continue
      const run = runOf[doc]!
      const slot = slots[entry]!
      const of = classes[classAt[run]! + slot]!
      if (of < 0) continue
      const once = counted[of * LENGTH_CODES + lengths[lengthAt[run]! + doc * width[run]! + slot]!]!
      const before = sums[doc]!
      if (before === 0) touched[last++] = doc
      const sum = before + ((counts[entry]! * once * closeness) | 0)
      // Zero means untouched.
      sums[doc] = sum > MAX_SUM ? MAX_SUM : sum === 0 ? 1 : sum
    }
    this.#touched = last
  }

  /** Looks up the found documents, if they are few and the postings many. */
  #addToFound(postings: Postings, closeness: number): void {
    const { docs, slots, counts } = postings
    const { runOf, classAt, classes, lengthAt, width, lengths } = this.#part.layout
    for (let at = 0; at < this.#found; at++) {
      const doc = found[at]!
      const first = entryOf(postings, doc)
      for (let entry = first; entry >= 0 && docs[entry] === doc; entry++) {
        const run = runOf[doc]!
        const slot = slots[entry]!
        const of = classes[classAt[run]! + slot]!
        if (of < 0) continue
        const once = this.#counted[of * LENGTH_CODES + lengths[lengthAt[run]! + doc * width[run]! + slot]!]!
        const before = sums[doc]!
        if (before === 0) touched[this.#touched++] = doc
        const sum = before + ((counts[entry]! * once * closeness) | 0)
        sums[doc] = sum > MAX_SUM ? MAX_SUM : sum === 0 ? 1 : sum
      }
    }
  }

  /** Ends the word at hand. Many occurrences count little more than a few. */
  endWord(weight: number, isContent: boolean): void {
    for (let at = 0; at < this.#touched; at++) {
      const doc = touched[at]!
      const sum = sums[doc]! / UNIT
      sums[doc] = 0
      if (isFound[doc] === 0) {
        isFound[doc] = 1
        found[this.#found++] = doc
      }
      scores[doc]! += (weight * sum) / (SATURATION + sum)
      covered[doc]! += weight * Math.min(1, sum / WHOLE_SHARE)
      if (isContent) met[doc]!++
    }
    this.#touched = 0
  }

  /**
   * Calls back with each document, its grains and how many words of content it has. A word many times over is a worse
   * answer than several of the words, so the score depends on what share of their weight a document has.
   */
  each(allWeights: number, visit: (doc: number, grains: number, contentWords: number) => void): void {
    for (let at = 0; at < this.#found; at++) {
      const doc = found[at]!
      const grains = grainsOf(scores[doc]!, allWeights === 0 ? 0 : covered[doc]! / allWeights)
      const words = met[doc]!
      scores[doc] = 0
      covered[doc] = 0
      met[doc] = 0
      isFound[doc] = 0
      visit(doc, grains, words)
    }
    this.#found = 0
  }
}

/** Scores in whole units: smaller differences are no difference, and the newer document goes first. */
export const grainsOf = (score: number, share: number): number =>
  Math.round(score * (UNCOVERED + (1 - UNCOVERED) * share) * UNIT)
