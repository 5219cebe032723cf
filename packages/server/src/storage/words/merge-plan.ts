import { MAX_DOCUMENTS } from '../../search/segments/segment.ts'

export interface PlannedSegment {
  readonly segment: number
  readonly age: number
  readonly documents: number
}

/** This many neighbouring segments of about the same size are merged into one. */
const FAN = 8
/** Max. number of the youngest segments of the smallest size, because single records often come one by one. */
const MAX_TINY = 64
const TINY_DOCUMENTS = 64

/**
 * Chooses the neighbouring segments to merge next, if any. Segments are in order of age. Sizes grow by a factor of
 * eight, so a record is rewritten only a few times until its segment is full.
 */
export function planMerge<T extends PlannedSegment>(segments: readonly T[]): readonly T[] | undefined {
  for (const [from, { documents }] of segments.entries()) {
    if (documents > MAX_DOCUMENTS / 2) continue
    const size = sizeOf(documents)
    let [to, sum, same] = [from, 0, 0]
    while (to < segments.length && sizeOf(segments[to]!.documents) <= size) {
      if (sum + segments[to]!.documents > MAX_DOCUMENTS) break
      if (sizeOf(segments[to]!.documents) === size) same++
      sum += segments[to]!.documents
      to++
    }
    const isFull = to < segments.length && sizeOf(segments[to]!.documents) <= size && same > 1
    // Only the youngest segments may stay tiny. Small segments that are followed by a larger one are merged earlier,
    // because their number no longer grows and every search visits them all.
    const isOpen = to === segments.length
    if (same >= (size === 0 && isOpen ? MAX_TINY : FAN) || isFull) return segments.slice(from, to)
  }
  return
}

const sizeOf = (documents: number): number =>
  documents <= TINY_DOCUMENTS ? 0 : Math.floor(Math.log(documents / TINY_DOCUMENTS) / Math.log(FAN)) + 1
