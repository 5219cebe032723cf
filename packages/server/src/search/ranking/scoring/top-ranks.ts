import type { AlikeFeed } from '../alike.ts'
import type { WordStatistics } from '../weighed-words.ts'

/** A matching document, with the values that order it. */
export interface Ranked {
  /** Position of the segment in the snapshot, and number of the document in the segment. */
  readonly at: number
  readonly doc: number
  readonly edition: number
  /** The final score in whole units of 1/UNIT, so that equal scores compare as equal. */
  readonly grains: number
  readonly time: number
  readonly feed: number
  /** The position of the feed in the order of names. */
  readonly order: number
  readonly number: number
  /** True if the document has no word of the query itself, but its neighbours in a conversation do. */
  readonly isContext: boolean
}

/**
 * A position in the order of all matches, with everything that the order depends on, so that later writes do not move
 * it. In the head, grains include the bonus for close words and the lowering of similar matches.
 */
export interface RankPosition extends Pick<Ranked, 'grains' | 'time' | 'feed' | 'number'> {
  readonly isHead: boolean
  readonly statistics: RankStatistics
}

/** The weights of words and fields on the first page. */
export interface RankStatistics {
  readonly words: readonly WordStatistics[]
  /** Codes of the average lengths of fields. */
  readonly averages: Uint8Array
  /** Matches with more grains than this are the head. */
  readonly headGrains: number
  /** The feeds in which some matches of the head have the same kind. */
  readonly alike: readonly AlikeFeed[]
  /** True if no document had the quoted words of a sentence, so that they count like other words. */
  readonly hasFreeQuotes: boolean
}

type Place = Pick<Ranked, 'grains' | 'time' | 'order' | 'number'>

/** Best first: more grains, then newer, then by the feed's name and the number. No two documents are equal. */
export function compareRanks(a: Place, b: Place): number {
  if (a.grains !== b.grains) return b.grains - a.grains
  if (a.time !== b.time) return b.time - a.time
  return a.order - b.order || b.number - a.number
}

/** Keeps the best documents of many. */
export class TopRanks {
  readonly #max: number
  readonly #after: Place | undefined
  /** Best first. Always in order, so that the minimum rises with every document. */
  readonly #kept: Ranked[] = []
  /** A document with fewer grains than this cannot be among the best. */
  minGrains = -1
  /** A document with exactly `minGrains` that is older than this cannot be among the best either. */
  minTime = Number.NEGATIVE_INFINITY

  /** Number of kept documents. Undefined if only documents after a position are kept. */
  get wanted(): number | undefined {
    return this.#after ? undefined : this.#max
  }

  constructor(max: number, after?: Place) {
    this.#max = max
    this.#after = after
  }

  add(ranked: Ranked): void {
    if (ranked.grains < this.minGrains || (ranked.grains === this.minGrains && ranked.time < this.minTime)) return
    if (this.#after && compareRanks(this.#after, ranked) >= 0) return
    const kept = this.#kept
    let [low, high] = [0, kept.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareRanks(kept[middle]!, ranked) < 0) low = middle + 1
      else high = middle
    }
    if (low === this.#max) return
    if (kept.length < this.#max) kept.push(ranked)
    for (let at = kept.length - 1; at > low; at--) kept[at] = kept[at - 1]!
    kept[low] = ranked
    if (kept.length < this.#max) return
    const last = kept[this.#max - 1]!
    this.minGrains = last.grains
    this.minTime = last.time
  }

  best(): readonly Ranked[] {
    return this.#kept
  }
}
