import { jsonMembers } from '@pdpp/protocol/reading'
import type { Handle } from '../engine/database.ts'

/** Larger records are not read in lists, because several of them may not fit into memory. */
const LARGE_BYTES = 65_536
/** Members of more units are left out of the brief form of a large record. */
const LONG_MEMBER = 1024
/** A longer brief form would take as long to read as the record. */
const MAX_BRIEF = 16_384

/** The text of a record in a list. */
export const LISTED_DATA: string = `iif(octet_length(r.data) <= ${LARGE_BYTES}, r.data, null)`

/** The same, or the brief form of a large record if that has all of the fields that are bound as one JSON list. */
export const BRIEF_DATA: string = `iif(octet_length(r.data) <= ${LARGE_BYTES}, r.data, (select b.data from record_brief b
  where b.feed = r.feed and b.record = r.id and not exists (
    select 1 from json_each(b.left_out) where value in (select value from json_each(?)))))`

/** Stores the brief form of a large record beside it. Records of older versions have none, and are read as a whole. */
export function noteBrief(handle: Handle, feed: number, record: number, json: string): void {
  // Most records are short, and no unit has more than three bytes.
  if (json.length * 3 <= LARGE_BYTES || Buffer.byteLength(json) <= LARGE_BYTES) return
  const members = [...jsonMembers(json)].map(([name, value]) => ({ name, value, isLong: value.length > LONG_MEMBER }))
  const short = members.filter(({ isLong }) => !isLong).map(({ name, value }) => `${JSON.stringify(name)}:${value}`)
  const data = `{${short.join(',')}}`
  if (data.length > MAX_BRIEF) return
  const leftOut = JSON.stringify(members.filter(({ isLong }) => isLong).map(({ name }) => name))
  handle.run('insert into record_brief values (?, ?, ?, ?)', feed, record, data, leftOut)
}

export function forgetBrief(handle: Handle, feed: number, record: number): void {
  handle.run('delete from record_brief where feed = ? and record = ?', feed, record)
}
