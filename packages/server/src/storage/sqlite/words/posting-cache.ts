import type { Postings } from '../../../search/segments/postings-codec.ts'
import type { LoadedSegment } from './loaded-segment.ts'

/** Max. bytes of decoded postings that one thread caches. */
const MAX_BYTES = 48 * 1024 * 1024
const BYTES_PER_ENTRY = 5
const BYTES_PER_LIST = 200
/** After making room, this share of the limit is still in use. */
const ROOM = 0.9

interface TermLists {
  /** The known lists by segment. Undefined if the segment does not have the term. */
  readonly bySegment: Map<number, Postings | undefined>
  /** The same lists in the order of the segments. Valid while the segments are the same. */
  inOrder: readonly (Postings | undefined)[]
  segments: readonly LoadedSegment[]
  bytes: number
  /** Grows with each use. */
  used: number
}

/**
 * Caches decoded postings by term. Segments never change, so cached lists stay valid. The least recently used terms are
 * dropped.
 */
export class PostingCache {
  readonly #maxBytes: number
  readonly #terms = new Map<string, TermLists>()
  #bytes = 0
  #uses = 0

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes
  }

  /** The postings of a term in each of these segments. */
  get(term: string, segments: readonly LoadedSegment[]): readonly (Postings | undefined)[] {
    const known = this.#terms.get(term)
    if (known?.segments === segments) {
      known.used = ++this.#uses
      return known.inOrder
    }
    const lists = this.#read(term, segments, known?.bySegment)
    if (known) this.#forget(term, known)
    this.#terms.set(term, lists)
    this.#bytes += lists.bytes
    if (this.#bytes > this.#maxBytes) this.#makeRoom(term)
    return lists.inOrder
  }

  /** Drops more than necessary, so that it need not run for every list. */
  #makeRoom(kept: string): void {
    const oldest = [...this.#terms].sort(([, a], [, b]) => a.used - b.used)
    for (const [term, entry] of oldest) {
      if (this.#bytes <= this.#maxBytes * ROOM) break
      if (term !== kept) this.#forget(term, entry)
    }
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
    for (const { segment, words, columns } of segments)
      bySegment.set(segment, known.has(segment) ? known.get(segment) : words.postings(term, columns))
    const inOrder = segments.map(({ segment }) => bySegment.get(segment))
    const bytes = inOrder.reduce((sum, list) => sum + BYTES_PER_LIST + (list?.docs.length ?? 0) * BYTES_PER_ENTRY, 0)
    return { bySegment, inOrder, segments, bytes, used: ++this.#uses }
  }
}
