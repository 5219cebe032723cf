import { jsonMembers } from '@pdpp/protocol/reading'

/** Larger records are not read in lists, because several of them may not fit into memory. */
export const LARGE_BYTES = 65_536
/** Members of more units are left out of a brief form. */
const LONG_MEMBER = 1024
/** A longer brief form would take about as long to read as the record. */
const MAX_BRIEF = 16_384

/** The short members of a large record, stored beside it so that a page of short fields need not read the rest. */
export interface RecordBrief {
  readonly data: string
  /** The names of the other members, as a JSON list. */
  readonly leftOut: string
}

/** Undefined if the record is not large, or has too many members. */
export function briefOf(json: string): RecordBrief | undefined {
  // Most records are short, and no unit has more than three bytes.
  if (json.length * 3 <= LARGE_BYTES || Buffer.byteLength(json) <= LARGE_BYTES) return
  const members = [...jsonMembers(json)].map(([name, value]) => ({ name, value, isLong: value.length > LONG_MEMBER }))
  const short = members.filter(({ isLong }) => !isLong).map(({ name, value }) => `${JSON.stringify(name)}:${value}`)
  const data = `{${short.join(',')}}`
  if (data.length > MAX_BRIEF) return
  return { data, leftOut: JSON.stringify(members.filter(({ isLong }) => isLong).map(({ name }) => name)) }
}
