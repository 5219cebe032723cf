import type { Incoming } from '../neighbours/window.ts'
import { type OpenScope, UNIT } from '../open-scope.ts'
import type { WeighedWord } from '../weighed-words.ts'
import { entryStarts } from './document-bits.ts'
import { type FormPostings, longestOf } from './form-postings.ts'
import { type LaterWord, SumLimits } from './later-words.ts'
import { ceilingsOf, minShare } from './list-bounds.ts'
import type { WordDocuments } from './match-counts.ts'
import { grainsOfShare, type Rest, type ScorePruning } from './score-pruning.ts'

/** For each word its lists in a segment. */
export type WordLists = readonly (readonly FormPostings[])[]

/** Bounds what the words of a query can add to documents of a segment. */
export class WordLimits {
  readonly #scope: OpenScope
  readonly #words: readonly WeighedWord[]
  readonly #ceilings = new Map<WeighedWord, Float64Array>()

  /** `words` are in the order in which they are scored. */
  constructor(scope: OpenScope, words: readonly WeighedWord[]) {
    this.#scope = scope
    this.#words = words
  }

  /** For each word an upper bound of what it and all words after it can add to a document of this segment. */
  rests(at: number, lists: WordLists, incoming: ReadonlyMap<WeighedWord, Incoming>): Rest[] {
    const rests: Rest[] = []
    let [score, weight] = [0, 0]
    rests[lists.length] = { score, weight }
    for (let position = lists.length - 1; position >= 0; position--) {
      const word = this.#words[position]!
      const max = this.maxOf(at, word, lists[position]!, incoming.get(word))
      score += max.score
      weight += max.weight
      rests[position] = { score, weight }
    }
    return rests
  }

  /**
   * The most that a word can add to a document of a segment. It adds no more than the largest sums of its lists together
   * allow, or those of neighbours.
   */
  maxOf(at: number, word: WeighedWord, forms: readonly FormPostings[], incoming?: Incoming): Rest {
    if (incoming && incoming.maxSum === undefined) return { score: word.weight, weight: word.weight }
    const { saturation } = this.#scope.levers
    let sum = 0
    for (const form of forms) sum += this.#scope.boundsOf(form, this.#scope.parts[at]!).max
    const units = Math.max(sum, incoming?.maxSum ?? 0) / UNIT
    return { score: (word.weight * units) / (saturation + units), weight: units > 0 ? word.weight : 0 }
  }

  /** Tells which documents of the word at this position may be among the best, if later words add all that they can. */
  sumLimits(
    pruning: ScorePruning,
    isClosing: boolean,
    position: number,
    at: number,
    lists: WordLists,
    rests: readonly Rest[],
    documents: readonly (WordDocuments | undefined)[],
  ): SumLimits {
    const part = this.#scope.parts[at]!
    const later = this.#words.map((word, next): LaterWord | undefined => {
      const longest = longestOf(lists[next]!)
      if (next <= position || !documents[next] || !longest) return undefined
      const { impacts } = this.#scope.boundsOf(longest, part)
      const [from, after] = [rests[next]!, rests[next + 1]!]
      const max = { score: from.score - after.score, weight: from.weight - after.weight }
      const starts = entryStarts(longest.postings, part.visible.length)
      return { ...documents[next], longest, starts, impacts, max, ceilings: this.ceilings(word) }
    })
    const { weight } = this.#words[position]!
    return new SumLimits(pruning, weight, rests[position + 1]!, later, isClosing)
  }

  /** For each impact the most that the word adds to the score of a document. */
  ceilings(word: WeighedWord): Float64Array {
    const known = this.#ceilings.get(word) ?? ceilingsOf(word.weight)
    this.#ceilings.set(word, known)
    return known
  }

  /** The least grains of the best documents with a word in a segment. 0 if fewer than `wanted` have it. */
  minGrains(at: number, word: WeighedWord, forms: readonly FormPostings[], wanted: number, allWeights: number): number {
    const longest = longestOf(forms)
    if (!longest || longest.postings.documents < wanted) return 0
    const share = minShare(this.#scope.boundsOf(longest, this.#scope.parts[at]!), wanted)
    return grainsOfShare(share, word.weight, allWeights, this.#scope.levers)
  }
}
