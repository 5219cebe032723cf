import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ImportInput, ImportItem, ImportPlan, InputPosition, ReadTally } from '../../importer.ts'
import { failuresAsProblems } from '../../reading/input-bytes.ts'
import { treePath } from '../../reading/input-tree.ts'
import { earlier, later } from '../../reading/instants.ts'
import { SeenKeys } from '../../reading/seen-keys.ts'
import { StableIds } from '../../reading/stable-ids.ts'
import { type ComponentText, calendarName, componentsOf, plainText } from './components.ts'
import { attachmentRecords, attendeeRecords, eventData, invitedTo, Length, namesOf, shortId, spanOf } from './event.ts'
import { type Moment, Properties, parsed } from './properties.ts'
import { datesOf } from './recurrence.ts'
import { identityOf, rankOf, rawValue, recurrenceLine, type Survey, surveyOf, unfolded } from './survey.ts'
import { journalData, taskData } from './task.ts'
import { clockText, Zones } from './zones.ts'

const STREAMS: Readonly<Record<string, string>> = { VEVENT: 'events', VTODO: 'tasks', VJOURNAL: 'journal' }
/** Number of dates per turn of the event loop, so that other work can run in between. */
const DATES_PER_TURN = 200

interface CalendarSum {
  readonly id: string
  readonly name: string | null
  readonly description: string | null
  readonly zone: string | null
  event_count: number
  first_at: string | undefined
  last_at: string | undefined
  place: InputPosition
}

export async function* readCalendars({ inputs, zone }: ImportPlan, tally: ReadTally): AsyncIterable<ImportItem> {
  const ordered = inputs.toSorted((a, b) => (treePath(a.name) < treePath(b.name) ? -1 : 1))
  const survey = await surveyOf(ordered)
  const reading = new CalendarReading(survey, zone ?? 'UTC', tally)
  for (const input of ordered) yield* failuresAsProblems(reading.file(input), input)
  for (const { place, ...sum } of reading.calendars.values()) {
    const data = { ...sum, first_at: sum.first_at ?? null, last_at: sum.last_at ?? null }
    yield { record: { stream: 'calendars', key: sum.id, data, place } }
  }
}

class CalendarReading {
  readonly calendars = new Map<string, CalendarSum>()
  readonly #survey: Survey
  readonly #zones: Zones
  readonly #zone: string
  readonly #tally: ReadTally
  readonly #seen = new SeenKeys()

  constructor(survey: Survey, zone: string, tally: ReadTally) {
    this.#survey = survey
    this.#zones = new Zones(survey.zones)
    this.#zone = zone
    this.#tally = tally
  }

  async *file(input: ImportInput): AsyncIterable<ImportItem> {
    // Two equal events in one file are two events. A second copy of the file, packed or in another folder, adds
    // nothing.
    const ids = new StableIds()
    for await (const component of componentsOf(input)) {
      const stream = STREAMS[component.name]
      if (component.name === 'VTIMEZONE') continue
      this.#tally.saw(stream ?? 'components')
      if (stream === undefined) this.#tally.leftOut('components', leftOutReason(component.name))
      else yield* this.#component(component, stream, ids)
    }
  }

  async *#component(component: ComponentText, stream: string, ids: StableIds): AsyncIterable<ImportItem> {
    const { place } = component
    const lost = (reason: string): ImportItem => ({ problem: { place, reason, kind: stream, kept: false } })
    if (component.text === undefined) return yield lost(component.fault!)
    const text = unfolded(component)
    const uid = rawValue(text, 'UID')
    const change = recurrenceLine(text)
    // Without a UID, the content identifies the event. DTSTAMP is excluded, because it is the time of the export.
    const id = shortId(uid ?? ids.idOf(text.replace(/^DTSTAMP.*$/gim, '')))
    const isCopy =
      uid === undefined
        ? this.#seen.meet(`${stream} ${id}`, '') === 'same'
        : !this.#survey.copies.take(identityOf(component.name, uid, change), rankOf(text))
    if (isCopy) return this.#tally.leftOut(stream, 'older or equal copies')
    try {
      const { component: read, faults } = parsed(component.text)
      const own = component.calendar['X-WR-TIMEZONE'] ?? ''
      const properties = new Properties(read, this.#zones, this.#zones.isNamed(own) ? own : this.#zone)
      yield* this.#records(component, stream, properties, id, uid, change)
      for (const reason of faults) yield { problem: { place, reason, kept: true } }
    } catch (error) {
      yield lost(`cannot be read: ${(error as Error).message.slice(0, 120)}`)
    }
  }

