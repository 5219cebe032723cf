import type { Postings } from '../../../search/segments/postings-codec.ts'
import type { LoadedSegment } from './loaded-segment.ts'

/** Bytes of decoded postings that one thread keeps. */
const MAX_BYTES = 32 * 1024 * 1024
const BYTES_PER_ENTRY = 4
const BYTES_PER_LIST = 200

interface TermLists {
  /** The lists that are known, by segment; undefined if the segment does not have the term. */
  readonly bySegment: Map<number, Postings | undefined>
  /** The same in the order of the segments, as long as these are the same. */
  inOrder: readonly (Postings | undefined)[]
  segments: readonly LoadedSegment[]
  bytes: number
}

/** Decoded postings by term. Segments never change, so what is known stays true; the least recently used terms go. */
export class PostingCache {
  readonly #maxBytes: number
  readonly #terms = new Map<string, TermLists>()
  #bytes = 0

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes
  }

  /** The postings of a term in each of these segments. */
  get(term: string, segments: readonly LoadedSegment[]): readonly (Postings | undefined)[] {
    const known = this.#terms.get(term)
    if (known?.segments === segments) {
      // The map is in order of use.
      this.#terms.delete(term)
      this.#terms.set(term, known)
      return known.inOrder
    }
    const lists = this.#read(term, segments, known?.bySegment)
    if (known) this.#forget(term, known)
    this.#terms.set(term, lists)
    this.#bytes += lists.bytes
    for (const [oldest, entry] of this.#terms) {
      if (this.#bytes <= this.#maxBytes || oldest === term) break
      this.#forget(oldest, entry)
    }
    return lists.inOrder
  }

  #forget(term: string, { bytes }: TermLists): void {
    this.#terms.delete(term)
    this.#bytes -= bytes
  }

  #read(
    term: string,
    segments: readonly LoadedSegment[],
    known: ReadonlyMap<number, Postings | undefined> = new Map(),
  ): TermLists {
    const bySegment = new Map<number, Postings | undefined>()
    for (const { segment, words } of segments)
      bySegment.set(segment, known.has(segment) ? known.get(segment) : words.postings(term))
    const inOrder = segments.map(({ segment }) => bySegment.get(segment))
    const bytes = inOrder.reduce((sum, list) => sum + BYTES_PER_LIST + (list?.docs.length ?? 0) * BYTES_PER_ENTRY, 0)
    return { bySegment, inOrder, segments, bytes }
  }
}
