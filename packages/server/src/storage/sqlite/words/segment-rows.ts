import { decodeColumns } from '../../../search/segments/document-columns.ts'
import type { WordPart } from '../../../search/segments/segment.ts'
import type { MergeInput } from '../../../search/segments/segment-merge.ts'
import { decodeTerms, encodeTerms, firstTerm } from '../../../search/segments/word-part.ts'
import type { EncodedSegment } from '../../words/encoded-segment.ts'
import type { Handle } from '../engine/database.ts'

export const [WRITING, LISTED, REMOVING] = [0, 1, 2]

/** The id of a part is the number of its segment times this, plus its position. */
const MAX_PARTS = 65_536

/** Stores the row of a segment. Call `writeParts` for its words. */
export function insertSegment(
  handle: Handle,
  owner: number,
  age: number,
  state: number,
  { documents, editions, columns, parts }: EncodedSegment,
): number {
  const sql = `insert into word_segment (owner, age, state, documents, bytes, parts, columns)
    values (?, ?, ?, ?, ?, ?, ?) returning segment`
  const firsts = encodeTerms(parts.map(firstTerm))
  let bytes = 0
  for (const { terms, postings, places } of parts) bytes += terms.length + postings.length + places.length
  const { segment } = handle.get<{ segment: number }>(sql, owner, age, state, documents, bytes, firsts, columns)!
  for (const edition of editions) handle.run('insert into word_segment_edition values (?, ?)', edition, segment)
  return segment
}

/** Stores some parts of a segment's words. */
export function writeParts(
  handle: Handle,
  segment: number,
  parts: readonly WordPart[],
  from: number,
  to: number,
): void {
  for (let at = from; at < to; at++) {
    const { terms, postings, places } = parts[at]!
    handle.run('insert into word_part values (?, ?, ?, ?)', segment * MAX_PARTS + at, terms, postings, places)
  }
}

/** Removes some parts of a segment that is no longer listed. Returns their number. */
export function removeParts(handle: Handle, segment: number, max: number): number {
  const sql = 'delete from word_part where id in (select id from word_part where id >= ? and id < ? limit ?)'
  return handle.run(sql, segment * MAX_PARTS, (segment + 1) * MAX_PARTS, max)
}

export function removeSegmentRow(handle: Handle, segment: number): void {
  for (const table of ['word_segment_edition', 'word_segment'])
    handle.run(`delete from ${table} where segment = ?`, segment)
}

/** Reads a segment part by part for a merge. */
export function readSegment(handle: Handle, segment: number): Omit<MergeInput, 'isDead'> {
  const [row] = handle.tuples<[Uint8Array, Uint8Array]>(
    'select parts, columns from word_segment where segment = ?',
    segment,
  )
  return { columns: decodeColumns(row![1]), parts: readParts(handle, segment, decodeTerms(row![0]).length) }
}

function* readParts(handle: Handle, segment: number, count: number): Generator<WordPart> {
  for (let at = 0; at < count; at++)
    yield handle.get<WordPart & Record<string, unknown>>(
      'select terms, postings, places from word_part where id = ?',
      segment * MAX_PARTS + at,
    )!
}

/** The first terms of a segment's parts, and its columns unless this thread already has them. */
export function readSegmentRow(
  handle: Handle,
  segment: number,
  withColumns: boolean,
): { firsts: readonly string[]; columns: Uint8Array | undefined } {
  const sql = `select parts${withColumns ? ', columns' : ''} from word_segment where segment = ?`
  const [row] = handle.tuples<[Uint8Array, Uint8Array | undefined]>(sql, segment)
  return { firsts: decodeTerms(row![0]), columns: row![1] }
}

export const partTerms = (handle: Handle, segment: number, part: number): Uint8Array =>
  handle.column<Uint8Array>('select terms from word_part where id = ?', segment * MAX_PARTS + part)[0]!

/** Some bytes of a part's postings or places. */
export function partBytes(
  handle: Handle,
  column: 'postings' | 'places',
  segment: number,
  part: number,
  from: number,
  to: number,
): Uint8Array {
  const sql = `select substr(${column}, ?, ?) from word_part where id = ?`
  return handle.column<Uint8Array>(sql, from + 1, to - from, segment * MAX_PARTS + part)[0]!
}
