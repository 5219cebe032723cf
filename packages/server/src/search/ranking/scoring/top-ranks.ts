import type { AlikeFeed } from '../alike.ts'
import type { WordStatistics } from '../weighed-words.ts'

/** A matching document and what orders it. */
export interface Ranked {
  /** Position of the segment, and of the document in it. */
  readonly at: number
  readonly doc: number
  readonly edition: number
  /** The score in whole units, so that equal scores are equal. */
  readonly grains: number
  readonly time: number
  readonly feed: number
  /** The feed's place among all by name. */
  readonly order: number
  readonly number: number
  /** True if it has no word of the query itself, and its neighbours in a conversation do. */
  readonly isContext: boolean
}

/**
 * A place in the order of all matches, with everything that this order depends on, so that other writes do not move it.
 * The first ones are ordered by other grains than the rest.
 */
export interface RankPosition extends Pick<Ranked, 'grains' | 'time' | 'feed' | 'number'> {
  readonly isHead: boolean
  readonly statistics: RankStatistics
}

/** The words and fields as the first page weighed them. */
export interface RankStatistics {
  readonly words: readonly WordStatistics[]
  /** Codes of the average lengths of fields. */
  readonly averages: Uint8Array
  /** Matches with more grains than this are the first ones. */
  readonly headGrains: number
  /** The feeds of which some of the first ones are alike. */
  readonly alike: readonly AlikeFeed[]
}

type Place = Pick<Ranked, 'grains' | 'time' | 'order' | 'number'>

/** Best first: more grains, then newer, then by the feed's name and the number. No two documents are equal. */
export function compareRanks(a: Place, b: Place): number {
  if (a.grains !== b.grains) return b.grains - a.grains
  if (a.time !== b.time) return b.time - a.time
  return a.order - b.order || b.number - a.number
}

/** Spare room, so that it is sorted now and then and not with every document. */
const SPARE = 64

/** Keeps the best documents of many. */
export class TopRanks {
  readonly #max: number
  readonly #after: Place | undefined
  #kept: Ranked[] = []
  /** Documents with fewer grains than this are not among the best. */
  minGrains = -1
  /** Nor are documents with as many grains that are older than this. */
  minTime = Number.NEGATIVE_INFINITY

  /** How many are kept; undefined if those before a place are left out. */
  get wanted(): number | undefined {
    return this.#after ? undefined : this.#max
  }

  constructor(max: number, after?: Place) {
    this.#max = max
    this.#after = after
  }

  add(ranked: Ranked): void {
    if (ranked.grains === this.minGrains && ranked.time < this.minTime) return
    if (this.#after && compareRanks(this.#after, ranked) >= 0) return
    this.#kept.push(ranked)
    if (this.#kept.length >= 2 * this.#max + SPARE) this.#cut()
  }

  #cut(): void {
    this.#kept.sort(compareRanks)
    this.#kept.length = Math.min(this.#kept.length, this.#max)
    const last = this.#kept[this.#max - 1]
    if (!last) return
    this.minGrains = last.grains
    this.minTime = last.time
  }

  best(): Ranked[] {
    this.#cut()
    return this.#kept
  }
}
