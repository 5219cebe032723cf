import { LENGTH_CODES } from '../../segments/length-code.ts'
import { UNIT } from '../open-scope.ts'
import type { VisiblePart } from '../visible-part.ts'
import { MAX_SUM } from './score-arrays.ts'
import type { FormPostings } from './segment-scores.ts'

/** Entries per block of a list. A document belongs to the block that contains its first entry. */
export const BOUND_BLOCK = 64

/**
 * Facts about the visible documents of a list, for one weighing of fields: their number, and their largest sums by
 * block. Their sums are exact, so a block whose largest sum is below the minimum has none of the best documents.
 */
export interface ListBounds {
  readonly part: VisiblePart
  readonly documents: number
  readonly byRun: Uint32Array
  readonly max: number
  /** For each block the first entry of its best document, and the sum of that document. */
  readonly best: Int32Array
  readonly largest: Int32Array
  /**
   * For each block the second largest sum, the newest time of the documents with that sum, and the next smaller sum.
   */
  readonly next: Int32Array
  readonly nextTime: Float64Array
  readonly third: Int32Array
  /** The blocks with visible documents, in descending order of their largest sums. */
  readonly order: Int32Array
  /**
   * For the first entry of each visible document the impact of its sum. 0 for all other entries. A document can be
   * skipped by its impact without reading its entries.
   */
  readonly impacts: Uint8Array
}

const MAX_IMPACT = 254

/** The sum in one byte, as a share of the most that a word can add to a score. Never falls if the sum grows. */
export function impactOf(sum: number, saturation: number): number {
  const units = sum / UNIT
  return 1 + Math.floor((MAX_IMPACT * units) / (saturation + units))
}

/** For each impact the most that a word of this weight adds to the score of a document. */
export const ceilingsOf = (weight: number): Float64Array =>
  Float64Array.from({ length: MAX_IMPACT + 2 }, (_, impact) => weight * Math.min(1, impact / MAX_IMPACT))

const histogram = new Uint32Array(MAX_IMPACT + 2)

/**
 * The share of the most that a word can add which at least this many documents of a list reach. 0 if there are fewer
 * documents.
 */
export function minShare({ impacts }: ListBounds, documents: number): number {
  histogram.fill(0)
  for (let entry = 0; entry < impacts.length; entry++) histogram[impacts[entry]!]!++
  let [impact, count] = [MAX_IMPACT + 1, histogram[MAX_IMPACT + 1]!]
  while (count < documents && impact > 1) count += histogram[--impact]!
  return count < documents ? 0 : (impact - 1) / MAX_IMPACT
}

export function listBounds(
  { postings, closeness }: FormPostings,
  part: VisiblePart,
  counted: Int32Array,
  saturation: number,
): ListBounds {
  const { docs, slots, counts, lengths } = postings
  const { visible, isWhole } = part
  const { runOf, ends, classAt, classes, times } = part.layout
  const size = Math.ceil(docs.length / BOUND_BLOCK)
  const [best, largest, next] = [new Int32Array(size), new Int32Array(size), new Int32Array(size)]
  const third = new Int32Array(size)
  const [bestTime, nextTime] = [new Float64Array(size), new Float64Array(size)]
  const byRun = new Uint32Array(ends.length)
  const impacts = new Uint8Array(docs.length)
  let [run, end, class0] = [0, 0, 0]
  for (let entry = 0; entry < docs.length; ) {
    const doc = docs[entry]!
    if (!isWhole && visible[doc] === 0) {
      while (docs[++entry] === doc);
      continue
    }
    const first = entry
    const block = Math.floor(first / BOUND_BLOCK)
    if (doc >= end) {
      run = runOf[doc]!
      end = ends[run]!
      class0 = classAt[run]!
    }
    let sum = 0
    do {
      const slot = slots[entry]!
      const of = classes[class0 + slot]!
      if (of < 0) continue
      const once = counted[of * LENGTH_CODES + lengths[entry]!]!
      sum += (counts[entry]! * once * closeness) | 0 || 1
    } while (docs[++entry] === doc)
    if (sum === 0) continue
    if (sum > MAX_SUM) sum = MAX_SUM
    byRun[run]!++
    impacts[first] = impactOf(sum, saturation)
    if (sum <= third[block]!) continue
    let [other, otherTime] = [sum, times[run]?.[doc] ?? Number.NEGATIVE_INFINITY]
    if (sum > largest[block]! || (sum === largest[block] && otherTime > bestTime[block]!)) {
      const time = otherTime
      other = largest[block]!
      otherTime = bestTime[block]!
      best[block] = first
      largest[block] = sum
      bestTime[block] = time
    }
    if (other > next[block]!) {
      third[block] = next[block]!
      next[block] = other
      nextTime[block] = otherTime
    } else if (other === next[block]) nextTime[block] = Math.max(nextTime[block]!, otherTime)
    else if (other > third[block]!) third[block] = other
  }
  const order = Int32Array.from(largest.keys())
    .filter((block) => largest[block]! > 0)
    .sort((a, b) => largest[b]! - largest[a]! || newer(bestTime[a]!, bestTime[b]!))
  const documents = byRun.reduce((sum, count) => sum + count, 0)
  const max = largest[order[0]!] ?? 0
  return { part, documents, byRun, max, best, largest, next, nextTime, third, order, impacts }
}

/** The sum of a document in a list, as if no other list had it. `first` is its first entry. */
export function sumAt(
  { postings, closeness }: FormPostings,
  part: VisiblePart,
  counted: Int32Array,
  first: number,
): number {
  const { docs, slots, counts, lengths } = postings
  const { runOf, classAt, classes } = part.layout
  const doc = docs[first]!
  const class0 = classAt[runOf[doc]!]!
  let sum = 0
  for (let entry = first; docs[entry] === doc; entry++) {
    const slot = slots[entry]!
    const of = classes[class0 + slot]!
    if (of < 0) continue
    const once = counted[of * LENGTH_CODES + lengths[entry]!]!
    sum += (counts[entry]! * once * closeness) | 0 || 1
  }
  return sum > MAX_SUM ? MAX_SUM : sum
}

const newer = (a: number, b: number): number => (a === b ? 0 : b - a)
