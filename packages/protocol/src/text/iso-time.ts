const DAY_MS = 86_400_000
/** The last millisecond that a date can have. */
const MAX_MS = 8_640_000_000_000_000
const MAX_DAYS = 1000

const padded = (digits: number, count: number): string[] =>
  Array.from({ length: count }, (_, number) => String(number).padStart(digits, '0'))
const TWO = padded(2, 60)
const THREE = padded(3, 1000)

/** Dates by their number since 1970. */
const dates = new Map<number, string>()

/**
 * The same text as `toISOString` of a date, for whole milliseconds. Most rows of a page are from a few days, so the date
 * is cached, and the time needs no calendar.
 */
export function isoTime(millis: number): string {
  if (!Number.isInteger(millis) || Math.abs(millis) > MAX_MS) return new Date(millis).toISOString()
  const day = Math.floor(millis / DAY_MS)
  const rest = millis - day * DAY_MS
  const seconds = Math.floor(rest / 1000)
  const minutes = Math.floor(seconds / 60)
  const time = `${TWO[Math.floor(minutes / 60)]}:${TWO[minutes % 60]}:${TWO[seconds % 60]}.${THREE[rest % 1000]}Z`
  return (dates.get(day) ?? dateOf(day)) + time
}

function dateOf(day: number): string {
  const date = new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length)
  if (dates.size >= MAX_DAYS) dates.clear()
  dates.set(day, date)
  return date
}
