import { decodeColumns } from '../../../search/segments/document-columns.ts'
import type { WordPart } from '../../../search/segments/segment.ts'
import type { MergeInput } from '../../../search/segments/segment-merge.ts'
import { encodeTerms, firstTerm, PartTerms } from '../../../search/segments/word-part.ts'
import type { EncodedSegment } from '../../words/encoded-segment.ts'
import type { Session } from '../engine/session.ts'

export const [WRITING, LISTED, REMOVING] = [0, 1, 2]

/** Stores the row of a segment. Call `writeParts` for its words. */
export async function insertSegment(
  session: Session,
  subject: number,
  { segment, age, state }: { segment: number; age: number; state: number },
  { documents, editions, columns, parts }: EncodedSegment,
): Promise<void> {
  const firsts = encodeTerms(parts.map(firstTerm))
  let bytes = 0
  for (const { terms, postings, places } of parts) bytes += terms.length + postings.length + places.length
  const sql = `with inserted as (insert into word_segment
      values (@subject, @segment, @age, @state, @documents, @bytes, @firsts::bytea, @columns::bytea))
    insert into word_segment_edition select distinct @subject::bigint, e, @segment::bigint from unnest(@editions::bigint[]) e`
  await session.run(sql, { subject, segment, age, state, documents, bytes, firsts, columns, editions })
}

/** Stores some parts of a segment's words. */
export async function writeParts(
  session: Session,
  subject: number,
  segment: number,
  parts: readonly WordPart[],
  from: number,
  to: number,
): Promise<void> {
  const some = parts.slice(from, to)
  if (some.length === 0) return
  const sql = `insert into word_part select ?::bigint, ?::bigint, ?::bigint + x.at - 1, x.terms, x.postings, x.places
    from unnest(?::bytea[], ?::bytea[], ?::bytea[]) with ordinality x(terms, postings, places, at)`
  await session.run(
    sql,
    ...[subject, segment, from, some.map(({ terms }) => terms)],
    ...[some.map(({ postings }) => postings), some.map(({ places }) => places)],
  )
}

/** Removes segments that are no longer listed. */
export async function removeSegments(session: Session, subject: number, segments: readonly number[]): Promise<void> {
  for (const table of ['word_part', 'word_segment_edition', 'word_segment'])
    await session.run(`delete from ${table} where subject = ? and segment = any(?::bigint[])`, subject, segments)
}

/** The names of a segment's terms. */
export async function termsOf(session: Session, subject: number, segment: number): Promise<PartTerms[]> {
  const sql = 'select terms from word_part where subject = ? and segment = ? order by part'
  return (await session.column<Uint8Array>(sql, subject, segment)).map((terms) => new PartTerms(terms))
}

/** Reads a whole segment for a merge. */
export async function readSegment(
  session: Session,
  subject: number,
  segment: number,
): Promise<Omit<MergeInput, 'isDead'>> {
  const find = 'select columns from word_segment where subject = ? and segment = ?'
  const [columns] = await session.column<Uint8Array>(find, subject, segment)
  const sql = 'select terms, postings, places from word_part where subject = ? and segment = ? order by part'
  return { columns: decodeColumns(columns!), parts: await session.all<WordPart>(sql, subject, segment) }
}
