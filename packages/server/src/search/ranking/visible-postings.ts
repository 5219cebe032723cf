import type { DocumentColumns } from '../segments/document-columns.ts'
import type { Postings } from '../segments/postings-codec.ts'
import type { MatchFilter } from './index-scope.ts'
import { countBoth, denseBits, markedBits } from './scoring/document-bits.ts'
import type { VisiblePart } from './visible-part.ts'

const stamps = new Uint32Array(65_536)
let stamp = 0

/** Counts visible documents of one segment. A document counts once, even if it is in several lists. */
export class DocumentCounter {
  readonly #part: VisiblePart
  readonly #columns: DocumentColumns
  readonly #filter: MatchFilter | undefined
  count = 0

  constructor(part: VisiblePart, columns: DocumentColumns, filter?: MatchFilter) {
    this.#part = part
    this.#columns = columns
    this.#filter = filter
    // When the stamps start again, old ones must not remain.
    if (++stamp === 2 ** 32 - 1) {
      stamps.fill(0)
      stamp = 1
    }
  }

  add({ docs, slots, from, to }: Postings): void {
    const { visible, layout } = this.#part
    const { runOf, classAt, classes } = layout
    for (let entry = from; entry < to; entry++) {
      const doc = docs[entry]!
      if (visible[doc] === 0 || stamps[doc] === stamp) continue
      if (classes[classAt[runOf[doc]!]! + slots[entry]!]! < 0) continue
      stamps[doc] = stamp
      if (!this.#filter || accepts(this.#filter, this.#columns, runOf[doc]!, doc)) this.count++
    }
  }
}

export function accepts(filter: MatchFilter, columns: DocumentColumns, run: number, doc: number): boolean {
  const times = [columns.times[0][doc]!, columns.times[1][doc]!] as const
  return filter.accepts(columns.runs[run]!.edition, columns.numbers[doc]!, times)
}

/** Number of visible documents of a segment that have a term in a visible field. */
export function countVisible(postings: Postings, part: VisiblePart): number {
  if (part.isWhole) return postings.documents
  const bits = part.hasAllFields ? denseBits(postings, part.visible.length) : undefined
  if (bits) return countBoth(bits, markedBits(part.visible))
  const { docs, slots, from, to } = postings
  const { visible, layout } = part
  let [count, last] = [0, -1]
  if (part.hasAllFields) {
    for (let entry = from; entry < to; entry++) {
      const doc = docs[entry]!
      if (doc !== last) count += visible[doc]!
      last = doc
    }
    return count
  }
  const { runOf, classAt, classes } = layout
  for (let entry = from; entry < to; entry++) {
    const doc = docs[entry]!
    if (visible[doc] === 0 || doc === last) continue
    if (classes[classAt[runOf[doc]!]! + slots[entry]!]! < 0) continue
    last = doc
    count++
  }
  return count
}
