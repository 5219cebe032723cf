import ICAL from 'ical.js'
import { valuesOf } from './recurrence.ts'
import { dateText, type Wall, type Zones } from './zones.ts'

/** Max. properties without a field of their own that are kept, and max. characters of each. */
const MAX_DETAILS = 60
const MAX_DETAIL_CHARS = 4000
const MAX_FAULTS = 3
/** Properties that change with every export or that have a field. */
const KNOWN = new Set(
  'attach attendee categories class comment completed created description dtend dtstamp dtstart due duration exdate geo last-modified location organizer percent-complete priority rdate recurrence-id rrule sequence status summary transp uid url'.split(
    ' ',
  ),
)

/** A time of an event: the time on the clock, the zone of that clock, and the instant. */
export interface Moment {
  readonly wall: Wall
  readonly zone: string
  readonly instant: string
  readonly date: string
  /** The zone that the event names, if it is unknown. */
  readonly unknownZone: string | undefined
}

/** Parses a component. Lines that break the parser are left out and listed. */
export function parsed(text: string): { component: ICAL.Component; faults: string[] } {
  const faults: string[] = []
  const fault = (line: string) => faults.push(`has a line that cannot be read: ${line.slice(0, 60).toWellFormed()}`)
  let lines = repairedLines(text)
  let component: ICAL.Component
  try {
    component = new ICAL.Component(ICAL.parse(lines.join('\r\n')) as unknown[])
  } catch {
    for (const line of lines) if (!isReadable(line)) fault(line)
    lines = lines.filter(isReadable)
    component = new ICAL.Component(ICAL.parse(lines.join('\r\n')) as unknown[])
  }
  for (const each of [component, ...component.getAllSubcomponents()])
    for (const property of each.getAllProperties())
      if (!hasValues(property)) {
        fault(property.name)
        each.removeProperty(property)
      }
  return { component, faults: faults.slice(0, MAX_FAULTS) }
}

/** Puts each property on one line and repairs common faults: dates without a type, spaces in rules. */
function repairedLines(text: string): string[] {
  return text
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
    .map((line) => {
      if (/^(?:RRULE|EXRULE):/i.test(line)) return line.replaceAll(' ', '')
      const date =
        /^((?:DTSTART|DTEND|DUE|RDATE|EXDATE|RECURRENCE-ID)(?:;(?![^:]*VALUE=)[^:]*)?):(\d{8}(?:,\d{8})*)\s*$/i.exec(
          line,
        )
      return date ? `${date[1]!.replace(/;TZID=[^;:]*/i, '')};VALUE=DATE:${date[2]}` : line
    })
}

/** The library parses values only when they are used, so this test uses them to find invalid ones. */
function hasValues(property: ICAL.Property): boolean {
  try {
    property.getValues()
    return true
  } catch {
    return false
  }
}

function isReadable(line: string): boolean {
  if (/^\s*(?:BEGIN|END):/i.test(line)) return true
  try {
    return hasValues(new ICAL.Property(ICAL.parse.property(line)))
  } catch {
    return false
  }
}

/** The values of one component, by the names of their properties. */
export class Properties {
  readonly component: ICAL.Component
  readonly #zones: Zones
  /** The zone for times that name none. */
  readonly #zone: string

  constructor(component: ICAL.Component, zones: Zones, zone: string) {
    this.component = component
    this.#zones = zones
    this.#zone = zone
  }

  text(name: string): string | null {
    const texts = this.component.getAllProperties(name).map((property) => textOf(property.getFirstValue()))
    const joined = texts.filter((each) => each !== '').join('\n')
    return joined === '' ? null : joined
  }

  list(name: string): string[] {
    const all = this.component.getAllProperties(name).flatMap((property) => property.getValues().map(textOf))
    return [...new Set(all.filter((each) => each !== ''))]
  }

  lower(name: string): string | null {
    return this.text(name)?.toLowerCase() ?? null
  }

  integer(name: string): number | null {
    const value = Number(this.text(name) ?? Number.NaN)
    return Number.isSafeInteger(value) ? value : null
  }

  /** Undefined if the property is missing or its time does not exist. */
  moment(name: string): Moment | undefined {
    const property = this.component.getFirstProperty(name)
    const [found] = property ? valuesOf(property) : []
    return found && this.at(found.wall, found.tzid)
  }

  at(wall: Wall, tzid: string | undefined): Moment | undefined {
    const unknownZone = tzid === undefined || this.#zones.knows(tzid) ? undefined : tzid
    const zone = wall.isDate || tzid === undefined || unknownZone !== undefined ? this.#zone : tzid
    const instant = this.#zones.instant(wall, zone)
    return instant === undefined ? undefined : { wall, zone, instant, date: dateText(wall), unknownZone }
  }

  instant(name: string): string | null {
    return this.moment(name)?.instant ?? null
  }

  /** Properties without a field, such as those of a single program. */
  detail(): Record<string, unknown> | null {
    const others = this.component.getAllProperties().filter(({ name }) => !KNOWN.has(name))
    const kept = others
      .slice(0, MAX_DETAILS)
      .map((each) => [each.name, this.text(each.name)?.slice(0, MAX_DETAIL_CHARS)])
    return kept.length === 0 ? null : Object.fromEntries(kept.filter(([, value]) => value !== undefined))
  }
}

export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = Array.isArray(value) ? value.map(textOf).join('; ') : String(value)
  return text.replaceAll('\u0000', '').replaceAll('\r\n', '\n').toWellFormed().trim()
}
