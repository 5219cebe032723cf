import { arrival, type Day, days, hour, instantOf, isWorkday, utc, wallTime, yearEnd } from '../clock.ts'
import { write } from '../grammar.ts'
import { idFor, type Random, random } from '../random.ts'
import { meetingNote, readingNote, shopping, siteNote } from '../scenes/notes.ts'
import { recipes } from '../scenes/recipes.ts'
import { isAway, seasonal } from '../season.ts'
import { stories } from '../stories/index.ts'
import type { DemoRecord } from '../types.ts'
import { type Note, oddNotes } from './note-oddities.ts'
import { journalEntry, longNotes } from './note-pages.ts'

const fromStories = (): Note[] =>
  stories.flatMap(({ beats }) =>
    beats.flatMap((beat) => {
      if (beat.kind !== 'note') return []
      const { key, title, body, folder, tags, at } = beat
      return [{ key, title, body, folder, tags, created: at - 40 * 60_000, updated: at }]
    }),
  )

const evening = (day: Day, rng: Random) => day.at(wallTime(rng.int(18, 22), rng.int(0, 59)))

const monthNames = 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' ')

const journalNotes = (rng: Random): Note[] =>
  days
    .filter((day) => day.index % 5 < 2 && !isAway(day.date))
    .map((day) => {
      const at = evening(day, rng)
      // Her journal app uses paths as ids, with German month names and colons.
      const key = `Journal/${day.date.slice(0, 4)}/${monthNames[day.month - 1]}: ${Number(day.date.slice(8))}.`
      const title = `${day.weekdayName}, ${day.label}`
      return {
        key,
        title,
        body: journalEntry(day.date, rng),
        folder: 'Journal',
        created: at,
        updated: at,
        tags: ['journal'],
      }
    })

interface Kind {
  title: string
  body: string
  folder: string
  tags: string[]
}

const kinds: Kind[] = [
  { title: '{Meeting}, {label}', body: meetingNote, folder: 'Work', tags: ['meeting'] },
  { title: '{Meeting}: {site} and {site2}', body: meetingNote, folder: 'Work', tags: ['meeting'] },
  { title: 'Shopping, {label}', body: shopping, folder: 'Lists', tags: ['list'] },
  { title: 'Site sheet: {site}', body: siteNote, folder: 'Work', tags: ['site'] },
  { title: 'Reading: {film}', body: readingNote, folder: 'Books', tags: ['reading'] },
]

const everyday = (rng: Random): Note[] => {
  const atWork = rng.deck(kinds)
  const atHome = rng.deck(kinds.filter((kind) => kind.folder !== 'Work'))
  return days
    .filter((day) => day.index % 7 < 4 && !isAway(day.date))
    .map((day) => {
      const kind = isWorkday(day) ? atWork() : atHome()
      const at = evening(day, rng)
      const bound = seasonal(day.date, rng).set('label', day.label)
      const title = write(kind.title, rng, bound)
      const body = write(kind.body.replaceAll('[ ]', '(open)').replaceAll('[x]', '(done)'), rng, bound)
      const markdown = body.replaceAll('(open)', '[ ]').replaceAll('(done)', '[x]')
      const updated = Math.min(at + (rng.chance(0.3) ? rng.int(1, 90) * 24 * hour : 0), yearEnd)
      const key = idFor('note', `everyday/${day.date}`)
      return { key, title, body: markdown, folder: kind.folder, created: at, updated, tags: kind.tags }
    })
}

const recipeNotes = (rng: Random): Note[] =>
  recipes.map(({ title, body }, index) => {
    const created = evening(days[8 + index * 15]!, rng)
    return {
      key: idFor('note', `recipe/${title}`),
      title,
      body,
      folder: 'Recipes',
      created,
      updated: created,
      tags: ['recipe'],
    }
  })

const diaries = (): Note[] =>
  longNotes().map((note, index) => {
    const updated = instantOf('2026-10-30', wallTime(20, index))
    return { key: idFor('note', note.title), ...note, created: instantOf('2025-11-28', '20:00'), updated }
  })

/** Removes repeated notes about the same place or book. */
const withoutTwins = (notes: Note[]): Note[] => {
  const seen = new Set<string>()
  return notes.filter((note) => {
    const twin = /^(Site sheet|Reading)/.test(note.title) && seen.has(note.title)
    seen.add(note.title)
    return !twin
  })
}

export function* noteRecords(): Iterable<DemoRecord> {
  const rng = random('notes')
  const all = withoutTwins([
    ...fromStories(),
    ...journalNotes(rng),
    ...everyday(rng),
    ...recipeNotes(rng),
    ...diaries(),
    ...oddNotes(),
  ])
  for (const note of all.sort((a, b) => a.updated - b.updated || (a.key < b.key ? -1 : 1))) {
    const data = {
      id: note.key,
      title: note.title,
      body: note.body,
      ...(note.folder === undefined ? {} : { folder: note.folder }),
      created_at: utc(note.created),
      updated_at: utc(note.updated),
      ...(note.tags === undefined ? {} : { tags: note.tags }),
    }
    yield { connection_id: 'notes', stream: 'notes', key: note.key, data, emitted_at: arrival(note.updated) }
  }
}
