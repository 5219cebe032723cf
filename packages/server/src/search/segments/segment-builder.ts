import { columnsOf, type DocumentColumns, RunBuilder } from './document-columns.ts'
import { groupHash } from './group-hash.ts'
import { lengthCode } from './length-code.ts'
import { Occurrences } from './occurrences.ts'
import type { IndexedDocument, Segment } from './segment.ts'

interface Placed {
  readonly document: IndexedDocument
  readonly edition: number
  readonly group: number
  readonly time: number
  readonly number: number
}

/** The members that determine the order of documents in a segment. */
export type DocumentOrder = Omit<Placed, 'document'>

/** Reused, because it remembers the words of earlier segments. */
const occurrences = new Occurrences()

/**
 * Builds a segment from these documents. Every document has a text for each slot of its edition, which may be empty.
 */
export function buildSegment(documents: readonly IndexedDocument[]): Segment {
  const ordered = documents
    .map((document): Placed => {
      const { edition, number, times, group } = document
      return { document, edition, group: groupHash(edition, group), time: times[0], number }
    })
    .sort(inOrder)
  const columns = layOut(ordered)
  occurrences.begin()
  let length = 0
  for (let doc = 0; doc < ordered.length; doc++)
    length = addTexts(doc, ordered[doc]!.document.texts, columns.lengths, length)
  return { columns, parts: occurrences.finish() }
}

/** A function of its own, because V8 would optimise a loop inside another one only to leave it again each time. */
function addTexts(doc: number, texts: readonly string[], lengths: Uint8Array, from: number): number {
  for (let slot = 0; slot < texts.length; slot++)
    lengths[from + slot] = lengthCode(occurrences.add(doc, slot, texts[slot]!))
  return from + texts.length
}

/** Two records without a time are equal, although the difference of their times is NaN. */
export function inOrder(a: DocumentOrder, b: DocumentOrder): number {
  return a.edition - b.edition || a.group - b.group || (a.time === b.time ? 0 : a.time - b.time) || a.number - b.number
}

function layOut(ordered: readonly Placed[]): DocumentColumns {
  const runs = new RunBuilder()
  const starts: number[] = []
  for (let doc = 0; doc < ordered.length; doc++) {
    const { edition, group, document } = ordered[doc]!
    const before = ordered[doc - 1]
    runs.add(edition, document.texts.length)
    if (before?.edition !== edition || before.group !== group) starts.push(doc)
  }
  const columns = columnsOf(ordered.length, runs.finish(), starts.length)
  for (let doc = 0; doc < ordered.length; doc++) {
    const { number, document } = ordered[doc]!
    columns.numbers[doc] = number
    columns.times[0][doc] = document.times[0]
    columns.times[1][doc] = document.times[1]
  }
  columns.groupStarts.set([...starts, ordered.length])
  columns.groups.set(starts.map((doc) => ordered[doc]!.group))
  return columns
}
