import type { Levers } from '../levers.ts'
import { UNIT } from '../open-scope.ts'
import { found, MAX_SUM, met, neared, PARTS, scores } from './score-arrays.ts'

/**
 * An upper bound of what the words that are still to come can add to a document: to its score, and to the weight that
 * it covers.
 */
export interface Rest {
  readonly score: number
  readonly weight: number
}

/** The data from which limits for documents are computed. */
export interface PruneLimits {
  /**
   * How many of the best documents are wanted. Undefined if the page continues after a cursor, because then documents
   * before the cursor do not count.
   */
  readonly wanted: number | undefined
  /** Documents with fewer grains than this cannot be among the best. */
  readonly minGrains: number
  /** True if the query has words of content. Then only they and near neighbours make a document a match. */
  readonly hasContent: boolean
  readonly allWeights: number
  /**
   * The most that any document gains because a word names its stream or fields, and the most grains that it gains
   * because of its time.
   */
  readonly maxGain: number
  readonly maxLift: number
}

const BUCKETS = 2048
const histogram = new Uint32Array(BUCKETS)
/** Grains. Larger than all rounding errors together, so that rounding never prunes one of the best documents. */
const MARGIN = 2

/**
 * Drops documents of a segment that cannot be among the best. It compares two bounds. The upper bound of a document
 * assumes that it gains everything that the words still to come can add. The lower bound of the best is what the best
 * documents have already. It holds because every further word only adds to the score and to the covered weight, and
 * grains grow with both.
 */
export class ScorePruning {
  readonly #limits: PruneLimits
  readonly #levers: Levers
  readonly #uncovered: number
  readonly #share: number

  constructor(limits: PruneLimits, levers: Levers) {
    const { uncovered } = levers
    this.#limits = limits
    this.#levers = levers
    this.#uncovered = uncovered
    this.#share = limits.allWeights === 0 ? 0 : (1 - uncovered) / limits.allWeights
  }

  get minGrains(): number {
    return this.#limits.minGrains
  }

  /**
   * A lower bound of the grains that the best documents will have. If at least `wanted` documents were found, it is the
   * `wanted`-th largest of their present grains, rounded down by the histogram. Gains by names and time are left out,
   * which only makes the bound lower. Documents that only further neighbours found are left out, because they may never
   * become matches.
   */
  minOfBest(count: number): number {
    const { wanted, minGrains, hasContent, allWeights } = this.#limits
    if (wanted === undefined || count < wanted) return minGrains
    const [uncovered, share] = [this.#uncovered, this.#share]
    const scale = BUCKETS / (allWeights + 1)
    histogram.fill(0)
    for (let at = 0; at < count; at++) {
      const doc = found[at]!
      if (hasContent && met[doc] === 1 && neared[doc] === 0) continue
      const grains = (scores[2 * doc]! / PARTS) * (uncovered + (share * scores[2 * doc + 1]!) / PARTS)
      histogram[(grains * scale) | 0]!++
    }
    let [bucket, better] = [BUCKETS, 0]
    while (bucket > 0 && better < wanted) better += histogram[--bucket]!
    return Math.max(minGrains, Math.floor((bucket / scale) * UNIT))
  }

  /**
   * True if a document that has none of the words so far cannot be among the best, even if it gets everything that is
   * still to come.
   */
  isClosed({ score, weight }: Rest, min: number): boolean {
    return this.boundOf(score, weight) < min
  }

  /**
   * A quick test before `minOfBest`, which visits all found documents. False if even a document with the most that the
   * words so far can give would leave the segment open.
   */
  mayClose(rest: Rest, all: Rest): boolean {
    const min = Math.max(this.#limits.minGrains, this.boundOf(all.score - rest.score, all.weight - rest.weight))
    return this.isClosed(rest, min)
  }

  /**
   * The smallest sum of a word with which a document that has no other word so far may be among the best. More than any
   * sum if there is none.
   */
  minSum(wordWeight: number, { score, weight }: Rest, min: number): number {
    const { saturation, whole } = this.#levers
    let [low, high] = [1, MAX_SUM + 1]
    while (low < high) {
      const middle = (low + high) >>> 1
      const units = middle / UNIT
      const covered = units >= whole ? wordWeight : (wordWeight * units) / whole
      if (this.boundOf((wordWeight * units) / (saturation + units) + score, covered + weight) < min) low = middle + 1
      else high = middle
    }
    return low
  }

  /**
   * Drops the found documents whose upper bound is below the minimum. Returns the number of documents that are left.
   */
  prune(count: number, { score, weight }: Rest, min: number): number {
    let kept = 0
    for (let at = 0; at < count; at++) {
      const doc = found[at]!
      if (this.boundOf(scores[2 * doc]! / PARTS + score, scores[2 * doc + 1]! / PARTS + weight) >= min) {
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

  /** An upper bound of the grains of a document with this score that covers this weight. */
  boundOf(score: number, covered: number): number {
    const { maxGain, maxLift } = this.#limits
    return (score + maxGain) * (this.#uncovered + this.#share * (covered + maxGain)) * UNIT + maxLift + MARGIN
  }
}

/** A lower bound of the grains of a document that has this share of what a word can add to a score. */
export function grainsOfShare(share: number, weight: number, allWeights: number, levers: Levers): number {
  const { saturation, whole, uncovered } = levers
  const units = (saturation * share) / (1 - share)
  const covered = allWeights === 0 ? 0 : (weight * Math.min(1, units / whole)) / allWeights
  return Math.floor(weight * share * (uncovered + (1 - uncovered) * covered) * UNIT) - MARGIN
}
