import { type DocumentColumns, decodeColumns, encodeColumns } from '../../../search/segments/document-columns.ts'
import type { Segment, TermBytes } from '../../../search/segments/segment.ts'
import { decodeTerms, encodeTerms, encodeWords, SmallWords } from '../../../search/segments/small-segment.ts'
import type { Handle } from '../engine/database.ts'

export const [WRITING, LISTED, REMOVING] = [0, 1, 2]

/** The words of a segment of up to this many documents are one value in one row. */
export const SMALL_DOCUMENTS = 8192
/** Longer places have a row of their own, so that postings are read without them. */
const MAX_PLACES_BESIDE = 200

/** A segment as it is stored: everything is encoded, so that threads can hand it over. */
export interface EncodedSegment {
  readonly documents: number
  readonly editions: readonly number[]
  readonly columns: Uint8Array
  /** The words of a small segment. */
  readonly words: Uint8Array | undefined
  /** The words of a larger one. */
  readonly terms: readonly string[]
  readonly postings: readonly TermBytes[]
}

export function encodeSegment(segment: Segment): EncodedSegment {
  const { columns, terms, termBytes } = segment
  const isSmall = columns.count <= SMALL_DOCUMENTS
  return {
    documents: columns.count,
    editions: [...new Set(columns.runs.map(({ edition }) => edition))],
    columns: encodeColumns(columns),
    words: isSmall ? encodeWords(segment) : undefined,
    terms: isSmall ? [] : terms,
    postings: isSmall ? [] : terms.map((_, at) => termBytes(at)),
  }
}

/** Stores the row of a segment. Those of a larger one follow with `writePostings`. */
export function insertSegment(
  handle: Handle,
  owner: number,
  age: number,
  state: number,
  { documents, editions, columns, words, terms }: EncodedSegment,
): number {
  const sql = `insert into word_segment (owner, age, state, documents, columns, words)
    values (?, ?, ?, ?, ?, ?) returning segment`
  const { segment } = handle.get<{ segment: number }>(sql, owner, age, state, documents, columns, words ?? null)!
  for (const edition of editions) handle.run('insert into word_segment_edition values (?, ?)', edition, segment)
  if (!words) handle.run('insert into word_segment_terms values (?, ?)', segment, encodeTerms(terms))
  return segment
}

/** Stores the words of a larger segment, from one term to another. */
export function writePostings(
  handle: Handle,
  owner: number,
  segment: number,
  { terms, postings }: EncodedSegment,
  from: number,
  to: number,
): void {
  for (let at = from; at < to; at++) {
    const { entries, documents, postings: bytes, places } = postings[at]!
    const isBeside = places.length <= MAX_PLACES_BESIDE
    handle.run('insert or ignore into word_term values (?, ?)', owner, terms[at])
    handle.run(
      'insert into word_posting values (?, ?, ?, ?, ?, ?, ?)',
      ...[owner, terms[at], segment, entries, documents, bytes, isBeside ? places : null],
    )
    if (!isBeside) handle.run('insert into word_place values (?, ?, ?, ?)', owner, terms[at], segment, places)
  }
}

/** Removes some words of a segment that is no longer listed. Returns how many terms are left. */
export function removePostings(handle: Handle, owner: number, segment: number, max: number): number {
  const [bytes] = handle.column<Uint8Array>('select terms from word_segment_terms where segment = ?', segment)
  if (!bytes) return 0
  const terms = decodeTerms(bytes)
  const removed = terms.slice(0, max)
  for (const term of removed) {
    handle.run('delete from word_posting where owner = ? and term = ? and segment = ?', owner, term, segment)
    handle.run('delete from word_place where owner = ? and term = ? and segment = ?', owner, term, segment)
    handle.run(
      `delete from word_term where owner = ?1 and term = ?2
        and not exists (select 1 from word_posting where owner = ?1 and term = ?2)`,
      { 1: owner, 2: term },
    )
  }
  const left = terms.slice(max)
  handle.run('update word_segment_terms set terms = ? where segment = ?', encodeTerms(left), segment)
  return left.length
}

export function removeSegmentRow(handle: Handle, segment: number): void {
  for (const table of ['word_segment_edition', 'word_segment_terms', 'word_segment'])
    handle.run(`delete from ${table} where segment = ?`, segment)
}

/** Reads a segment term by term, to merge it. */
export function readSegment(handle: Handle, owner: number, segment: number): Segment & { columns: DocumentColumns } {
  const row = handle.get<{ columns: Uint8Array; words: Uint8Array | null }>(
    'select columns, words from word_segment where segment = ?',
    segment,
  )!
  const columns = decodeColumns(row.columns)
  if (row.words) {
    const { terms, termBytes } = new SmallWords(row.words)
    return { columns, terms, termBytes }
  }
  const [bytes] = handle.column<Uint8Array>('select terms from word_segment_terms where segment = ?', segment)
  const terms = decodeTerms(bytes!)
  const sql = `select entries, documents, postings, coalesce(p.places, l.places) places from word_posting p
    left join word_place l using (owner, term, segment) where p.owner = ? and p.term = ? and p.segment = ?`
  return {
    columns,
    terms,
    termBytes: (at) => handle.get<TermBytes & Record<string, unknown>>(sql, owner, terms[at], segment)!,
  }
}
