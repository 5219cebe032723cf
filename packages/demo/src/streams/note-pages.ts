import { days } from '../clock.ts'
import { write } from '../grammar.ts'
import { type Random, random } from '../random.ts'
import { journal } from '../scenes/notes.ts'
import { isAway, seasonal } from '../season.ts'

/** A journal entry of a few sentences. */
export const journalEntry = (date: string, rng: Random): string => {
  const bound = seasonal(date, rng)
  const parts = [journal.morning, journal.work, journal.evening].filter(() => rng.chance(0.8))
  const chosen = parts.flatMap((part) => rng.shuffled(part).slice(0, rng.pick([1, 1, 2])))
  const sentences = [...chosen, rng.pick(journal.thought)].map((sentence) => write(sentence, rng, bound))
  return sentences.filter(Boolean).join(' ')
}

const diary = (seed: string, every: number, from: number, to: number, lines: string[]): string => {
  const rng = random(seed)
  const next = rng.deck(lines)
  return days
    .filter((day) => day.index >= from && day.index < to && day.index % every === 0 && !isAway(day.date))
    .map(
      (day) =>
        `### ${day.weekdayName} ${day.label}\n\n${[next(), next()].map((line) => write(line, rng, seasonal(day.date, rng))).join(' ')}`,
    )
    .join('\n\n')
}

/** Notes that grow all year, to tens of kilobytes. */
export const longNotes = (): { title: string; folder: string; tags: string[]; body: string }[] => [
  {
    title: 'Accordion: practice log',
    folder: 'Music',
    tags: ['accordion', 'practice'],
    body: diary('long/accordion', 2, 26, 364, [
      '{n:10-55} minutes. Scales in [C|G|F|A minor|D minor], left hand [slow|slower|not at all].',
      'Valse des Phares, bars {n:1-30} to {n2:31-64}, at {n3:54-104} beats. [Clean twice.|Bar 36 again.|Caspar hummed along, unhelpfully.]',
      'Bellows exercise from Ludger: one long note, {n:8-22} seconds. [Nearly fainted.|Better than last week.|The cat left.]',
      'Could not practise, {reason}. Fingered it on the tram instead.',
      'Played for [Caspar|Hazel on the phone|Frau Nebelhorn, through the wall|the Admiral]. Verdict: "{adjective}".',
      'The G sharp sticks. [Damp.|Dry.|No reason.] Breathing on it helps.',
      'New tune by ear, something by {artist}. [Half of it.|The easy half.|Wrong key, right feeling.]',
    ]),
  },
  {
    title: 'Allotment diary 2026',
    folder: 'Garden',
    tags: ['allotment', 'diary'],
    body: diary('long/garden', 2, 151, 360, [
      '{Weather}. Weeded until my knees complained.',
      'Sowed {plant}, {n:2-9} rows. Herr Regenfass says too early. He always says too early.',
      '{Plant}: {adjective}. [Slugs.|Lin pinched out the tips.|Needs string.|First flowers.]',
      'Harvested {plant}, {n:200-2400} g. Gave half to [Ute|plot 30|the soup|Imke].',
      'The wren sang from the hedge. Gudrun walked by, heard it, and looked at the sky.',
      'Water butt at {n:10-100} percent. Rain {n2:0-28} mm.',
      'Saw {bird}. Did nothing for {n:10-60} minutes, with great success.',
    ]),
  },
  {
    title: 'Wickwatch: field notes',
    folder: 'Work',
    tags: ['wickwatch', 'field'],
    body: diary('long/field', 3, 5, 360, [
      '**{site}**, WW-{n:1004-1398}, {version}. {Bug}. Cause: {cause}.',
      'Installed at {site}: {n:2-5} hours, {n2:60-214} steps, one dropped {tool}.',
      'Keeper of {site} asks for [bigger letters|a bell|fewer alarms|a button that says "all is well"].',
      'Battery at {site}: {n:11-14}.{n2:1-9} V in the morning, {n3:12-14}.{n4:1-9} V at noon. [Fine.|Watch it.|Panel was covered by {bird}.]',
      'Cable route: behind the {part}, through the {part2}, never across the stairs.',
      'Lesson from {site}: label both ends. Lesson two: labels fall off, draw it.',
    ]),
  },
  {
    title: 'Running log',
    folder: 'Sport',
    tags: ['running', 'log'],
    body: diary('long/running', 2, 92, 330, [
      '{n:4-16} km in {n2:5-6}:{n3:10-59} per kilometre. {Weatherwork}.',
      'Stairs of the old tower, {n:4-12} times. Tomasz counted out loud.',
      'Rest. [Rolled the knee.|Ate {cake}.|Read about running instead.]',
      'Long and slow with Tomasz. We talked about {film} for {n:3-12} kilometres.',
      'Everything heavy. Turned round at {shop}. {Proverb}.',
      'Felt like flying for {n:2-9} minutes, then like {thing}.',
    ]),
  },
]

/** About a megabyte of log text, part of the gull-3 storyline. */
export const logPaste = (): string => {
  const rng = random('long/log')
  const levels = ['INFO', 'INFO', 'INFO', 'WARN', 'ERROR']
  const messages = [
    'heartbeat sent seq={n:1000-9999}',
    'lamp_hours=18446744073709551615 out of range',
    'sensor lamp0 returned -1 (unplugged?)',
    'export attempt {n:1-10} of 10 failed: no space left on device',
    'wrapping error in error depth={n:2-60}',
    'rotating log, {n:1-4} bytes freed',
    'gull detected by vibration sensor ({n:1-9} pecks)',
    'clock drift {n:1-900} ms against {site}',
    'retry in {n:1-30} s',
  ]
  const lines: string[] = []
  for (let i = 0, size = 0; size < 1_000_000; i++) {
    const seconds = Math.floor(i / 6)
    const stamp = new Date(Date.UTC(2026, 1, 11, 0, 30) + seconds * 1000).toISOString()
    const line = `${stamp} gull-3 exporter[${rng.int(300, 399)}] ${rng.pick(levels)} ${write(rng.pick(messages), rng)}`
    lines.push(line)
    size += line.length + 1
  }
  return lines.join('\n')
}
