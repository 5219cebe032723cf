import type { Bindings } from './grammar.ts'
import type { Random } from './random.ts'
import { words } from './words/index.ts'

/** Wickwatch releases with their dates. The release of 23 April is the launch. */
const releases: [date: string, version: string][] = [
  ['2025-10-20', '0.9.5'],
  ['2025-11-17', '0.9.6'],
  ['2025-12-15', '0.9.7'],
  ['2026-01-26', '0.9.8'],
  ['2026-03-09', '0.9.9'],
  ['2026-04-23', '1.0.3'],
  ['2026-05-20', '1.0.4'],
  ['2026-06-24', '1.1.0'],
  ['2026-07-29', '1.1.1'],
  ['2026-08-26', '1.1.2'],
  ['2026-09-23', '1.2.0'],
  ['2026-10-20', '1.2.1'],
  ['2026-11-18', '1.2.2'],
]

/** Length of the night in minutes at Möwenhafen, by month. */
const nights = [0, 985, 870, 745, 610, 500, 440, 465, 565, 690, 825, 950, 1010]

export const nightMinutes = (month: number): number => nights[month]!

/** Words that depend on the time of year, so that no scene mentions snow in July or a release before its date. */
export const seasonal = (date: string, rng: Random, bound: Bindings = new Map()): Bindings => {
  const month = Number(date.slice(5, 7))
  const season = month >= 5 && month <= 9 ? 'summer' : 'winter'
  const current = releases.findLastIndex(([out]) => out <= date)
  bound.set('version', releases[current]![1])
  bound.set('version2', releases[current + 1]![1])
  const launched = date >= '2026-04-23'
  bound.set('units', String(launched ? 8 + 6 * (month - 3) + rng.int(0, 3) : rng.int(7, 8)))
  const weather = rng.shuffled([...words['weather_any']!, ...words[`weather_${season}`]!])
  bound.set('weather', weather[0]!)
  bound.set('weather2', weather[1]!)
  bound.set('weatherwork', rng.pick([...words['weatherwork_any']!, ...words[`weatherwork_${season}`]!]))
  return bound
}

/** Days away from home and workshop: Japan, and the wedding in Spain. */
const away: [from: string, to: string][] = [
  ['2026-05-02', '2026-05-17'],
  ['2026-08-27', '2026-08-31'],
]

/** The workshop is closed over Christmas. */
export const isClosed = (date: string): boolean => date >= '2025-12-24' && date <= '2026-01-02'

const resting: [from: string, to: string] = ['2026-08-10', '2026-08-22']

export const isAway = (date: string): boolean => away.some(([from, to]) => date >= from && date <= to)

/** True on the twelve days without running because of the knee. */
export const isResting = (date: string): boolean => date >= resting[0] && date <= resting[1]
