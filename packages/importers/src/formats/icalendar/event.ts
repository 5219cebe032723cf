import { hash } from 'node:crypto'
import { parseInstant } from '@pdpp/protocol'
import ICAL from 'ical.js'
import type { ImportedRecord, InputPosition } from '../../importer.ts'
import { blobOf, blobReference } from '../../reading/blob.ts'
import { mediaTypeOf } from '../../reading/file-blob.ts'
import { extractText } from '../../text/extract.ts'
import { type Moment, type Properties, textOf } from './properties.ts'
import { clockText, dateText, type Wall } from './zones.ts'

/** Max. names of people in a record. `attendees` contains all of them. */
const NAMED_PEOPLE = 50
const MAX_ALARMS = 20
/** A key has max. 512 bytes, and the start of a date is appended to the id. */
const MAX_ID_BYTES = 400

export interface CalendarOfEvent {
  readonly id: string
  readonly name: string | undefined
}

/** Shortens an id that is too long for a key. */
export const shortId = (id: string): string =>
  Buffer.byteLength(id) <= MAX_ID_BYTES ? id.replaceAll('\u0000', '') : hash('sha256', id).slice(0, 32)

/** The time of an event, in all the fields that people and programs query. */
export function spanOf(start: Moment | undefined, end: string | null, lastDay: string | null) {
  return {
    starts_at: start?.instant ?? null,
    ends_at: end,
    start_date: start?.date ?? null,
    end_date: lastDay ?? start?.date ?? null,
    is_all_day: start?.wall.isDate ?? false,
  }
}

const DAY = 86_400

/**
 * The duration of an event, measured on the clock of its place. The end may be on another clock, for example for a
 * flight.
 */
export class Length {
  readonly #seconds: number
  readonly #isExact: boolean
  readonly #properties: Properties

  constructor(properties: Properties, start: Moment) {
    this.#properties = properties
    const end = properties.moment('dtend')
    const duration = properties.component.getFirstPropertyValue('duration')
    const min = start.wall.isDate ? DAY : 0
    this.#isExact = end !== undefined && end.zone !== start.zone
    if (end) {
      const [from, to] = [parseInstant(start.instant)!, parseInstant(end.instant)!]
      const seconds = this.#isExact ? (to - from) / 1e6 : secondsOf(end.wall) - secondsOf(start.wall)
      this.#seconds = Math.max(seconds, min)
    } else this.#seconds = Math.max(duration instanceof ICAL.Duration ? duration.toSeconds() : 0, min)
  }

  /** The end of a date that starts at this moment, and its last day. */
  endOf({ wall, zone, instant }: Moment): { end: string | null; lastDay: string | null } {
    if (this.#isExact) {
      const end = new Date(parseInstant(instant)! / 1000 + this.#seconds * 1000).toISOString().replace('.000Z', 'Z')
      return { end, lastDay: end.slice(0, 10) }
    }
    const end = this.#properties.at(shifted(wall, this.#seconds), zone)
    // An event that ends at midnight ends on the day before.
    const last = this.#seconds > 0 ? shifted(wall, this.#seconds - 1) : wall
    return { end: end?.instant ?? null, lastDay: dateText(last) }
  }
}

const secondsOf = ({ year, month, day, hour, minute, second }: Wall): number =>
  Date.UTC(year, month - 1, day, hour, minute, second) / 1000

function shifted(wall: Wall, seconds: number): Wall {
  const date = new Date((secondsOf(wall) + seconds) * 1000)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
  const [hour, minute, second] = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()]
  return { year, month, day, hour, minute, second, isDate: false }
}

export interface Invited {
  readonly name: string | null
  readonly address: string | null
  readonly role: string | null
  readonly status: string | null
  readonly kind: string | null
  readonly isOrganiser: boolean
}

/** Everybody who is invited, with each address once, and the organiser. */
export function invitedTo({ component }: Properties): { all: Invited[]; repeated: number; organiser: string | null } {
  const found = new Map<string, Invited>()
  const properties = [...component.getAllProperties('organizer'), ...component.getAllProperties('attendee')]
  for (const property of properties) {
    const parameter = (name: string) => textOf(property.getFirstParameter(name)).toLowerCase() || null
    const address = textOf(property.getFirstValue()).replace(/^mailto:/i, '') || null
    const name = textOf(property.getFirstParameter('cn')).replace(/^"(.*)"$/, '$1') || null
    const key = (address ?? name ?? '').toLowerCase()
    const known = found.get(key)
    const role = parameter('role')
      ?.replace(/-participant$/, '')
      .replace(/^req$/, 'required')
      .replace(/^opt$/, 'optional')
    found.set(key, {
      name: name ?? known?.name ?? null,
      address,
      role: role ?? known?.role ?? null,
      status: parameter('partstat') ?? known?.status ?? null,
      kind: parameter('cutype') ?? known?.kind ?? null,
      isOrganiser: known?.isOrganiser ?? property.name === 'organizer',
    })
  }
  const all = [...found.values()]
  const organiser = all.find(({ isOrganiser }) => isOrganiser)
  return { all, repeated: properties.length - all.length, organiser: organiser?.name ?? organiser?.address ?? null }
}

