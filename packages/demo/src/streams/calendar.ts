import { type CastKey, personOf, team } from '../cast.ts'
import { arrival, type Day, days, instantOf, isWorkday, minute, wallTime, yearEnd, zoned } from '../clock.ts'
import { write } from '../grammar.ts'
import { type Random, random } from '../random.ts'
import { isAway, isClosed, isResting, seasonal } from '../season.ts'
import { stories } from '../stories/index.ts'
import { eventId } from '../story-beat.ts'
import type { DemoRecord } from '../types.ts'
import { occasions, regulars } from './calendar-plan.ts'

interface CalendarEvent {
  ref: string
  at: number
  minutes: number
  title: string
  location: string
  people: CastKey[]
  organizer: CastKey
  description: string | null
  status: string
  allDay: boolean
}

const fromStories = (): CalendarEvent[] =>
  stories.flatMap(({ beats }) =>
    beats.flatMap((beat) =>
      beat.kind === 'event' ? [{ ...beat, organizer: 'mira' as const, allDay: false, status: beat.status }] : [],
    ),
  )

const isOff = (day: Day) => isAway(day.date) || isClosed(day.date)

const recurring = (rng: Random): CalendarEvent[] =>
  regulars.flatMap((regular) =>
    days
      .filter((day) => day.date >= regular.from && day.date <= regular.to && !isOff(day))
      .filter((day) => regular.weekdays.includes(day.weekday) && Math.floor((day.index + 5) / 7) % regular.every === 0)
      .map((day) => {
        const bound = seasonal(day.date, rng)
        const rested = isResting(day.date) && /run/i.test(regular.title)
        return {
          ref: `${regular.title}/${day.date}`,
          at: day.at(regular.time),
          minutes: regular.minutes,
          title: write(regular.title, rng, bound),
          location: regular.location,
          people: regular.people,
          organizer: regular.people[0] ?? ('mira' as const),
          description: rested
            ? 'Knee. Not before the 23rd.'
            : regular.notes.length > 0
              ? write(rng.pick(regular.notes), rng, bound)
              : null,
          status: rested || rng.chance(0.05) ? 'cancelled' : 'confirmed',
          allDay: false,
        }
      }),
  )

const occasional = (rng: Random): CalendarEvent[] => {
  const atWork = rng.deck(occasions.filter((one) => one.work))
  const atHome = rng.deck(occasions.filter((one) => !one.work))
  return days
    .filter((day) => !isOff(day) && rng.chance(isWorkday(day) ? 0.75 : 0.5))
    .map((day) => {
      const occasion = isWorkday(day) && rng.chance(0.6) ? atWork() : atHome()
      const who = rng.shuffled(team).slice(0, occasion.work ? rng.int(1, 4) : 0)
      const bound = seasonal(day.date, rng).set('b', personOf(who[0] ?? 'caspar').name.split(' ')[0]!)
      const hours = occasion.work ? rng.int(9, 16) : rng.int(17, 20)
      return {
        ref: `occasion/${day.date}`,
        at: occasion.allDay ? day.at('00:00') : day.at(wallTime(hours, rng.pick([0, 0, 15, 30, 30]))),
        minutes: occasion.allDay ? 24 * 60 : rng.pick([30, 45, 60, 60, 90, 120]),
        title: write(occasion.title, rng, bound),
        location: write(occasion.location, rng, bound),
        people: who,
        organizer: rng.chance(0.6) ? ('mira' as const) : (who[0] ?? ('mira' as const)),
        description: occasion.note ? write(occasion.note, rng, bound) : null,
        status: rng.pick(['confirmed', 'confirmed', 'confirmed', 'confirmed', 'tentative', 'cancelled']),
        allDay: occasion.allDay,
      }
    })
}

export function* eventRecords(): Iterable<DemoRecord> {
  const rng = random('calendar')
  const all = [...fromStories(), ...recurring(rng), ...occasional(rng)]
  all.sort((a, b) => a.at - b.at || (a.ref < b.ref ? -1 : 1))
  for (const event of all) {
    if (event.at < instantOf('2025-11-01') || event.at > yearEnd) continue
    const id = eventId(event.ref)
    const data = {
      id,
      title: event.title,
      starts_at: zoned(event.at),
      ends_at: zoned(event.at + event.minutes * minute),
      ...(event.location ? { location: event.location } : {}),
      attendees: event.people.map((key) => personOf(key).name),
      organizer: personOf(event.organizer).name,
      description: event.description,
      status: event.status,
      all_day: event.allDay,
    }
    yield { connection_id: 'calendar', stream: 'events', key: id, data, emitted_at: arrival(event.at) }
  }
}
