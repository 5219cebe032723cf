import type { IndexSnapshot, ListedSegment } from '../../packages/server/src/search/segments/index-snapshot.ts'
import { decodePostings, type Postings } from '../../packages/server/src/search/segments/postings-codec.ts'
import { type IndexedDocument, MAX_DOCUMENTS } from '../../packages/server/src/search/segments/segment.ts'
import { buildSegment } from '../../packages/server/src/search/segments/segment-builder.ts'
import { SegmentWords } from '../../packages/server/src/search/segments/word-part.ts'

/** A word index in memory. It keeps decoded postings, as a reader thread of the server does. */
export class MemorySnapshot implements IndexSnapshot {
  readonly #words: SegmentWords[] = []
  readonly #positions: Map<string, number>[] = []
  readonly #postings = new Map<string, (Postings | undefined)[]>()
  readonly #terms: string[]
  readonly segments: readonly ListedSegment[]

  constructor(documents: readonly IndexedDocument[]) {
    const segments: ListedSegment[] = []
    for (let from = 0; from < documents.length; from += MAX_DOCUMENTS) {
      const { columns, parts } = buildSegment(documents.slice(from, from + MAX_DOCUMENTS))
      segments.push({ segment: segments.length, columns, dead: new Set<number>() })
      this.#words.push(new SegmentWords(parts))
    }
    for (const { terms } of this.#words) this.#positions.push(new Map(terms.map((term, at) => [term, at])))
    this.#terms = [...new Set(this.#words.flatMap(({ terms }) => terms))].sort((a, b) => (a < b ? -1 : 1))
    this.segments = segments
  }

  postings(term: string, at: number): Postings | undefined {
    let lists = this.#postings.get(term)
    if (!lists) {
      lists = this.#words.map((segment, index) => {
        const position = this.#positions[index]!.get(term)
        const found = position === undefined ? undefined : segment.termBytes(position)
        return found && decodePostings(found.postings, found.entries, this.segments[index]!.columns)
      })
      this.#postings.set(term, lists)
    }
    return lists[at]
  }

  places(term: string, at: number): Uint8Array {
    return this.#words[at]!.termBytes(this.#positions[at]!.get(term)!).places
  }

  *termsFrom(prefix: string): Iterable<string> {
    let [low, high] = [0, this.#terms.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#terms[middle]! < prefix) low = middle + 1
      else high = middle
    }
    for (; this.#terms[low]?.startsWith(prefix); low++) yield this.#terms[low]!
  }
}
