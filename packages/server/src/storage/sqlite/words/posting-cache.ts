import {
  copyPostings,
  decodePostings,
  entriesIn,
  PostingSpace,
  type Postings,
} from '../../../search/segments/postings-codec.ts'
import { BYTES_PER_ENTRY, BYTES_PER_LIST, BYTES_PER_SHARED_LIST, CACHE_BYTES } from '../../cache-limits.ts'
import type { LoadedSegment } from './loaded-segment.ts'

/** After making room, this share of the limit is still in use. */
const ROOM = 0.9
/** Lists with more entries have arrays of their own, so that each can be dropped when its segment is gone. */
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
    const added = known && addedSince(known.segments, numbers)
    const lists = added === undefined ? readLists(term, segments, known) : extended(term, known!.lists, segments)
    const [of, start] = added === undefined ? [lists, BYTES_PER_LIST] : [lists.slice(-added), known!.bytes]
    const bytes = of.reduce((sum, list) => sum + (list ? bytesOf(list) : 0), start)
    if (known) this.#bytes -= known.bytes
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

/** How many segments are new, if all others are known and come before them. Usual after a write. */
function addedSince(known: readonly number[], numbers: readonly number[]): number | undefined {
  for (let at = 0; at < known.length; at++) if (known[at] !== numbers[at]) return
  return numbers.length > known.length ? numbers.length - known.length : undefined
}

/** Reads only the lists of the new segments. Most of these do not have the term. */
function extended(term: string, known: Lists, segments: readonly LoadedSegment[]): Lists {
  const added = readLists(term, segments.slice(known.length), undefined)
  return [...known, ...added]
}

const bytesOf = (list: Postings): number =>
  (isShared(entriesIn(list)) ? BYTES_PER_SHARED_LIST : BYTES_PER_LIST) + entriesIn(list) * BYTES_PER_ENTRY

const isShared = (entries: number): boolean => entries <= MAX_SHARED

/** Reads the lists of those segments that are not known yet. */
function readLists(term: string, segments: readonly LoadedSegment[], known: TermLists | undefined): Lists {
  const before = known ? keptLists(known, segments) : undefined
  const read = segments.map(({ segment, words }) =>
    before?.has(segment) ? { list: before.get(segment) } : { encoded: words.postings(term) },
  )
  // The arrays of short lists are freed together. So if a segment is gone, the other lists move to new arrays.
  const isMoved = before !== undefined && before.size < known!.segments.length
  const sizes = read.map(({ list, encoded }) => (list && isMoved ? entriesIn(list) : (encoded?.entries ?? 0)))
  const space = new PostingSpace(sizes.reduce((sum, size) => sum + (isShared(size) ? size : 0), 0))
  return read.map(({ list, encoded }, at) => {
    const shared = isShared(sizes[at]!) ? space : undefined
    if (encoded) return decodePostings(encoded.bytes, encoded.entries, segments[at]!.columns, shared)
    return list && isMoved && shared ? copyPostings(list, shared) : list
  })
}

/** The known lists of segments that still exist. Both lists of segments have the same order. */
function keptLists(
  { segments: numbers, lists }: TermLists,
  segments: readonly LoadedSegment[],
): Map<number, Lists[number]> {
  const kept = new Map<number, Lists[number]>()
  let at = 0
  for (const { segment } of segments) {
    const found = numbers[at] === segment ? at : numbers.indexOf(segment)
    if (found < 0) continue
    kept.set(segment, lists[found])
    at = found + 1
  }
  return kept
}
