import { decodePostings, type Postings } from '../../../search/segments/postings-codec.ts'
import type { Handle } from '../engine/database.ts'
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

/**
 * Decoded postings by term. Segments never change, so what is known stays true. Terms that were not used for a while
 * go: when the young generation takes half of the bytes, the old one is dropped. A search asks for every form of its
 * words in every segment, so finding a term must change nothing.
 */
export class PostingCache {
  readonly #handle: Handle
  readonly #owner: number
  readonly #maxBytes: number
  #young = new Map<string, TermLists>()
  #old = new Map<string, TermLists>()
  /** Size of the young generation. */
  #bytes = 0

  constructor(handle: Handle, owner: number, maxBytes = MAX_BYTES) {
    this.#handle = handle
    this.#owner = owner
    this.#maxBytes = maxBytes
  }

  /** The postings of a term in each of these segments. */
  get(term: string, segments: readonly LoadedSegment[]): readonly (Postings | undefined)[] {
    const young = this.#young.get(term)
    if (young?.segments === segments) return young.inOrder
    const known = young ?? this.#old.get(term)
    const lists = known?.segments === segments ? known : this.#read(term, segments, known?.bySegment)
    this.#old.delete(term)
    this.#bytes += lists.bytes - (young?.bytes ?? 0)
    this.#young.set(term, lists)
    if (this.#bytes > this.#maxBytes / 2) {
      this.#old = this.#young
      this.#young = new Map()
      this.#bytes = 0
    }
    return lists.inOrder
  }

  #read(
    term: string,
    segments: readonly LoadedSegment[],
    known: ReadonlyMap<number, Postings | undefined> = new Map(),
  ): TermLists {
    const bySegment = new Map<number, Postings | undefined>()
    let isStored = false
    for (const { segment, small } of segments) {
      if (known.has(segment)) bySegment.set(segment, known.get(segment))
      else if (small) {
        const found = small.find(term)
        bySegment.set(segment, found && decodePostings(found.postings, found.entries))
      } else isStored = true
    }
    if (isStored) this.#readRows(term, bySegment)
    const inOrder = segments.map(({ segment }) => bySegment.get(segment))
    const bytes = inOrder.reduce((sum, list) => sum + BYTES_PER_LIST + (list?.docs.length ?? 0) * BYTES_PER_ENTRY, 0)
    return { bySegment, inOrder, segments, bytes }
  }

  #readRows(term: string, bySegment: Map<number, Postings | undefined>): void {
    const sql = 'select segment, entries, postings from word_posting where owner = ? and term = ?'
    for (const [segment, entries, bytes] of this.#handle.tuples<[number, number, Uint8Array]>(sql, this.#owner, term))
      if (!bySegment.has(segment)) bySegment.set(segment, decodePostings(bytes, entries))
  }
}
