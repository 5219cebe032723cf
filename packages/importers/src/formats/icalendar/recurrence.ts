import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseInstant } from '@pdpp/protocol'
import ICAL from 'ical.js'
import { clockText, dateText, type Wall, type Zones } from './zones.ts'

/** Max. dates of one event, which is every day for 54 years. */
const MAX_DATES = 20_000
/** Max. steps of a rule from one date to the next, which is every day for eight years. */
const MAX_STEPS = 3000
/** Number of dates per turn of the event loop, so that other work can run in between. */
const DATES_PER_TURN = 500
const MAX_INTERVAL = 10_000
/** Recurring events are expanded until this many years after the newest date in the files. */
const YEARS_AFTER = 2

export interface Dates {
  /** Sorted starts, as the clock of the event's zone shows them. */
  readonly starts: readonly Wall[]
  readonly faults: readonly string[]
}

/** A date that is removed from a series: an instant, or a whole day. */
interface Moment {
  readonly micros: number | undefined
  readonly date: string | undefined
}

/**
 * The dates of an event, except those that EXDATE removes or another event replaces. The last date depends only on the
 * files, never on today: otherwise importing the same file again would change records.
 */
export async function datesOf(
  event: ICAL.Component,
  start: Wall,
  zone: string,
  { zones, newest, changes }: { zones: Zones; newest: string; changes: readonly string[] },
): Promise<Dates> {
  const faults: string[] = []
  const found = new Map<string, Wall>([[clockText(start), start]])
  const end = new ICAL.Time(
    { year: Number(newest.slice(0, 4)) + YEARS_AFTER, month: 12, day: 31, isDate: true },
    ICAL.Timezone.localTimezone,
  )
  if (newest.length === 8) [end.month, end.day] = [Number(newest.slice(4, 6)), Number(newest.slice(6, 8))]
  for (const property of event.getAllProperties('rrule')) {
    const rule = property.getFirstValue()
    const isBefore = rule instanceof ICAL.Recur ? untilOf(rule, zone, zones) : () => true
    const fault = await expand(rule, start, end, isBefore, found)
    if (fault !== undefined) faults.push(fault)
  }
  for (const { wall } of momentsIn(event, 'rdate')) found.set(clockText(wall), wall)
  const out = [
    ...momentsIn(event, 'exdate').map(({ wall, tzid }) => momentOf(wall, tzid ?? zone, zones)),
    ...changes.flatMap((line) => changedMoment(line, zone, zones)),
  ]
  const gone = new Set(out.map(({ micros }) => micros))
  const days = new Set(out.map(({ date }) => date))
  const starts = [...found.values()]
    .filter((wall) => out.length === 0 || !(days.has(dateText(wall)) || gone.has(microsOf(wall, zone, zones))))
    .toSorted((a, b) => (clockText(a) < clockText(b) ? -1 : 1))
  return { starts, faults }
}

const microsOf = (wall: Wall, zone: string, zones: Zones): number | undefined =>
  parseInstant(zones.instant(wall, zone) ?? '')

function momentOf(wall: Wall, zone: string, zones: Zones): Moment {
  return wall.isDate
    ? { micros: undefined, date: dateText(wall) }
    : { micros: microsOf(wall, zone, zones), date: undefined }
}

/** The date that an event with this RECURRENCE-ID replaces. */
function changedMoment(line: string, zone: string, zones: Zones): Moment[] {
  try {
    const [moment] = valuesOf(new ICAL.Property(ICAL.parse.property(line)))
    return moment ? [momentOf(moment.wall, moment.tzid ?? zone, zones)] : []
  } catch {
    return []
  }
}

function momentsIn(event: ICAL.Component, name: string) {
  return event.getAllProperties(name).flatMap(valuesOf)
}

/** The times of a property. Times in UTC are marked as such and name no zone. */
export function valuesOf(property: ICAL.Property): { wall: Wall; tzid: string | undefined }[] {
  const named = property.getFirstParameter('tzid') as string | undefined
  return property.getValues().flatMap((value: unknown) => {
    const time = value instanceof ICAL.Period ? value.start : value
    if (!(time instanceof ICAL.Time)) return []
    return [{ wall: wallOf(time), tzid: time.zone === ICAL.Timezone.utcTimezone ? 'UTC' : named }]
  })
}

const wallOf = ({ year, month, day, hour, minute, second, isDate }: ICAL.Time): Wall =>
  isDate
    ? { year, month, day, hour: 0, minute: 0, second: 0, isDate }
    : { year, month, day, hour, minute, second, isDate }

/**
 * Tests whether a date is within the rule's UNTIL. The library would compare local time with UTC and lose or add a
 * date, so UNTIL is hidden from it.
 */
function untilOf(rule: ICAL.Recur, zone: string, zones: Zones): (wall: Wall) => boolean {
  const { until } = rule
  rule.until = null
  if (!until) return () => true
  const last = wallOf(until)
  if (last.isDate) return (wall) => dateText(wall) <= dateText(last)
  if (until.zone !== ICAL.Timezone.utcTimezone) return (wall) => clockText(wall) <= clockText(last)
  const micros = microsOf(last, 'UTC', zones) ?? 0
  return (wall) => (microsOf(wall, zone, zones) ?? 0) <= micros
}

/** Adds the dates of a rule. Returns a reason if some of them are missing. */
async function expand(
  value: unknown,
  start: Wall,
  end: ICAL.Time,
  isBefore: (wall: Wall) => boolean,
  found: Map<string, Wall>,
): Promise<string | undefined> {
  if (!(value instanceof ICAL.Recur)) return 'has a rule that cannot be read; only its first date is imported'
  if (value.interval > MAX_INTERVAL) return 'has a rule with a huge interval; only its first date is imported'
  let [steps, count] = [0, 0]
  try {
    const dates = value.iterator(new ICAL.Time({ ...start }, ICAL.Timezone.localTimezone))
    const check = dates.check_contracting_rules.bind(dates)
    // The library searches for ever if no date can match, as in "daily, on 30 February".
    dates.check_contracting_rules = () => {
      if (++steps > MAX_STEPS || dates.last.compare(end) > 0) throw new RangeError('beyond')
      return check()
    }
    for (let next = dates.next(); next && next.compare(end) <= 0; next = dates.next()) {
      const wall = { ...wallOf(next), isDate: start.isDate }
      if (!isBefore(wall)) break
      if (++count > MAX_DATES) return `has more than ${MAX_DATES} dates; the later ones are not imported`
      if (exists(value, wall, start)) found.set(clockText(wall), wall)
      steps = 0
      if (count % DATES_PER_TURN === 0) await nextTurn()
    }
  } catch (error) {
    if (!(error instanceof RangeError))
      return `has a rule that cannot be followed: ${(error as Error).message.slice(0, 80)}`
    if (steps > MAX_STEPS) return 'has a rule that hardly any date fits; not all of its dates are imported'
  }
  return
}

/** False for 29 February in a year without that day. The library would use 1 March instead. */
function exists({ freq, parts }: ICAL.Recur, { month, day }: Wall, start: Wall): boolean {
  const days = (parts['BYMONTHDAY'] ?? []) as number[]
  const months = (parts['BYMONTH'] ?? []) as number[]
  if (months.length > 0 && !months.map(Number).includes(month)) return false
  if (days.length > 0) return days.some((each) => Number(each) < 0 || Number(each) === day)
  const isSameDay = freq === 'YEARLY' && !['BYDAY', 'BYYEARDAY', 'BYWEEKNO'].some((name) => name in parts)
  return !isSameDay || day === start.day
}
