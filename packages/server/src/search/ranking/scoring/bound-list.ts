import { LENGTH_CODES } from '../../segments/length-code.ts'
import type { VisiblePart } from '../visible-part.ts'
import type { FormPostings } from './form-postings.ts'
import { BOUND_BLOCK, impactOf, ListBounds, timeOf } from './list-bounds.ts'
import { MAX_SUM } from './score-arrays.ts'

/**
 * The value of one occurrence for the sum of its document, by class and length code of the field, and the impact
 * of a document that has nothing else. Most documents of a list are like that.
 */
export interface OnceValues {
  readonly sums: Int32Array
  readonly impacts: Uint8Array
}

export function onceValues(counted: Int32Array, closeness: number, saturation: number): OnceValues {
  const sums = new Int32Array(counted.length)
  const impacts = new Uint8Array(counted.length)
  for (let at = 0; at < counted.length; at++) {
    const sum = (counted[at]! * closeness) | 0 || 1
    sums[at] = sum
    impacts[at] = impactOf(Math.min(sum, MAX_SUM), saturation)
  }
  return { sums, impacts }
}

/** The first entries of the documents of the current block, and their sums. */
const firsts = new Int32Array(BOUND_BLOCK)
const blockSums = new Int32Array(BOUND_BLOCK)

/** Computes the bounds of a list. `once` are the values for the closeness of the form. */
export function boundList(
  { postings, closeness }: FormPostings,
  part: VisiblePart,
  counted: Int32Array,
  once: OnceValues,
  saturation: number,
): ListBounds {
  const { docs, slots, counts, lengths, from, to } = postings
  const { visible, isWhole } = part
  const { runOf, ends, classAt, classes } = part.layout
  const bounds = new ListBounds(part, postings, saturation)
  const { byRun, impacts } = bounds
  let [run, end, class0, inRun] = [0, 0, 0, 0]
  let entry = from
  for (let block = 0; entry < to; block++) {
    const blockEnd = Math.min(to, from + (block + 1) * BOUND_BLOCK)
    let count = 0
    while (entry < blockEnd) {
      const doc = docs[entry]!
      const first = entry
      const isOnly = ++entry >= to || docs[entry] !== doc
      if (!isWhole && visible[doc] === 0) {
        while (entry < to && docs[entry] === doc) entry++
        continue
      }
      if (doc >= end) {
        byRun[run]! += inRun
        inRun = 0
        run = runOf[doc]!
        end = ends[run]!
        class0 = classAt[run]!
      }
      let sum = 0
      if (isOnly && counts[first] === 1) {
        const of = classes[class0 + slots[first]!]!
        if (of < 0) continue
        const value = of * LENGTH_CODES + lengths[first]!
        sum = once.sums[value]!
        impacts[first - from] = once.impacts[value]!
      } else {
        entry = first
        do {
          const of = classes[class0 + slots[entry]!]!
          if (of >= 0) sum += (counts[entry]! * counted[of * LENGTH_CODES + lengths[entry]!]! * closeness) | 0 || 1
        } while (++entry < to && docs[entry] === doc)
        if (sum === 0) continue
        if (sum > MAX_SUM) sum = MAX_SUM
        impacts[first - from] = impactOf(sum, saturation)
      }
      inRun++
      firsts[count] = first
      blockSums[count++] = sum
    }
    if (count > 0) boundBlock(bounds, docs, block, count)
  }
  byRun[run]! += inRun
  for (let at = 0; at < byRun.length; at++) bounds.documents += byRun[at]!
  for (let at = 0; at < bounds.largest.length; at++) bounds.max = Math.max(bounds.max, bounds.largest[at]!)
  return bounds
}

/**
 * Finds the largest sums of a block. Reads times only if documents tie for the largest sum, because times are seldom in
 * the processor's cache.
 */
function boundBlock(bounds: ListBounds, docs: Uint16Array, block: number, count: number): void {
  let [best, first, second, third, ties] = [0, 0, 0, 0, 0]
  for (let at = 0; at < count; at++) {
    const sum = blockSums[at]!
    if (sum <= third) continue
    if (sum > first) {
      third = second
      second = first
      first = sum
      best = at
      ties = 0
    } else if (sum === first) ties++
    else if (sum > second) {
      third = second
      second = sum
    } else if (sum < second) third = sum
  }
  if (ties > 0) {
    let newest = timeOf(bounds.part, docs[firsts[best]!]!)
    for (let at = best + 1; at < count; at++) {
      if (blockSums[at] !== first) continue
      const time = timeOf(bounds.part, docs[firsts[at]!]!)
      if (time <= newest) continue
      best = at
      newest = time
    }
  }
  bounds.best[block] = firsts[best]!
  bounds.largest[block] = first
  bounds.next[block] = ties > 0 ? first : second
  bounds.third[block] = ties > 0 ? second : third
}
