import { type DocumentColumns, decodeColumns, encodeColumns } from './document-columns.ts'
import type { IndexSnapshot, ListedSegment } from './index-snapshot.ts'
import { decodePostings, PostingSpace, type Postings } from './postings-codec.ts'
import type { IndexedDocument, Segment } from './segment.ts'
import { buildSegment } from './segment-builder.ts'
import { mergeSegments } from './segment-merge.ts'
import { SegmentWords } from './word-part.ts'

interface Stored {
  readonly segment: number
  readonly age: number
  readonly stored: Segment
  readonly words: SegmentWords
}

/** An index in memory that is written and merged in the same way as in a store. */
export class MemoryIndex implements IndexSnapshot {
  #stored: Stored[] = []
  readonly #dead = new Map<string, number>()
  #next = 1
  #age = 1

  /** Writes a batch of new records, new versions of records, and deletions. */
  write(
    documents: readonly IndexedDocument[],
    removed: readonly Pick<IndexedDocument, 'edition' | 'number'>[] = [],
  ): void {
    const age = this.#age++
    for (const { edition, number } of [...documents, ...removed]) this.#dead.set(`${edition} ${number}`, age)
    if (documents.length > 0) this.#add(buildSegment(documents), age)
  }

  /** Merges some neighbouring segments into one. */
  merge(from: number, to: number): void {
    const parts = this.#stored.slice(from, to)
    if (parts.length === 0) return
    const merged = mergeSegments(
      parts.map((part) => ({ ...part.stored, isDead: (doc: number) => this.#isDead(part, doc) })),
    )
    const rest = this.#stored.slice(to)
    this.#stored = this.#stored.slice(0, from)
    if (merged.columns.count > 0) this.#add(merged, parts.at(-1)!.age)
    this.#stored.push(...rest)
  }

  get count(): number {
    return this.#stored.length
  }

  get segments(): readonly ListedSegment[] {
    return this.#stored.map((part) => {
      const { columns } = part.stored
      const dead = Array.from({ length: columns.count }, (_, doc) => doc).filter((doc) => this.#isDead(part, doc))
      return { segment: part.segment, columns, dead: new Set(dead) }
    })
  }

  postings(term: string, at: number): Postings | undefined {
    const found = this.#stored[at]!.words.find(term)
    return found && amongOthers(found.postings, found.entries, this.#stored[at]!.stored.columns)
  }

  places(term: string, at: number): Uint8Array {
    return this.#stored[at]!.words.find(term)!.places
  }

  termsFrom(prefix: string): Iterable<string> {
    return new Set(this.#stored.flatMap(({ words }) => words.terms.filter((term) => term.startsWith(prefix))))
  }

  #isDead({ age, stored }: Stored, doc: number): boolean {
    const { edition } = stored.columns.runs.find(({ start, end }) => doc >= start && doc < end)!
    return (this.#dead.get(`${edition} ${stored.columns.numbers[doc]}`) ?? 0) > age
  }

  /** Encodes and decodes the segment, so that every test also tests the encoding. */
  #add({ columns, parts }: Segment, age: number): void {
    const stored = { columns: decodeColumns(encodeColumns(columns)), parts }
    this.#stored.push({ segment: this.#next++, age, stored, words: new SegmentWords(parts) })
  }
}

/**
 * Decodes a list between entries of other lists, as in a store. They have the same documents as the list's first and last
 * entry, or the documents beside these, so a reader that goes too far counts them.
 */
function amongOthers(bytes: Uint8Array, entries: number, columns: DocumentColumns): Postings {
  const space = new PostingSpace(entries + 2)
  const before = space.take(1)
  const list = decodePostings(bytes, entries, columns, space)
  const after = space.take(1)
  const distance = entries % 2
  for (const [other, near, step] of [
    [before, list.from, -distance],
    [after, list.to - 1, distance],
  ] as const) {
    space.docs[other] = Math.min(columns.count - 1, Math.max(0, space.docs[near]! + step))
    space.slots[other] = space.slots[near]!
    space.counts[other] = 9
    space.lengths[other] = space.lengths[near]!
  }
  return list
}
