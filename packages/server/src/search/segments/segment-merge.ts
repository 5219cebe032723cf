import type { DocumentColumns } from './document-columns.ts'
import { mergeDocuments } from './document-merge.ts'
import { PartWriter } from './part-writer.ts'
import { skipPlaces } from './places-codec.ts'
import { COUNT_OF, OTHER_PATTERN, SLOT_OF } from './postings-codec.ts'
import type { Segment, WordPart } from './segment.ts'
import { TermCursor } from './term-cursor.ts'

export interface MergeInput {
  readonly columns: DocumentColumns
  readonly parts: Iterable<WordPart>
  /** True for documents that were replaced or deleted, or whose edition was dropped. They are left out. */
  isDead(doc: number): boolean
}

const FEW = 24

/** Merges segments into one. The result equals a segment that was built from all living documents at once. */
export function mergeSegments(inputs: readonly MergeInput[]): Segment {
  const { columns, renumbered } = mergeDocuments(inputs)
  return { columns, parts: new TermMerge(columns.count, renumbered).run(inputs) }
}

function firstTermOf(heads: readonly TermCursor[]): string {
  let { term } = heads[0]!
  for (let at = 1; at < heads.length; at++) if (heads[at]!.term < term) term = heads[at]!.term
  return term
}

/** Insertion sort, which is the fastest for a few numbers. */
function sortFew(list: Uint32Array, count: number): void {
  for (let at = 1; at < count; at++) {
    const value = list[at]!
    let to = at
    for (; to > 0 && list[to - 1]! > value; to--) list[to] = list[to - 1]!
    list[to] = value
  }
}

/**
 * Goes through the terms of all inputs in order, and copies the entries of each term with the new numbers of their
 * documents.
 */
class TermMerge {
  readonly #writer = new PartWriter()
  readonly #renumbered: readonly Int32Array[]
  /** The entries of the current term: the new number of the document, and the position of the bytes of its places. */
  #count = 0
  #docs = new Uint32Array(1024)
  #slots = new Uint8Array(1024)
  #counts = new Uint8Array(1024)
  #from = new Uint32Array(1024)
  #to = new Uint32Array(1024)
  #places = new Uint16Array(1024)
  /** For each new document the position of its first entry. `#found` are the documents to sort. */
  readonly #firstOf: Uint32Array
  readonly #found: Uint32Array

  constructor(documents: number, renumbered: readonly Int32Array[]) {
    this.#renumbered = renumbered
    this.#firstOf = new Uint32Array(documents)
    this.#found = new Uint32Array(documents)
  }

  run(inputs: readonly MergeInput[]): WordPart[] {
    let heads = inputs.map(({ parts }, at) => new TermCursor(parts, at)).filter((head) => head.next())
    while (heads.length > 0) {
      const term = firstTermOf(heads)
      this.#count = 0
      const places: Uint8Array[] = []
      let isAtEnd = false
      // Most terms are in most inputs, so checking all inputs for each term is fast enough.
      for (const head of heads) {
        if (head.term !== term) continue
        this.#collect(head, places.push(head.places) - 1)
        if (!head.next()) isAtEnd = true
      }
      this.#copyAll(places)
      this.#writer.endTerm(term)
      if (isAtEnd) heads = heads.filter((head) => !head.isAtEnd)
    }
    return this.#writer.finish()
  }

  #collect({ input, postings, postingsFrom, places, placesFrom, entries }: TermCursor, source: number): void {
    this.#fit(this.#count + entries)
    const renumbered = this.#renumbered[input]!
    let [at, place, doc, to] = [postingsFrom, placesFrom, -1, this.#count]
    for (let entry = 0; entry < entries; entry++) {
      let byte = postings[at++]!
      let value = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = postings[at++]!
        value |= (byte & 127) << shift
      }
      doc += value >> 3
      const code = value & 7
      let [slot, count] = [0, 0]
      if (code < OTHER_PATTERN) {
        slot = SLOT_OF[code]!
        count = COUNT_OF[code]!
      } else {
        slot = postings[at++]!
        count = postings[at++]!
      }
      const from = place
      if (count === 1 && places[place]! < 128) place++
      else place = skipPlaces(places, place, count)
      const renamed = renumbered[doc]!
      if (renamed < 0) continue
      this.#docs[to] = renamed
      this.#slots[to] = slot
      this.#counts[to] = count
      this.#from[to] = from
      this.#to[to] = place
      this.#places[to++] = source
    }
    this.#count = to
  }

  /**
   * Copies the entries in the order of the new documents. All entries of one document come from one input and are next
   * to each other.
   */
  #copyAll(places: readonly Uint8Array[]): void {
    const [docs, count] = [this.#docs, this.#count]
    let isSorted = true
    for (let at = 1; isSorted && at < count; at++) isSorted = docs[at]! >= docs[at - 1]!
    if (isSorted) {
      for (let at = 0; at < count; at++) this.#copy(places, at)
      return
    }
    let found = 0
    for (let at = 0; at < count; at++) {
      if (at > 0 && docs[at] === docs[at - 1]) continue
      this.#firstOf[docs[at]!] = at
      this.#found[found++] = docs[at]!
    }
    // Sorting numbers without a comparison function takes a tenth of the time.
    if (found <= FEW) sortFew(this.#found, found)
    else this.#found.subarray(0, found).sort()
    for (let index = 0; index < found; index++) {
      const doc = this.#found[index]!
      for (let at = this.#firstOf[doc]!; at < count && docs[at] === doc; at++) this.#copy(places, at)
    }
  }

  #copy(places: readonly Uint8Array[], at: number): void {
    const bytes = places[this.#places[at]!]!
    this.#writer.copy(this.#docs[at]!, this.#slots[at]!, this.#counts[at]!, bytes, this.#from[at]!, this.#to[at]!)
  }

  #fit(length: number): void {
    if (length <= this.#docs.length) return
    const size = length * 2
    const grown = <T extends Uint8Array | Uint16Array | Uint32Array>(old: T, larger: T): T => {
      larger.set(old)
      return larger
    }
    this.#docs = grown(this.#docs, new Uint32Array(size))
    this.#slots = grown(this.#slots, new Uint8Array(size))
    this.#counts = grown(this.#counts, new Uint8Array(size))
    this.#from = grown(this.#from, new Uint32Array(size))
    this.#to = grown(this.#to, new Uint32Array(size))
    this.#places = grown(this.#places, new Uint16Array(size))
  }
}
