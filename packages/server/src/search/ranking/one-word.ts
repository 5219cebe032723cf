import { LENGTH_CODES } from '../segments/length-code.ts'
import type { Postings } from '../segments/postings-codec.ts'
import type { Levers } from './levers.ts'
import type { OpenScope } from './open-scope.ts'
import { grainsOfOneWord } from './segment-scores.ts'
import type { TopRanks } from './top-ranks.ts'
import type { VisiblePart } from './visible-part.ts'

const MAX_SUM = 2 ** 29

/**
 * Ranks the documents of one segment by one word in one form. The score grows with the sum of the occurrences, so
 * documents with too small a sum need no score. Same results as `SegmentScores`, at a third of the time.
 */
export class OneWordRanks {
  readonly #counted: Int32Array
  readonly #levers: Levers
  readonly #weight: number
  #minGrains = -1
  /** The smallest sum with as many grains as the worst of the best, and with more. */
  #minSum = 1
  #moreSum = 1

  constructor({ counted, levers }: OpenScope, weight: number) {
    this.#counted = counted
    this.#levers = levers
    this.#weight = weight
  }

  /** Calls back with documents that may be among the best, mostly the newest first, and returns how many match. */
  rank(
    { docs, slots, counts }: Postings,
    { visible, layout }: VisiblePart,
    byRun: Uint32Array,
    top: Pick<TopRanks, 'minGrains' | 'minTime'>,
    timeOf: (run: number, doc: number) => number,
    visit: (doc: number, grains: number) => void,
  ): number {
    const { runOf, starts, classAt, classes, lengthAt, width, lengths } = layout
    const counted = this.#counted
    let [run, start, class0, length0, step] = [0, 65_536, 0, 0, 0]
    let [matches, doc, sum] = [0, -1, 0]
    this.#raise(top.minGrains)
    for (let entry = docs.length - 1; entry >= -1; entry--) {
      const next = entry < 0 ? -1 : docs[entry]!
      if (next !== doc) {
        if (sum > 0) {
          matches++
          byRun[run]!++
          if (sum >= this.#minSum && (sum >= this.#moreSum || timeOf(run, doc) >= top.minTime)) {
            visit(doc, grainsOfOneWord(Math.min(sum, MAX_SUM), this.#weight, this.#levers))
            this.#raise(top.minGrains)
          }
        }
        sum = 0
        doc = next
        if (doc < 0) break
        if (doc < start) {
          run = runOf[doc]!
          start = starts[run]!
          class0 = classAt[run]!
          length0 = lengthAt[run]!
          step = width[run]!
        }
      }
      if (visible[doc] === 0) continue
      const slot = slots[entry]!
      const of = classes[class0 + slot]!
      if (of < 0) continue
      sum += Math.max(1, counts[entry]! * counted[of * LENGTH_CODES + lengths[length0 + doc * step + slot]!]!)
    }
    return matches
  }

  #raise(minGrains: number): void {
    if (minGrains <= this.#minGrains) return
    this.#minGrains = minGrains
    this.#minSum = this.#smallestSum(minGrains)
    this.#moreSum = this.#smallestSum(minGrains + 1)
  }

  #smallestSum(grains: number): number {
    let [low, high] = [1, MAX_SUM]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (grainsOfOneWord(middle, this.#weight, this.#levers) < grains) low = middle + 1
      else high = middle
    }
    return low
  }
}
