import { preferences } from './preferences.ts'

const formats = new Map<string, Intl.DateTimeFormat>()
/** Max. cached formats. Creating one costs more than using it a hundred times. */
const MAX_FORMATS = 200

/** Formats a time in the owner's zone, or in the given one. */
export function formatIn(options: Intl.DateTimeFormatOptions, at: number, zone = preferences().zone): string {
  return formatOf(options, zone).format(at)
}

function formatOf(options: Intl.DateTimeFormatOptions, timeZone: string): Intl.DateTimeFormat {
  const key = `${timeZone} ${JSON.stringify(options)}`
  const known = formats.get(key)
  if (known) return known
  if (formats.size >= MAX_FORMATS) formats.clear()
  const made = new Intl.DateTimeFormat('en-GB', { ...options, timeZone })
  formats.set(key, made)
  return made
}

/** The day in the owner's zone, such as "2026-11-17". */
export function zonedDay(at: number, zone = preferences().zone): string {
  const parts = formatOf({ year: 'numeric', month: '2-digit', day: '2-digit' }, zone).formatToParts(at)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
}

/** The hour of the day in the owner's zone, from 0 to 23. */
export const zonedHour = (at: number): number => Number(formatIn({ hour: '2-digit', hourCycle: 'h23' }, at))

/** The moment at which a day begins in the owner's zone. */
export function startOfDay(day: string, zone = preferences().zone): number {
  const utc = Date.parse(`${day}T00:00:00Z`)
  // On days when clocks change, the offset at the guess can differ from the offset at the result.
  const guess = utc - offsetAt(utc, zone)
  return utc - offsetAt(guess, zone)
}

/** Milliseconds that the zone's clocks are ahead of UTC. */
function offsetAt(at: number, zone: string): number {
  const parts = formatOf({ dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' }, zone).formatToParts(at)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value ?? 0)
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return local - Math.floor(at / 1000) * 1000
}
