import type { StreamGrant, TimeConstraint } from './grant.ts'
import { parseInstant } from './text/instant.ts'

/** What a request asks to leave out of a stream's grant. An absent member leaves that side as it is. */
export interface Narrowing {
  readonly connections?: readonly string[] | undefined
  readonly fields?: readonly string[] | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly resources?: readonly string[] | undefined
}

/** Where a record stands, as far as a grant is concerned. */
export interface RecordAttributes {
  readonly connectionId: string
  readonly key: string
  /** The record's value of the constraint's field; undefined when it has none. */
  readonly time?: string | undefined
}

/** The smaller of the grant and the narrowing, or undefined when nothing is left. Never the larger of anything. */
export function narrowStream(grant: StreamGrant, by: Narrowing, timeField?: string): StreamGrant | undefined {
  const connections = intersect(grant.instance_ids, by.connections)
  const fields = intersect(grant.fields, by.fields)
  const resources = grant.resources === undefined ? by.resources : intersect(grant.resources, by.resources)
  const time = narrowTime(grant.time_constraint, by, timeField)
  if (connections.length === 0 || fields.length === 0 || resources?.length === 0 || time === 'empty') return
  return {
    name: grant.name,
    instance_ids: connections,
    fields,
    ...(time === undefined ? {} : { time_constraint: time }),
    ...(resources === undefined ? {} : { resources: [...resources] }),
  }
}

function narrowTime(
  constraint: TimeConstraint | undefined,
  by: Narrowing,
  timeField?: string,
): TimeConstraint | 'empty' | undefined {
  if (by.since === undefined && by.until === undefined) return constraint
  const field = constraint?.field ?? timeField
  // Without a time field nothing can be placed inside a range: the narrower reading is that nothing is.
  if (field === undefined) return 'empty'
  // A time that cannot be read would compare as neither earlier nor later, and so lift the limit.
  if ([by.since, by.until].some((text) => text !== undefined && Number.isNaN(instant(text)))) return 'empty'
  const since = later(constraint?.since, by.since)
  const until = earlier(constraint?.until, by.until)
  if (since !== undefined && until !== undefined && instant(since) >= instant(until)) return 'empty'
  return { field, ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) }
}

/** Whether the grant shows this record at all. */
export function permitsRecord(grant: StreamGrant, place: RecordAttributes): boolean {
  if (!grant.instance_ids.includes(place.connectionId)) return false
  if (grant.resources !== undefined && !grant.resources.includes(place.key)) return false
  return grant.time_constraint === undefined || withinTime(grant.time_constraint, place.time)
}

function withinTime(constraint: TimeConstraint, time: string | undefined): boolean {
  const at = time === undefined ? undefined : parseInstant(time)
  if (at === undefined) return false
  if (constraint.since !== undefined && !(at >= instant(constraint.since))) return false
  return constraint.until === undefined || at < instant(constraint.until)
}

/** The named members of a record, in the record's own order. */
export function projectData<T>(data: Readonly<Record<string, T>>, fields: readonly string[]): Record<string, T> {
  const chosen = new Set(fields)
  return Object.fromEntries(Object.entries(data).filter(([name]) => chosen.has(name)))
}

export function intersect(granted: readonly string[], asked: readonly string[] | undefined): string[] {
  if (asked === undefined) return [...granted]
  const wanted = new Set(asked)
  return granted.filter((name) => wanted.has(name))
}

const instant = (text: string): number => parseInstant(text) ?? Number.NaN
const later = (a?: string, b?: string) => pick(a, b, (x, y) => x >= y)
const earlier = (a?: string, b?: string) => pick(a, b, (x, y) => x <= y)

function pick(
  a: string | undefined,
  b: string | undefined,
  first: (x: number, y: number) => boolean,
): string | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return first(instant(a), instant(b)) ? a : b
}
