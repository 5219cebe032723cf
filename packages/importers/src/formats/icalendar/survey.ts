import { parseInstant } from '@pdpp/protocol'
import type { ImportInput } from '../../importer.ts'
import { NewestCopies } from '../../reading/newest-copies.ts'
import { isTimeZone } from '../../reading/times.ts'
import { type ComponentText, componentsOf } from './components.ts'

/** Max. zones and changed dates that are remembered. */
const MAX_ZONES = 1000
const MAX_CHANGES = 200_000
/** Later dates are errors or mean "never ends", so they do not extend recurring events. */
const LATEST_YEAR = 2100
const DATED =
  /^(?:DTSTART|DTEND|DUE|RDATE|RECURRENCE-ID|DTSTAMP|CREATED|LAST-MODIFIED|COMPLETED)(?:;[^:\n]*)?:(\d{8})/gim
const LOCAL = /^(?:DTSTART|DTEND|DUE|RDATE)(?:;(?![^:\n]*TZID=)[^:\n]*)?:\d{8}(?!T\d{6}Z)/im

/** Facts about all files that are needed before the first event is read. */
export interface Survey {
  /** Descriptions of zones by their ids. */
  readonly zones: ReadonlyMap<string, string>
  /** RECURRENCE-ID lines by the UID of their series: the dates that other events replace. */
  readonly changes: ReadonlyMap<string, readonly string[]>
  readonly copies: NewestCopies
  /** `20260401`: the newest date that the files contain. */
  readonly newest: string
  /** True if a time names no zone. */
  readonly hasLocalTimes: boolean
}

export async function surveyOf(inputs: readonly ImportInput[]): Promise<Survey> {
  const zones = new Map<string, string>()
  const changes = new Map<string, string[]>()
  const copies = new NewestCopies()
  let [newest, hasLocalTimes, count] = ['', false, 0]
  for (const input of inputs)
    try {
      for await (const component of componentsOf(input)) {
        const text = unfolded(component)
        if (component.name === 'VTIMEZONE') {
          const id = rawValue(text, 'TZID')
          if (id !== undefined && !zones.has(id) && zones.size < MAX_ZONES) zones.set(id, component.text!)
          continue
        }
        for (const [, date] of text.matchAll(DATED))
          if (date! > newest && Number(date!.slice(0, 4)) <= LATEST_YEAR) newest = date!
        if (!hasLocalTimes && LOCAL.test(text)) hasLocalTimes = !isTimeZone(component.calendar['X-WR-TIMEZONE'] ?? '')
        const uid = rawValue(text, 'UID')
        if (uid === undefined) continue
        copies.offer(identityOf(component.name, uid, recurrenceLine(text)), rankOf(text))
        const change = recurrenceLine(text)
        if (change === undefined || count++ >= MAX_CHANGES) continue
        changes.set(uid, [...(changes.get(uid) ?? []), change])
      }
    } catch {
      // The second reading reports the error.
    }
  return { zones, changes, copies, newest, hasLocalTimes }
}

export const identityOf = (name: string, uid: string, recurrence: string | undefined): string =>
  `${name} ${uid} ${recurrence?.replace(/^[^:]*:/, '') ?? ''}`

/** Ranks versions of an event. A newer version has a larger number or a later change. */
export function rankOf(text: string): number {
  const sequence = Number(rawValue(text, 'SEQUENCE') ?? 0) || 0
  const stamp = (rawValue(text, 'LAST-MODIFIED') ?? rawValue(text, 'DTSTAMP') ?? '').replace(
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z?$/,
    '$1-$2-$3T$4:$5:$6Z',
  )
  return Math.min(Math.max(sequence, 0), 50_000) * 1e11 + (parseInstant(stamp) ?? 0) / 1e6
}

/** The text with each property on one line, without the properties of inner components such as alarms. */
export const unfolded = ({ text = '' }: Pick<ComponentText, 'text'>): string =>
  text.replace(/\r?\n[ \t]/g, '').replace(/\r?\n\s*BEGIN:(\S+)[\s\S]*?\nEND:\1/gi, '')

export const recurrenceLine = (text: string): string | undefined => /^RECURRENCE-ID[;:].*$/im.exec(text)?.[0]

export function rawValue(text: string, name: string): string | undefined {
  const value = new RegExp(`^${name}(?:;[^:\\n]*)?:(.*)$`, 'im').exec(text)?.[1]?.trim()
  return value === '' ? undefined : value?.toWellFormed()
}
