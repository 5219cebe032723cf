// The owner's wall clock (Central European Time), computed here, because time zone data of the host could change the
// records.

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

export const yearStart = Date.UTC(2025, 10, 1)
export const yearEnd = Date.UTC(2026, 9, 31, 23, 59, 59)

const summerStart = Date.UTC(2026, 2, 29, 1)
const summerEnd = Date.UTC(2026, 9, 25, 1)

const offsetHours = (instant: number) => (instant >= summerStart && instant < summerEnd ? 2 : 1)

const pad = (value: number, width = 2) => String(value).padStart(width, '0')

/** Converts "2026-03-14" and "09:30" on the owner's wall clock to an instant. */
export const instantOf = (date: string, time = '00:00'): number => {
  const [y, m, d] = date.split('-').map(Number)
  const [h, min] = time.split(':').map(Number)
  const wall = Date.UTC(y!, m! - 1, d!, h!, min!)
  if (Number.isNaN(wall)) throw new Error(`not a date and time: ${date} ${time}`)
  const winter = wall - hour
  return winter >= summerStart && winter < summerEnd ? wall - 2 * hour : winter
}

export const utc = (instant: number): string => `${new Date(instant).toISOString().slice(0, 19)}Z`

export const zoned = (instant: number): string => {
  const offset = offsetHours(instant)
  return `${new Date(instant + offset * hour).toISOString().slice(0, 19)}+${pad(offset)}:00`
}

/** The connector fetches every 15 minutes, so a record arrives at the next quarter of an hour after its creation. */
export const arrival = (instant: number): string => utc(Math.ceil(instant / (15 * minute)) * 15 * minute)

const months = 'January February March April May June July August September October November December'.split(' ')
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

export interface Day {
  index: number
  date: string
  weekday: number
  weekdayName: string
  month: number
  label: string
  at(time: string): number
}

const dayOf = (index: number): Day => {
  const when = new Date(yearStart + index * day)
  const date = when.toISOString().slice(0, 10)
  const weekday = when.getUTCDay()
  const month = when.getUTCMonth() + 1
  const label = `${when.getUTCDate()} ${months[month - 1]}`
  return { index, date, weekday, weekdayName: weekdays[weekday]!, month, label, at: (time) => instantOf(date, time) }
}

export const days: readonly Day[] = Array.from({ length: 365 }, (_, index) => dayOf(index))

export const isWorkday = (of: Day): boolean => of.weekday > 0 && of.weekday < 6

/** "08:05" for 8 hours and 5 minutes. */
export const wallTime = (hours: number, minutes: number): string => `${pad(hours)}:${pad(minutes)}`
