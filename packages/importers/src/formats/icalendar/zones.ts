import ICAL from 'ical.js'
import { isTimeZone, readTime } from '../../reading/times.ts'

/** A date, or a time on the clock of a place. */
export interface Wall {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly isDate: boolean
}

const two = (value: number): string => String(value).padStart(2, '0')

/** `2026-03-29`, and `20260329T023000` for ids: the time on the clock, in any zone. */
export const dateText = ({ year, month, day }: Wall): string =>
  `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
export const clockText = (wall: Wall): string =>
  dateText(wall).replaceAll('-', '') + (wall.isDate ? '' : `T${two(wall.hour)}${two(wall.minute)}${two(wall.second)}`)

const MAX_OFFSETS = 10_000

const lastDayOf = ({ year, month }: Wall): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** False for a time that does not exist, such as 30 February. */
const isRegular = (wall: Wall): boolean =>
  wall.year >= 1000 &&
  wall.month >= 1 &&
  wall.month <= 12 &&
  wall.day >= 1 &&
  wall.day <= lastDayOf(wall) &&
  wall.hour <= 23 &&
  wall.minute <= 59 &&
  wall.second <= 59

/** Converts local times to instants. */
export class Zones {
  readonly #described = new Map<string, ICAL.Timezone | undefined>()
  readonly #texts: ReadonlyMap<string, string>
  readonly #resolved = new Map<string, string | ICAL.Timezone | undefined>()

  readonly #offsets = new Map<string, string | undefined>()

  /** `texts` are the zones that the files describe, by their ids. */
  constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts
  }

  /** True for a zone of the official time zone list. */
  isNamed(id: string): boolean {
    return id !== '' && this.#resolve(id) === id
  }

  /** True if times of this zone can be read. */
  knows(id: string): boolean {
    return this.#resolve(id) !== undefined
  }

  /** RFC 3339 with the offset that the clock had. A date becomes its midnight. Undefined if there is no such time. */
  instant(wall: Wall, id: string): string | undefined {
    const zone = this.#resolve(id) ?? 'UTC'
    const clock = `${dateText(wall)} ${two(wall.hour)}:${two(wall.minute)}:${two(wall.second)}`
    if (typeof zone === 'string') {
      const offset = this.#steadyOffset(wall, zone)
      return offset === undefined ? readTime('ymd', clock, zone)?.text : `${clock.replace(' ', 'T')}${offset}`
    }
    const seconds = zone.utcOffset(new ICAL.Time({ ...wall }, ICAL.Timezone.localTimezone))
    const minutes = Math.round(Math.abs(seconds) / 60)
    const offset = `${seconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
    return readTime('ymd', `${clock}${offset}`)?.text
  }

  /** The offset in a month without a clock change. Cached, because computing each time is slow. */
  #steadyOffset(wall: Wall, zone: string): string | undefined {
    if (!isRegular(wall)) return
    const month = dateText(wall).slice(0, 7)
    const key = `${zone} ${month}`
    if (!this.#offsets.has(key)) {
      if (this.#offsets.size >= MAX_OFFSETS) this.#offsets.clear()
      const probes = ['01 00:00:00', '15 12:00:00', `${lastDayOf(wall)} 23:59:59`]
      const offsets = new Set(probes.map((probe) => readTime('ymd', `${month}-${probe}`, zone)?.text.slice(19)))
      this.#offsets.set(key, offsets.size === 1 ? [...offsets][0] : undefined)
    }
    return this.#offsets.get(key)
  }

  /** An official name is preferred, because descriptions in files often end with the year of the export. */
  #resolve(id: string): string | ICAL.Timezone | undefined {
    if (!this.#resolved.has(id)) {
      const known = isTimeZone(id) ? id : undefined
      // `/citadel.org/20190914_1/Europe/London` ends with an official name.
      const ending = /([A-Z][A-Za-z_]+\/[A-Z][A-Za-z_]+(?:\/[A-Z][A-Za-z_]+)?)$/.exec(id)?.[1]
      this.#resolved.set(id, known ?? this.#described_(id) ?? (ending && isTimeZone(ending) ? ending : undefined))
    }
    return this.#resolved.get(id)
  }

  #described_(id: string): ICAL.Timezone | undefined {
    const text = this.#texts.get(id)
    if (text === undefined) return
    try {
      if (!this.#described.has(id)) {
        const component = new ICAL.Component(ICAL.parse(text) as unknown[])
        this.#described.set(id, new ICAL.Timezone({ component, tzid: id }))
      }
      return this.#described.get(id)
    } catch {
      return
    }
  }
}
