import type { DocumentColumns } from './document-columns.ts'
import { mergeDocuments } from './document-merge.ts'
import { PartWriter } from './part-writer.ts'
import type { Segment, WordPart } from './segment.ts'
import { compareTerms, TermCursor } from './term-cursor.ts'
import { TermEntries } from './term-entries.ts'

export interface MergeInput {
  readonly columns: DocumentColumns
  readonly parts: Iterable<WordPart>
  /** True for documents that were replaced or deleted, or whose edition was dropped. They are left out. */
  isDead(doc: number): boolean
}

/** Merges segments into one. The result equals a segment that was built from all living documents at once. */
export function mergeSegments(inputs: readonly MergeInput[]): Segment {
  const { columns, renumbered } = mergeDocuments(inputs)
  return { columns, parts: new TermMerge(inputs, renumbered).run() }
}

/**
 * Goes through the terms of all inputs in order, and copies the entries of each term with the new numbers of their
 * documents.
 */
class TermMerge {
  readonly #writer = new PartWriter()
  readonly #entries = new TermEntries()
  readonly #renumbered: readonly Int32Array[]
  #heads: TermCursor[]
  /** The cursors at the current term are at the beginning. */
  readonly #same: TermCursor[]

  constructor(inputs: readonly MergeInput[], renumbered: readonly Int32Array[]) {
    this.#renumbered = renumbered
    this.#heads = inputs.map(({ parts }, at) => new TermCursor(parts, at)).filter((head) => head.next())
    this.#same = [...this.#heads]
  }

  run(): WordPart[] {
    while (this.#heads.length > 0) this.#mergeTerm(findFirst(this.#heads, this.#same))
    return this.#writer.finish()
  }

  #mergeTerm(count: number): void {
    const same = this.#same
    for (let at = 0; at < count; at++) this.#entries.add(same[at]!, this.#renumbered[same[at]!.input]!)
    const { terms, nameFrom, nameTo } = same[0]!
    this.#writer.endTerm(this.#entries.write(this.#writer), terms, nameFrom, nameTo)
    let isAtEnd = false
    for (let at = 0; at < count; at++) if (!same[at]!.next()) isAtEnd = true
    if (isAtEnd) this.#heads = this.#heads.filter((head) => !head.isAtEnd)
  }
}

/**
 * Finds the cursors that are at the first of all terms, and puts them at the beginning of `same`. Returns their number.
 * Most terms are in most inputs, so comparing all of them is fast enough.
 */
function findFirst(heads: readonly TermCursor[], same: TermCursor[]): number {
  let first = heads[0]!
  let count = 1
  same[0] = first
  for (let at = 1; at < heads.length; at++) {
    const head = heads[at]!
    const order = compareTerms(head, first)
    if (order > 0) continue
    if (order < 0) {
      first = head
      count = 0
    }
    same[count++] = head
  }
  return count
}
