import { copyPostings, decodePostings, PostingSpace, type Postings } from '../../../search/segments/postings-codec.ts'
import { BYTES_PER_ENTRY, BYTES_PER_LIST, CACHE_BYTES } from '../../cache-limits.ts'
import type { LoadedSegment } from './loaded-segment.ts'

/** After making room, this share of the limit is still in use. */
const ROOM = 0.9
/** Lists with more entries have memory of their own, so that each can be dropped when its segment is gone. */
const MAX_SHARED = 1024

type Lists = readonly (Postings | undefined)[]

interface TermLists {
  /** In the order of the segments. Undefined if a segment does not have the term. */
  readonly lists: Lists
  /** The numbers of these segments. The segments themselves may be gone, and a cache must not keep their documents. */
  readonly segments: readonly number[]
  readonly bytes: number
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

  constructor(maxBytes: number = CACHE_BYTES.postings) {
    this.#maxBytes = maxBytes
  }

  /** The postings of a term in each of these segments, which `numbers` lists. */
  get(term: string, segments: readonly LoadedSegment[], numbers: readonly number[]): Lists {
    const known = this.#terms.get(term)
    if (known?.segments === numbers) {
      known.used = ++this.#uses
      return known.lists
    }
    const lists = readLists(term, segments, known)
    if (known) this.#forget(term, known)
    const bytes = lists.reduce((sum, list) => sum + (list ? bytesOf(list) : 0), BYTES_PER_LIST)
    this.#terms.set(term, { lists, segments: numbers, bytes, used: ++this.#uses })
    this.#bytes += bytes
    if (this.#bytes > this.#maxBytes) this.#makeRoom(term)
    return lists
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
}

const bytesOf = ({ docs }: Postings): number => BYTES_PER_LIST + docs.length * BYTES_PER_ENTRY

/** Reads the lists of those segments that are not known yet. */
function readLists(term: string, segments: readonly LoadedSegment[], known: TermLists | undefined): Lists {
  const before = new Map(known?.segments.map((segment, at) => [segment, known.lists[at]]))
  const read = segments.map(({ segment, words }) =>
    before.has(segment) ? { list: before.get(segment) } : { encoded: words.postings(term) },
  )
  const sizes = read.map(({ list, encoded }) => list?.docs.length ?? encoded?.entries ?? 0)
  const space = new PostingSpace(sizes.reduce((sum, size) => sum + (size <= MAX_SHARED ? size : 0), 0))
  return read.map(({ list, encoded }, at) => {
    const shared = sizes[at]! <= MAX_SHARED ? space : undefined
    if (encoded) return decodePostings(encoded.bytes, encoded.entries, segments[at]!.columns, shared)
    // The memory of a short list was shared with lists that may be gone.
    return list && shared ? copyPostings(list, shared) : list
  })
}
