import { mergeSegments } from '../../../../search/segments/segment-merge.ts'
import { eachDead } from '../../../words/dead-records.ts'
import { type DroppedVersion, encodeSegment, type MergedSegment } from '../../../words/encoded-segment.ts'
import type { Handle } from '../../engine/database.ts'
import { deadOf } from '../dead-documents.ts'
import { LISTED, readSegment } from '../segment-rows.ts'

/**
 * Merges these segments into one, in a read transaction. Returns undefined if one of them is no longer listed. Writes
 * nothing, so that it can run at the same time as the writing thread.
 */
export function mergeListed(handle: Handle, owner: number, segments: readonly number[]): MergedSegment | undefined {
  handle.db.exec('begin')
  try {
    return merge(handle, owner, segments)
  } finally {
    handle.db.exec('commit')
  }
}

function merge(handle: Handle, owner: number, segments: readonly number[]): MergedSegment | undefined {
  const sql = `select segment, age from word_segment where owner = ? and state = ${LISTED}
    and segment in (select value from json_each(?)) order by age, segment`
  const listed = handle.all<{ segment: number; age: number }>(sql, owner, JSON.stringify(segments))
  if (listed.length < segments.length) return
  const alive = new Set(handle.column<number>('select edition from word_edition where owner = ?', owner))
  const dropped: DroppedVersion[] = []
  const inputs = listed.map(({ segment, age }) => {
    const input = readSegment(handle, segment)
    const dead = new Uint8Array(input.columns.count)
    for (const { edition, start, end } of input.columns.runs) if (!alive.has(edition)) dead.fill(1, start, end)
    const editions = input.columns.runs.map(({ edition }) => edition)
    eachDead(input.columns, age, deadOf(handle, owner, editions), (doc, edition, number) => {
      dead[doc] = 1
      dropped.push({ edition, number })
    })
    return { ...input, isDead: (doc: number) => dead[doc] === 1 }
  })
  const merged = mergeSegments(inputs)
  return { output: merged.columns.count === 0 ? undefined : encodeSegment(merged), dropped }
}
