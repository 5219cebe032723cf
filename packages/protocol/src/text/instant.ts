/**
 * Instants are whole microseconds since 1970 UTC, because integers compare the same in every store and time zone.
 * Smaller fractions are dropped here; answers always show the source's text.
 */
const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:[.,](\d+))?([Zz]|[+-]\d\d:?\d\d)$/
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/

/** Parses an RFC 3339 date-time, or a date as its UTC midnight. Returns undefined for anything else. */
export function parseInstant(text: string): number | undefined {
  const date = DATE.exec(text)
  if (date) return fromParts(date, 0, 0, 0, 0, 0)
  const match = DATE_TIME.exec(text)
  if (!match) return
  const second = Math.min(Number(match[6]), 59) // A leap second counts as the second before it.
  const fraction = Number((match[7] ?? '').padEnd(6, '0').slice(0, 6))
  if (Number(match[4]) > 23 || Number(match[5]) > 59 || Number(match[6]) > 60) return
  const offset = offsetMinutes(match[8]!)
  return offset === undefined
    ? undefined
    : fromParts(match, Number(match[4]), Number(match[5]) - offset, second, fraction, 0)
}

function fromParts(match: RegExpExecArray, hour: number, minute: number, second: number, micros: number, base: number) {
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day) // Date.UTC would read the years 0 to 99 as 19xx.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return
  return base + (date.getTime() + hour * 3_600_000 + minute * 60_000 + second * 1000) * 1000 + micros
}

function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(-2))
  if (hours > 23 || minutes > 59) return
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}

const MICROS = { 'epoch-seconds': 1_000_000, 'epoch-milliseconds': 1_000 } as const

/**
 * Converts a count since 1970 to an instant. Returns undefined if it is not a whole number or is after the year 9999.
 */
export function epochInstant(count: number, kind: keyof typeof MICROS): number | undefined {
  const micros = count * MICROS[kind]
  return Number.isSafeInteger(count) && Math.abs(micros) <= MAX_MICROS ? micros : undefined
}

const MAX_MICROS = Date.UTC(9999, 11, 31) * 1000

export function formatInstant(micros: number): string {
  return new Date(Math.floor(micros / 1000)).toISOString()
}
