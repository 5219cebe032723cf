import { mergeSegments } from '../../../../search/segments/segment-merge.ts'
import { eachDead } from '../../../words/dead-records.ts'
import { type DroppedVersion, encodeSegment, type MergedSegment } from '../../../words/encoded-segment.ts'
import type { Session } from '../../engine/session.ts'
import { deadOf } from '../dead-documents.ts'
import { LISTED, readSegment } from '../segment-rows.ts'

/** Merges these segments into one. Returns undefined if one of them is no longer listed. Writes nothing. */
export async function mergeListed(
  session: Session,
  subject: number,
  segments: readonly number[],
): Promise<MergedSegment | undefined> {
  const sql = `select segment, age from word_segment where subject = ? and state = ${LISTED}
    and segment = any(?::bigint[]) order by age, segment`
  const listed = await session.all<{ segment: number; age: number }>(sql, subject, segments)
  if (listed.length < segments.length) return
  const editions = await session.column<number>('select edition from word_edition where subject = ?', subject)
  const alive = new Set(editions)
  const dropped: DroppedVersion[] = []
  const inputs = []
  for (const { segment, age } of listed) {
    const input = await readSegment(session, subject, segment)
    const dead = new Uint8Array(input.columns.count)
    for (const { edition, start, end } of input.columns.runs) if (!alive.has(edition)) dead.fill(1, start, end)
    const known = await deadOf(
      session,
      subject,
      input.columns.runs.map(({ edition }) => edition),
    )
    eachDead(input.columns, age, known, (doc, edition, number) => {
      dead[doc] = 1
      dropped.push({ edition, number })
    })
    inputs.push({ ...input, isDead: (doc: number) => dead[doc] === 1 })
  }
  const merged = mergeSegments(inputs)
  return { output: merged.columns.count === 0 ? undefined : encodeSegment(merged), dropped }
}