  async *#records(
    { calendar: around, place }: ComponentText,
    stream: string,
    properties: Properties,
    id: string,
    uid: string | undefined,
    change: string | undefined,
  ): AsyncIterable<ImportItem> {
    const calendar = this.#calendar(around, place)
    const of = { id: calendar.id, name: calendar.name ?? undefined }
    if (stream === 'tasks') return yield { record: { stream, key: id, data: taskData(properties, id, of), place } }
    if (stream === 'journal') return yield { record: { stream, key: id, data: journalData(properties, id, of), place } }
    const start = properties.moment('dtstart')
    const changed = change === undefined ? undefined : properties.moment('recurrence-id')
    const key = changed ? shortId(`${id}/${clockText(changed.wall)}`) : id
    const invited = invitedTo(properties)
    const data = eventData(properties, { id: key, series: changed && id, calendar: of }, start, invited)
    calendar.event_count++
    calendar.first_at = earlier(calendar.first_at, start?.instant)
    calendar.last_at = later(calendar.last_at, start?.instant)
    this.#tally.saw('attendees', invited.all.length + invited.repeated)
    this.#tally.saw('attachments', data.attachment_count)
    if (invited.repeated > 0) this.#tally.leftOut('attendees', 'people who are named twice', invited.repeated)
    yield { record: { stream, key, data, place } }
    for (const record of attendeeRecords(invited.all, key, data.starts_at, place)) yield { record }
    for await (const record of attachmentRecords(properties, key, data.starts_at, place)) yield { record }
    for (const reason of faultsOf(properties, start)) yield { problem: { place, reason, kept: true } }
    if (start)
      yield* this.#dates(
        properties,
        data,
        start,
        namesOf(invited.all),
        changed,
        changed ? [] : (this.#survey.changes.get(uid ?? '') ?? []),
        place,
      )
  }

  /** One record for each date. A changed date keeps the id that it had before the change. */
  async *#dates(
    properties: Properties,
    event: ReturnType<typeof eventData>,
    start: Moment,
    attendees: string[],
    changed: Moment | undefined,
    changes: readonly string[],
    place: InputPosition,
  ): AsyncIterable<ImportItem> {
    const length = new Length(properties, start)
    const { starts, faults } = changed
      ? { starts: [start.wall], faults: [] }
      : await datesOf(properties.component, start.wall, start.zone, {
          zones: this.#zones,
          newest: this.#survey.newest,
          changes,
        })
    for (const [at, wall] of starts.entries()) {
      if (at % DATES_PER_TURN === DATES_PER_TURN - 1) await nextTurn()
      const moment = properties.at(wall, start.zone)
      if (!moment) continue
      const { end, lastDay } = length.endOf(moment)
      const key = changed ? event.id : `${event.id}/${clockText(wall)}`
      const data = {
        id: key,
        event_id: event.id,
        calendar: event.calendar,
        title: event.title,
        location: event.location,
        ...spanOf(moment, end, lastDay),
        status: event.status,
        is_changed: changed !== undefined,
        is_busy: event.is_busy,
        attendees,
      }
      yield { record: { stream: 'occurrences', key, data, place } }
    }
    for (const reason of faults) yield { problem: { place, reason, kept: true } }
  }

  #calendar(properties: Readonly<Record<string, string>>, place: InputPosition): CalendarSum {
    const name = calendarName(properties)
    const id = shortId(name ?? 'calendar')
    const known = this.calendars.get(id)
    if (known) return known
    const text = (value: string | undefined) => plainText(value ?? '').toWellFormed() || null
    const sum = {
      id,
      name: name ?? null,
      description: text(properties['X-WR-CALDESC'] ?? properties['DESCRIPTION']),
      zone: text(properties['X-WR-TIMEZONE']),
      event_count: 0,
      first_at: undefined,
      last_at: undefined,
      place,
    }
    this.calendars.set(id, sum)
    return sum
  }
}

function leftOutReason(name: string): string {
  if (name === 'VFREEBUSY') return 'free and busy times are not imported'
  return `components of an unknown kind: ${name.slice(0, 40)}`
}

function* faultsOf({ component }: Properties, start: Moment | undefined): Iterable<string> {
  if (!start && component.hasProperty('dtstart')) yield 'has a start that cannot be read'
  if (start?.unknownZone !== undefined)
    yield `is in the unknown zone "${start.unknownZone.slice(0, 60)}"; ${start.zone} is used`
  if (component.getFirstProperty('recurrence-id')?.getFirstParameter('range') !== undefined)
    yield 'changes all later dates of its series; only its own date is changed'
}
