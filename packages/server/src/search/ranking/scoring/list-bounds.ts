import type { Postings } from '../../segments/postings-codec.ts'
import { UNIT } from '../open-scope.ts'
import type { VisiblePart } from '../visible-part.ts'

/** Entries per block of a list. A document belongs to the block that contains its first entry. */
export const BOUND_BLOCK = 64

/**
 * Facts about the visible documents of a list, for one weighing of fields: their number, and their largest sums by
 * block. Their sums are exact, so a block whose largest sum is below the minimum has none of the best documents.
 */
export class ListBounds {
  readonly part: VisiblePart
  documents = 0
  readonly byRun: Uint32Array
  max = 0
  /** For each block the first entry of its best document, and the sum of that document. */
  readonly best: Int32Array
  readonly largest: Int32Array
  /** For each block the second largest sum, and the next smaller one. */
  readonly next: Int32Array
  readonly third: Int32Array
  /**
   * For the first entry of each visible document the impact of its sum, counted from the first entry of the list. 0 for
   * all other entries. A document can be skipped by its impact without reading its entries.
   */
  readonly impacts: Uint8Array
  readonly #docs: Uint16Array
  readonly #saturation: number
  #order: Int32Array | undefined
  #nextTime: Float64Array | undefined

  constructor(part: VisiblePart, { docs, from, to }: Postings, saturation: number) {
    const entries = to - from
    const blocks = Math.ceil(entries / BOUND_BLOCK)
    this.part = part
    this.#docs = docs
    this.#saturation = saturation
    this.byRun = new Uint32Array(part.layout.ends.length)
    this.best = new Int32Array(blocks)
    this.largest = new Int32Array(blocks)
    this.next = new Int32Array(blocks)
    this.third = new Int32Array(blocks)
    this.impacts = new Uint8Array(entries)
  }

  /**
   * The blocks with visible documents, in descending order of their largest sums. Among equals the block with the newest
   * best document is first.
   */
  get order(): Int32Array {
    if (this.#order) return this.#order
    const { largest, best } = this
    const times = new Float64Array(largest.length)
    const order = new Int32Array(largest.length)
    let count = 0
    for (let block = 0; block < largest.length; block++) {
      if (largest[block] === 0) continue
      order[count++] = block
      times[block] = timeOf(this.part, this.#docs[best[block]!]!)
    }
    this.#order = order.subarray(0, count).sort((a, b) => largest[b]! - largest[a]! || newer(times[a]!, times[b]!))
    return this.#order
  }

  /**
   * The newest time of the documents of a block that have its second largest sum, without its best document. `sumOf` tells
   * the sum of a document by its first entry. Few blocks are asked for it, so it is computed when it is needed.
   */
  nextTime(block: number, { docs, from, to }: Postings, sumOf: (first: number) => number): number {
    this.#nextTime ??= new Float64Array(this.largest.length).fill(Number.NaN)
    const known = this.#nextTime[block]!
    if (!Number.isNaN(known)) return known
    let newest = Number.NEGATIVE_INFINITY
    const impact = impactOf(this.next[block]!, this.#saturation)
    const end = Math.min(to, from + (block + 1) * BOUND_BLOCK)
    for (let entry = from + block * BOUND_BLOCK; entry < end; entry++) {
      if (this.impacts[entry - from] !== impact || entry === this.best[block]) continue
      if (sumOf(entry) === this.next[block]) newest = Math.max(newest, timeOf(this.part, docs[entry]!))
    }
    this.#nextTime[block] = newest
    return newest
  }
}

const MAX_IMPACT = 254

/** The sum in one byte, as a share of the most that a word can add to a score. Never falls if the sum grows. */
export function impactOf(sum: number, saturation: number): number {
  const units = sum / UNIT
  return 1 + Math.floor((MAX_IMPACT * units) / (saturation + units))
}

/** For each impact the most that a word of this weight adds to the score of a document. */
export function ceilingsOf(weight: number): Float64Array {
  const ceilings = new Float64Array(MAX_IMPACT + 2)
  for (let impact = 0; impact < ceilings.length; impact++) ceilings[impact] = weight * Math.min(1, impact / MAX_IMPACT)
  return ceilings
}

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

/** The time that orders a document. */
export function timeOf({ layout: { runOf, times } }: VisiblePart, doc: number): number {
  return times[runOf[doc]!]?.[doc] ?? Number.NEGATIVE_INFINITY
}

const newer = (a: number, b: number): number => (a === b ? 0 : b - a)
