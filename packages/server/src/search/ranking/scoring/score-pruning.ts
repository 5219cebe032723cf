import type { Levers } from '../levers.ts'
import { UNIT } from '../open-scope.ts'
import { found, met, neared, PARTS, scores } from './score-arrays.ts'

/** The most that words which are still to come can add to a document. */
export interface Rest {
  readonly score: number
  readonly weight: number
}

/** The limits below which a document is not among the best. */
export interface PruneLimits {
  /** How many of the best are wanted; undefined if those before a cursor are not. */
  readonly wanted: number | undefined
  /** The grains that the worst of the best in other segments have. */
  readonly minGrains: number
  readonly allWeights: number
  /** The most that a document gains because a word names its fields, and because of its time (in grains). */
  readonly maxGain: number
  readonly maxLift: number
}

const BUCKETS = 2048
const histogram = new Uint32Array(BUCKETS)
/** More than all errors of rounding together. */
const MARGIN = 2

/**
 * Leaves documents out that cannot be among the best, whatever the rest of the words adds: every word makes a score
 * larger, so what some documents have already is a limit that the best will reach.
 */
export class ScorePruning {
  readonly #limits: PruneLimits
  readonly #uncovered: number
  readonly #share: number

  constructor(limits: PruneLimits, { uncovered }: Levers) {
    this.#limits = limits
    this.#uncovered = uncovered
    this.#share = limits.allWeights === 0 ? 0 : (1 - uncovered) / limits.allWeights
  }

  /** The fewest grains of the best documents, as far as it is known. */
  minOfBest(count: number): number {
    const { wanted, minGrains, allWeights } = this.#limits
    if (wanted === undefined || count < wanted) return minGrains
    const [uncovered, share] = [this.#uncovered, this.#share]
    const scale = BUCKETS / (allWeights + 1)
    histogram.fill(0)
    for (let at = 0; at < count; at++) {
      const doc = found[at]!
      const grains = (scores[2 * doc]! / PARTS) * (uncovered + (share * scores[2 * doc + 1]!) / PARTS)
      histogram[(grains * scale) | 0]!++
    }
    let [bucket, better] = [BUCKETS, 0]
    while (bucket > 0 && better < wanted) better += histogram[--bucket]!
    return Math.max(minGrains, Math.floor((bucket / scale) * UNIT))
  }

  /** True if documents that have none of the words before cannot be among the best. */
  isClosed({ score, weight }: Rest, min: number): boolean {
    return this.#bound(score, weight) < min
  }

  /** True if that may be, because the words before can add more than those that are still to come. */
  mayClose(rest: Rest, all: Rest): boolean {
    const min = Math.max(this.#limits.minGrains, this.#bound(all.score - rest.score, all.weight - rest.weight))
    return this.isClosed(rest, min)
  }

  /** Forgets the documents among the found that cannot be among the best. Returns how many are left. */
  prune(count: number, { score, weight }: Rest, min: number): number {
    let kept = 0
    for (let at = 0; at < count; at++) {
      const doc = found[at]!
      if (this.#bound(scores[2 * doc]! / PARTS + score, scores[2 * doc + 1]! / PARTS + weight) >= min) {
        found[kept++] = doc
        continue
      }
      scores[2 * doc] = 0
      scores[2 * doc + 1] = 0
      met[doc] = 0
      neared[doc] = 0
    }
    return kept
  }

  #bound(score: number, covered: number): number {
    const { maxGain, maxLift } = this.#limits
    return (score + maxGain) * (this.#uncovered + this.#share * (covered + maxGain)) * UNIT + maxLift + MARGIN
  }
}
