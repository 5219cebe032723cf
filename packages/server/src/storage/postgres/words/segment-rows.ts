import { type DocumentColumns, decodeColumns } from '../../../search/segments/document-columns.ts'
import type { Segment, TermBytes } from '../../../search/segments/segment.ts'
import { decodeTerms, encodeTerms, SmallWords } from '../../../search/segments/small-segment.ts'
import type { EncodedSegment } from '../../sqlite/words/segment-rows.ts'
import type { Session } from '../engine/session.ts'

export const [WRITING, LISTED, REMOVING] = [0, 1, 2]

/** Longer places have a row of their own, so that postings are read without them. */
const MAX_PLACES_BESIDE = 200

/** Stores the row of a segment. Those of a larger one follow with `writePostings`. */
export async function insertSegment(
  session: Session,
  subject: number,
  { segment, age, state }: { segment: number; age: number; state: number },
  { documents, editions, columns, words, terms }: EncodedSegment,
): Promise<void> {
  const sql = `with inserted as (insert into word_segment
      values (@subject, @segment, @age, @state, @documents, @columns::bytea, @words::bytea))
    insert into word_segment_edition select @subject, *, @segment from unnest(@editions::bigint[])`
  await session.run(sql, { subject, segment, age, state, documents, columns, words: words ?? null, editions })
  if (!words) await session.run('insert into word_segment_terms values (?, ?, ?)', subject, segment, encodeTerms(terms))
}

/** Stores the words of a larger segment, from one term to another. */
export async function writePostings(
  session: Session,
  subject: number,
  segment: number,
  { terms, postings }: EncodedSegment,
  from: number,
  to: number,
): Promise<void> {
  const rows = terms.slice(from, to).map((term, at) => ({ term, ...postings[from + at]! }))
  const texts = rows.map(({ term }) => term)
  await session.run(
    'insert into word_term select ?, * from unnest(?::text[]) order by 2 on conflict do nothing',
    ...[subject, texts],
  )
  const places = rows.map((row) => (row.places.length <= MAX_PLACES_BESIDE ? row.places : null))
  await session.run(
    `insert into word_posting select ?, x.term, ?, x.entries, x.documents, x.postings, x.places
      from unnest(?::text[], ?::bigint[], ?::bigint[], ?::bytea[], ?::bytea[]) x(term, entries, documents, postings, places)`,
    ...[subject, segment, texts, rows.map(({ entries }) => entries), rows.map(({ documents }) => documents)],
    ...[rows.map((row) => row.postings), places],
  )
  const apart = rows.filter((row) => row.places.length > MAX_PLACES_BESIDE)
  if (apart.length > 0)
    await session.run(
      'insert into word_place select ?, x.term, ?, x.places from unnest(?::text[], ?::bytea[]) x(term, places)',
      ...[subject, segment, apart.map(({ term }) => term), apart.map((row) => row.places)],
    )
}

/** Removes some words of a segment that is no longer listed. Returns how many terms are left. */
export async function removePostings(session: Session, subject: number, segment: number, max: number): Promise<number> {
  const sql = 'select terms from word_segment_terms where subject = ? and segment = ? for update'
  const [bytes] = await session.column<Uint8Array>(sql, subject, segment)
  if (!bytes) return 0
  const terms = decodeTerms(bytes)
  const removed = terms.slice(0, max)
  for (const table of ['word_posting', 'word_place'])
    await session.run(
      `delete from ${table} where subject = ? and term = any(?::text[]) and segment = ?`,
      ...[subject, removed, segment],
    )
  await session.run(
    `delete from word_term t where t.subject = ? and t.term = any(?::text[])
      and not exists (select 1 from word_posting p where p.subject = t.subject and p.term = t.term)`,
    ...[subject, removed],
  )
  const left = terms.slice(max)
  const save = 'update word_segment_terms set terms = ? where subject = ? and segment = ?'
  await session.run(save, encodeTerms(left), subject, segment)
  return left.length
}

export async function removeSegmentRow(session: Session, subject: number, segment: number): Promise<void> {
  for (const table of ['word_segment_edition', 'word_segment_terms', 'word_segment'])
    await session.run(`delete from ${table} where subject = ? and segment = ?`, subject, segment)
}

/** Reads a whole segment, to merge it. */
export async function readSegment(
  session: Session,
  subject: number,
  segment: number,
): Promise<Segment & { columns: DocumentColumns }> {
  const find = 'select columns, words from word_segment where subject = ? and segment = ?'
  const row = (await session.get<{ columns: Uint8Array; words: Uint8Array | null }>(find, subject, segment))!
  const columns = decodeColumns(row.columns)
  if (row.words) {
    const { terms, termBytes } = new SmallWords(row.words)
    return { columns, terms, termBytes }
  }
  const list = 'select terms from word_segment_terms where subject = ? and segment = ?'
  const [bytes] = await session.column<Uint8Array>(list, subject, segment)
  const terms = decodeTerms(bytes!)
  const sql = `select p.term, p.entries, p.documents, p.postings, coalesce(p.places, l.places) places from word_posting p
    left join word_place l using (subject, term, segment) where p.subject = ? and p.segment = ? and p.term = any(?::text[])`
  const byTerm = new Map<string, TermBytes>()
  for (let from = 0; from < terms.length; from += TERMS_AT_ONCE) {
    const some = terms.slice(from, from + TERMS_AT_ONCE)
    for (const { term, ...found } of await session.all<TermBytes & { term: string }>(sql, subject, segment, some))
      byTerm.set(term, found)
  }
  return { columns, terms, termBytes: (at) => byTerm.get(terms[at]!)! }
}

const TERMS_AT_ONCE = 5000
