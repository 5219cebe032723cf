import { arrival, type Day, days, isWorkday, minute, utc, wallTime, yearEnd } from '../clock.ts'
import { type Random, random } from '../random.ts'
import { stories } from '../stories/index.ts'
import type { DemoRecord } from '../types.ts'
import { discography, type Track } from './discography.ts'

interface Play extends Track {
  at: number
  skipped: boolean
}

const fromStories = (): Play[] =>
  stories.flatMap(({ beats }) =>
    beats.flatMap((beat) => {
      if (beat.kind !== 'play') return []
      const known = discography().find(({ track }) => track.track === beat.track && track.artist === beat.artist)
      if (!known) throw new Error(`no such record in the house: ${beat.track}`)
      return [{ ...known.track, at: beat.at, skipped: false }]
    }),
  )

const session = (start: number, count: number, tracks: Track[], rng: Random): Play[] => {
  let at = start
  const next = rng.deck(tracks)
  return Array.from({ length: count }, () => {
    const track = next()
    const skipped = rng.chance(0.07)
    const play = { ...track, at, skipped, ms: skipped ? rng.int(4, 50) * 1000 : track.ms }
    at += play.ms + rng.int(1, 4) * 1000
    return play
  })
}

/** She plays an album often for a few weeks, so her favourites change over the year. */
const tracksFor = (mood: string, day: Day, rng: Random): Track[] => {
  const suited = discography().filter((one) => one.moods.includes(mood))
  const albums = [...new Set(suited.map((one) => one.track.album))]
  const favourites = [0, 1, 2].map((nth) => albums[(Math.floor(day.index / 17) * 3 + nth) % albums.length])
  return suited.filter((one) => favourites.includes(one.track.album) || rng.chance(0.25)).map((one) => one.track)
}

const sessionsOf = (day: Day, rng: Random): Play[] => {
  const plays: Play[] = []
  const add = (mood: string, hours: number, count: number) =>
    plays.push(...session(day.at(wallTime(hours, rng.int(0, 55))), count, tracksFor(mood, day, rng), rng))
  if (isWorkday(day) && rng.chance(0.85)) add('work', rng.int(9, 11), rng.int(5, 10))
  if (isWorkday(day) && rng.chance(0.5)) add('work', rng.int(14, 15), rng.int(3, 7))
  if ([0, 3].includes(day.weekday) && rng.chance(0.85)) add('run', 6, rng.int(8, 14))
  if (rng.chance(0.55)) add('home', rng.int(19, 21), rng.int(4, 8))
  return plays
}

export function* playRecords(): Iterable<DemoRecord> {
  const rng = random('music')
  const fixed = fromStories()
  const near = (at: number) => fixed.some((one) => Math.abs(one.at - at) < 5 * minute)
  const everyday = days.flatMap((day) => sessionsOf(day, rng)).filter((one) => !near(one.at) && one.at <= yearEnd)
  const all = [...fixed, ...everyday].sort((a, b) => a.at - b.at)
  for (const play of all) {
    const played_at = utc(play.at)
    const { track, artist, album, ms, skipped } = play
    const data = { track, artist, album, played_at, duration_ms: ms, skipped }
    yield { connection_id: 'music', stream: 'plays', key: [played_at, track], data, emitted_at: arrival(play.at) }
  }
}