export const namesOf = (all: readonly Invited[]): string[] =>
  all
    .map(({ name, address }) => name ?? address ?? '')
    .filter((name) => name !== '')
    .slice(0, NAMED_PEOPLE)

export function* attendeeRecords(
  all: readonly Invited[],
  eventId: string,
  start: string | null,
  place: InputPosition,
): Iterable<ImportedRecord> {
  for (const { isOrganiser, ...each } of all) {
    const key = shortId(`${eventId}/${(each.address ?? each.name ?? '').toLowerCase()}`)
    const data = { id: key, event_id: eventId, ...each, is_organiser: isOrganiser, starts_at: start }
    yield { stream: 'attendees', key, data, place }
  }
}

export async function* attachmentRecords(
  { component }: Properties,
  eventId: string,
  start: string | null,
  place: InputPosition,
): AsyncIterable<ImportedRecord> {
  for (const [at, property] of component.getAllProperties('attach').entries()) {
    const value: unknown = property.getFirstValue()
    const filename = textOf(property.getFirstParameter('filename') ?? property.getFirstParameter('x-filename')) || null
    const declared = textOf(property.getFirstParameter('fmttype')) || (filename && mediaTypeOf(filename)) || null
    const key = `${eventId}/${at + 1}`
    const fields = { id: key, event_id: eventId, filename, media_type: declared, starts_at: start }
    if (value instanceof ICAL.Binary) {
      const bytes = Buffer.from(String(value.value), 'base64')
      const mediaType = declared ?? 'application/octet-stream'
      const blob = blobOf('/blob_ref', bytes, mediaType)
      const text = await extractText(bytes, { mediaType, name: filename ?? '' })
      const file = {
        size_bytes: bytes.length,
        url: null,
        extracted_text: text?.text ?? null,
        blob_ref: blobReference(blob),
      }
      yield { stream: 'attachments', key, data: { ...fields, ...file }, place, blobs: [blob] }
    } else {
      const link = { size_bytes: null, url: textOf(value) || null, extracted_text: null, blob_ref: null }
      yield { stream: 'attachments', key, data: { ...fields, ...link }, place }
    }
  }
}

/** The record of an event, without its dates and people. */
export function eventData(
  properties: Properties,
  { id, series, calendar }: { id: string; series: string | undefined; calendar: CalendarOfEvent },
  start: Moment | undefined,
  { all, organiser }: { all: readonly Invited[]; organiser: string | null },
) {
  const { component } = properties
  const rule = component.getAllProperties('rrule').map((property) => textOf(property.getFirstValue()))
  const changed = properties.moment('recurrence-id')
  const { end, lastDay } = start ? new Length(properties, start).endOf(start) : { end: null, lastDay: null }
  const [latitude, longitude] = placeOf(properties)
  return {
    id,
    calendar_id: calendar.id,
    calendar: calendar.name ?? null,
    title: properties.text('summary'),
    description:
      [properties.text('description'), properties.text('comment')].filter((each) => each !== null).join('\n') || null,
    location: properties.text('location'),
    latitude,
    longitude,
    ...spanOf(start, end, lastDay),
    zone: start && !start.wall.isDate ? start.zone : null,
    is_recurring: rule.length > 0 || component.hasProperty('rdate'),
    recurrence: rule.filter((each) => each !== '').join('\n') || null,
    series_id: series ?? null,
    original_start: changed ? clockText(changed.wall) : null,
    status: properties.lower('status'),
    organiser,
    attendees: namesOf(all),
    categories: properties.list('categories'),
    url: properties.text('url'),
    is_private: /^(private|confidential)$/.test(properties.lower('class') ?? ''),
    is_busy: properties.lower('transp') !== 'transparent',
    alarms: alarmsOf(properties),
    attachment_count: component.getAllProperties('attach').length,
    created_at: properties.instant('created'),
    // DTSTAMP is not used, because it is the time of the export.
    updated_at: properties.instant('last-modified') ?? properties.instant('created'),
    detail: properties.detail(),
  }
}

function placeOf({ component }: Properties): [number | null, number | null] {
  const value: unknown = component.getFirstPropertyValue('geo')
  const [latitude, longitude] = (Array.isArray(value) ? value : textOf(value).split(';')).map(Number)
  const isPlace = Math.abs(latitude ?? 91) <= 90 && Math.abs(longitude ?? 181) <= 180
  return isPlace ? [latitude!, longitude!] : [null, null]
}

function alarmsOf({ component }: Properties) {
  return component
    .getAllSubcomponents('valarm')
    .slice(0, MAX_ALARMS)
    .map((alarm) => {
      const trigger = alarm.getFirstProperty('trigger')
      const value: unknown = trigger?.getFirstValue()
      return {
        action: textOf(alarm.getFirstPropertyValue('action')).toLowerCase() || null,
        minutes_before: value instanceof ICAL.Duration ? Math.round(-value.toSeconds() / 60) : null,
        related:
          value instanceof ICAL.Duration
            ? textOf(trigger?.getFirstParameter('related') ?? 'start').toLowerCase()
            : null,
        at: value instanceof ICAL.Time ? value.toString() : null,
      }
    })
}
