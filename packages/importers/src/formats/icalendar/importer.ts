import type { Importer } from '../../importer.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { connectionId } from '../../reading/stable-ids.ts'
import { calendarName } from './components.ts'
import { calendarDeclaration } from './declaration.ts'

const BEGIN = /^\s*BEGIN:\s*(?:VCALENDAR|VEVENT|VTODO|VJOURNAL|VFREEBUSY)\s*\r?\n/i
const NAME = /^(X-WR-CALNAME|NAME)(?:;[^:\n]*)?:(.*(?:\r?\n[ \t].*)*)$/im

/** Imports calendars: events with all their dates, tasks and journals. */
export const icalendar: Importer = {
  id: 'icalendar',
  name: 'Calendar',
  kind: 'calendar',
  reads: 'iCalendar files (.ics) of any calendar, each calendar or a single invitation',

  async detect({ input, head: { text = '' } }) {
    if (!BEGIN.test(text)) return
    // Files of one calendar belong together. Files without a calendar name are mostly invitations.
    return { format: 'icalendar', inputs: [input], group: `calendar ${nameIn(text) ?? ''}` }
  },

  async streams(claim, overrides, known) {
    const { surveyOf } = await import('./survey.ts')
    const { headOf } = await import('../../reading/input-head.ts')
    const name = nameIn((await headOf(claim.inputs[0]!)).text ?? '')
    const { hasLocalTimes } = await surveyOf(claim.inputs)
    const zone = hasLocalTimes ? (overrides.zone ?? 'UTC') : undefined
    const connection =
      name === undefined
        ? { id: connectionId('icalendar'), name: 'Calendar: invitations and files without a name' }
        : { id: connectionId('icalendar', name), name: `Calendar: ${name}` }
    const source = { claim, declaration: calendarDeclaration, connection, zone, read: icalendar.read }
    return [await fixedPlan(source, overrides, known)]
  },

  async *read(plan, tally) {
    // The library is loaded when the first calendar comes.
    const { readCalendars } = await import('./read.ts')
    yield* readCalendars(plan, tally)
  },
}

/** The name of the calendar, which comes before its first event. */
function nameIn(text: string): string | undefined {
  const start = text.slice(0, text.search(/^BEGIN:(?!VCALENDAR)/im) >>> 0)
  const [, property, value] = NAME.exec(start) ?? []
  return property === undefined
    ? undefined
    : calendarName({ [property.toUpperCase()]: value!.replace(/\r?\n[ \t]/g, '').trim() })
}
