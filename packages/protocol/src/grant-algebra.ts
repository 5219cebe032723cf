import type { StreamGrant, TimeConstraint } from './grant.ts'
import { parseInstant } from './text/instant.ts'

/** The part of a stream's grant that a request asks for. An absent member does not narrow anything. */
export interface Narrowing {
  readonly connections?: readonly string[] | undefined
  readonly fields?: readonly string[] | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly resources?: readonly string[] | undefined
}

/** The attributes of a record that decide whether a grant includes it. */
export interface RecordAttributes {
  readonly connectionId: string
  readonly key: string
  /** Value of the field that the time constraint names; undefined if the record has none. */
  readonly time?: string | undefined
}

/** Returns the intersection of the grant and the narrowing, or undefined if it is empty. It never exceeds the grant. */
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
  // Without a time field no record is known to be inside the range, so return nothing.
  if (field === undefined) return 'empty'
  // A time that cannot be parsed compares as NaN, which would remove the limit.
  if ([by.since, by.until].some((text) => text !== undefined && Number.isNaN(instant(text)))) return 'empty'
  const since = later(constraint?.since, by.since)
  const until = earlier(constraint?.until, by.until)
  if (since !== undefined && until !== undefined && instant(since) >= instant(until)) return 'empty'
  return { field, ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) }
}

export function permitsRecord(grant: StreamGrant, record: RecordAttributes): boolean {
  if (!grant.instance_ids.includes(record.connectionId)) return false
  if (grant.resources !== undefined && !grant.resources.includes(record.key)) return false
  return grant.time_constraint === undefined || withinTime(grant.time_constraint, record.time)
}

function withinTime(constraint: TimeConstraint, time: string | undefined): boolean {
  const at = time === undefined ? undefined : parseInstant(time)
  if (at === undefined) return false
  if (constraint.since !== undefined && !(at >= instant(constraint.since))) return false
  return constraint.until === undefined || at < instant(constraint.until)
}

/** Returns the named members in the order of the record. */
export function projectData<T>(data: Readonly<Record<string, T>>, fields: readonly string[]): Record<string, T> {
  const chosen = new Set(fields)
  return Object.fromEntries(Object.entries(data).filter(([name]) => chosen.has(name)))
}

export function intersect(granted: readonly string[], requested: readonly string[] | undefined): string[] {
  if (requested === undefined) return [...granted]
  const names = new Set(requested)
  return granted.filter((name) => names.has(name))
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
