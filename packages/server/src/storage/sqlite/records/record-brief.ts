import { briefOf, LARGE_BYTES } from '../../records/record-brief.ts'
import type { Handle } from '../engine/database.ts'

/** The text of a record in a list. */
export const LISTED_DATA: string = `iif(octet_length(r.data) <= ${LARGE_BYTES}, r.data, null)`

/** The same, or the brief form of a large record if that has all of the fields that are bound as one JSON list. */
export const BRIEF_DATA: string = `iif(octet_length(r.data) <= ${LARGE_BYTES}, r.data, (select b.data from record_brief b
  where b.feed = r.feed and b.record = r.id and not exists (
    select 1 from json_each(b.left_out) where value in (select value from json_each(?)))))`

/** Records that an older version wrote have no brief form, and are read as a whole. */
export function noteBrief(handle: Handle, feed: number, record: number, json: string): void {
  const brief = briefOf(json)
  if (!brief) return
  handle.run('insert into record_brief values (?, ?, ?, ?)', feed, record, brief.data, brief.leftOut)
}

export function forgetBrief(handle: Handle, feed: number, record: number): void {
  handle.run('delete from record_brief where feed = ? and record = ?', feed, record)
}
