import { bitAt, type DocumentBits, type EntryStarts, entryFrom, hasDocument, MAX_BIT_NUMBERS } from './document-bits.ts'
import type { FormPostings } from './form-postings.ts'
import type { Rest, ScorePruning } from './score-pruning.ts'

/** A word of the query whose lists in a segment were not read yet, and the facts about it that need no reading. */
export interface LaterWord {
  /** The documents that have it, and those that have it in a form other than the longest list. */
  readonly bits: DocumentBits
  readonly others: DocumentBits | undefined
  readonly longest: FormPostings
  /** The starts of entries in the longest list, and the impacts of these entries. */
  readonly starts: EntryStarts | undefined
  readonly impacts: Uint8Array
  /** The most that the word can add, to any document of the segment and by the impact of the document. */
  readonly max: Rest
  readonly ceilings: Float64Array
}

/** For how many later words the limits of a sum are computed. Their number doubles with each word. */
export const MAX_LATER_WORDS = 3

/**
 * Tells which documents that a word finds may be among the best, if they get no more than they can from the words after
 * it. A document without a later word needs more of this one.
 */
export class SumLimits {
  readonly #pruning: ScorePruning
  readonly #words: readonly LaterWord[]
  /** The documents of the first, second and third word. */
  readonly first: DocumentBits
  readonly second: DocumentBits
  readonly third: DocumentBits
  /** True if there is no second word. */
  readonly isOne: boolean
  readonly #isClosing: boolean
  /** The score and weight that the other later words can add. Their documents are not known. */
  readonly #unknown: Rest
  /**
   * One limit for each set of later words that a document may have. Word `n` is bit `n` of its position, so the last
   * limit is the smallest.
   */
  readonly minSums: Int32Array

  constructor(
    pruning: ScorePruning,
    weight: number,
    rest: Rest,
    later: readonly (LaterWord | undefined)[],
    isClosing: boolean,
  ) {
    this.#pruning = pruning
    const words: LaterWord[] = []
    for (const word of later) if (word && words.length < MAX_LATER_WORDS) words.push(word)
    this.#words = words
    this.first = words[0]?.bits ?? NO_DOCUMENTS
    this.second = words[1]?.bits ?? NO_DOCUMENTS
    this.third = words[2]?.bits ?? NO_DOCUMENTS
    this.isOne = words.length < 2
    let known: Rest[] = [NOTHING]
    for (const { max } of words) known = [...known, ...known.map((one) => plus(one, max))]
    this.#unknown = minus(rest, known.at(-1)!)
    this.#isClosing = isClosing
    // In an open segment a later word may find a document again, so only documents without later words are left out.
    this.minSums = Int32Array.from(known, (one, has) =>
      isClosing || has === 0 ? pruning.minSum(weight, plus(this.#unknown, one), pruning.minGrains) : 1,
    )
  }

  /** Which of the later words a document has. Word `n` is bit `n` of the result. */
  has(doc: number): number {
    return bitAt(this.first, doc) | (bitAt(this.second, doc) << 1) | (bitAt(this.third, doc) << 2)
  }

  /** A closer test than the limits, with the impacts of the later words. `has` is the result of `has` for the document. */
  mayBeBest(doc: number, has: number, score: number, covered: number): boolean {
    if (!this.#isClosing && has !== 0) return true
    let all = score + this.#unknown.score
    let weight = covered + this.#unknown.weight
    for (let at = 0; at < this.#words.length; at++) {
      if ((has & (1 << at)) === 0) continue
      const { others, longest, starts, impacts, max, ceilings } = this.#words[at]!
      weight += max.weight
      all +=
        others && hasDocument(others, doc)
          ? max.score
          : ceilings[impacts[entryFrom(longest.postings, starts, doc) - longest.postings.from]!]!
    }
    return this.#pruning.boundOf(all, weight) >= this.#pruning.minGrains
  }
}

const NO_DOCUMENTS: DocumentBits = new Int32Array(MAX_BIT_NUMBERS)
const NOTHING: Rest = { score: 0, weight: 0 }
const plus = (a: Rest, b: Rest): Rest => ({ score: a.score + b.score, weight: a.weight + b.weight })
const minus = (a: Rest, b: Rest): Rest => ({ score: a.score - b.score, weight: a.weight - b.weight })
