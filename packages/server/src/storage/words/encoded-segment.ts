import { encodeColumns } from '../../search/segments/document-columns.ts'
import type { Segment, WordPart } from '../../search/segments/segment.ts'

/** A segment in the form in which it is stored. Everything is encoded, so that one thread can pass it to another. */
export interface EncodedSegment {
  readonly documents: number
  readonly editions: readonly number[]
  readonly columns: Uint8Array
  readonly parts: readonly WordPart[]
}

export function encodeSegment({ columns, parts }: Segment): EncodedSegment {
  return {
    documents: columns.count,
    editions: columns.runs.map(({ edition }) => edition),
    columns: encodeColumns(columns),
    parts,
  }
}

/** A version of a record that a merge leaves out. */
export interface DroppedVersion {
  readonly edition: number
  readonly number: number
}

export interface MergedSegment {
  /** Undefined if no document is left. */
  readonly output: EncodedSegment | undefined
  readonly dropped: readonly DroppedVersion[]
}

/** The memory of a segment that one thread can transfer to another. */
export function memoryOf(segment: EncodedSegment | undefined): ArrayBuffer[] {
  if (!segment) return []
  const parts = segment.parts.flatMap(({ terms, postings, places }) => [terms, postings, places])
  return [segment.columns, ...parts].map(({ buffer }) => buffer as ArrayBuffer)
}
