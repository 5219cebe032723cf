import { LENGTH_CODES } from '../../segments/length-code.ts'
import type { VisiblePart } from '../visible-part.ts'
import type { FormPostings } from './segment-scores.ts'

/** Entries per block. A document belongs to the block of its first entry. */
export const BOUND_BLOCK = 64

/** The largest sums of a list under one weighing of fields: of all its documents, and of each block. */
export interface ListBounds {
  readonly max: number
  readonly blocks: Int32Array
}

/** Hidden documents are included: a bound need not be reached. */
export function listBounds(
  { postings, closeness }: FormPostings,
  { layout }: VisiblePart,
  counted: Int32Array,
): ListBounds {
  const { docs, slots, counts } = postings
  const { runOf, ends, classAt, classes, lengthAt, width, lengths } = layout
  const blocks = new Int32Array(Math.ceil(docs.length / BOUND_BLOCK))
  let [max, end, class0, length0, step] = [0, 0, 0, 0, 0]
  for (let entry = 0; entry < docs.length; ) {
    const doc = docs[entry]!
    const block = Math.floor(entry / BOUND_BLOCK)
    if (doc >= end) {
      const run = runOf[doc]!
      end = ends[run]!
      class0 = classAt[run]!
      length0 = lengthAt[run]!
      step = width[run]!
    }
    let sum = 0
    do {
      const slot = slots[entry]!
      const of = classes[class0 + slot]!
      if (of < 0) continue
      const once = counted[of * LENGTH_CODES + lengths[length0 + doc * step + slot]!]!
      sum += (counts[entry]! * once * closeness) | 0 || 1
    } while (docs[++entry] === doc)
    if (sum > blocks[block]!) blocks[block] = sum
    if (sum > max) max = sum
  }
  return { max, blocks }
}
