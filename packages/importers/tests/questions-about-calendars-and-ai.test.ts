// Questions of an agent, answered through MCP, about exports that were imported as people import them.
import { type ImportInput, importers } from '@pdpp/importers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AdapterServer, type Source, startAdapter } from '../../../tests/adapter/adapter-server.ts'
import { readExport } from '../src/run/importer-battery.fixture.ts'

const CHATGPT = JSON.stringify([
  {
    title: 'Sourdough for Ida',
    conversation_id: 'c1',
    update_time: 1_767_351_700,
    current_node: 'again',
    mapping: {
      ask: {
        id: 'ask',
        parent: null,
        message: {
          author: { role: 'user' },
          create_time: 1_767_351_600,
          content: { content_type: 'text', parts: ['Why is the crumb of my sourdough so dense?'] },
        },
      },
      first: {
        id: 'first',
        parent: 'ask',
        message: {
          author: { role: 'assistant' },
          create_time: 1_767_351_610,
          content: { content_type: 'text', parts: ['The oven was too cold for your sourdough.'] },
        },
      },
      again: {
        id: 'again',
        parent: 'ask',
        message: {
          author: { role: 'assistant' },
          create_time: 1_767_351_650,
          content: { content_type: 'text', parts: ['Proof the sourdough four hours longer, at 24 degrees.'] },
        },
      },
    },
  },
])

const CALENDAR = [
  'BEGIN:VCALENDAR',
  'X-WR-CALNAME:Choir',
  'X-WR-TIMEZONE:Europe/Berlin',
  'BEGIN:VEVENT',
  'UID:rehearsal',
  'DTSTAMP:20260101T000000Z',
  'DTSTART;TZID=Europe/Berlin:20260107T190000',
  'DTEND;TZID=Europe/Berlin:20260107T210000',
  'RRULE:FREQ=WEEKLY',
  'SUMMARY:Rehearsal',
  'LOCATION:Hall of St. Mark',
  'ORGANIZER;CN=Ida Fisk:mailto:ida@choir.example',
  'ATTENDEE;CN=Bo Vale;PARTSTAT=DECLINED:mailto:bo@vale.example',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'UID:rehearsal',
  'DTSTAMP:20260101T000000Z',
  'RECURRENCE-ID;TZID=Europe/Berlin:20260401T190000',
  'DTSTART;TZID=Europe/Berlin:20260402T180000',
  'DTEND;TZID=Europe/Berlin:20260402T200000',
  'SUMMARY:Rehearsal',
  'LOCATION:Town hall',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n')

const input = (name: string, text: string): ImportInput => ({
  name,
  async *open() {
    yield Buffer.from(text)
  },
})

/** A source with everything that an importer makes of a file. */
async function imported(id: string, name: string, text: string): Promise<Source> {
  const { plans, records } = await readExport(importers.find((importer) => importer.id === id)!, [input(name, text)])
  const { declaration, connection } = plans[0]!
  const { id: connectionId, name: shown } = connection ?? { id, name: declaration.display.name }
  const byStream = Map.groupBy(records, ({ stream }) => stream)
  return {
    declaration: { ...declaration },
    connections: [{ id: connectionId, name: shown }],
    feeds: [...byStream].map(([stream, of]) => ({
      connection: connectionId,
      stream,
      records: of.map(({ key, data }) => ({ key, data: { ...data } })),
    })),
  }
}

let adapter: AdapterServer
let choir: string
beforeAll(async () => {
  const calendar = await imported('icalendar', 'choir.ics', CALENDAR)
  choir = calendar.connections[0]!.id
  adapter = await startAdapter([await imported('chatgpt', 'conversations.json', CHATGPT), calendar])
})
afterAll(() => adapter.close())

describe('an agent is asked', () => {
  it('what ChatGPT advised about sourdough, in the answer that was kept', async () => {
    const hits = await adapter.call('search', { query: 'sourdough longer degrees', limit: 5 })
    expect(hits.text).toContain('Proof the sourdough four hours longer')
    const answers = await adapter.call('query_records', {
      stream: 'messages',
      connection_id: 'chatgpt',
      filter: { author: 'ChatGPT', sent_at: { gte: '2026-01-01', lt: '2026-02-01' } },
    })
    expect(answers.text).toContain('Sourdough for Ida')
    const branch = await adapter.call('fetch', { id: 'chatgpt/messages:c1%2Ffirst' })
    expect(branch.structured['text']).toContain('is_current_branch')
  })

  it('where the rehearsal of early April is, with its moved date', async () => {
    const week = await adapter.call('query_records', {
      stream: 'occurrences',
      connection_id: choir,
      filter: { starts_at: { gte: '2026-03-30T00:00:00+02:00', lt: '2026-04-06T00:00:00+02:00' } },
    })
    expect(week.isError).toBe(false)
    expect(week.text).toContain('Town hall')
    expect(week.text).toContain('2026-04-02 18:00+02:00')
    expect(week.text).not.toContain('2026-04-01 19:00')
  })

  it('how many rehearsals there are in May 2027, and who does not come', async () => {
    const count = await adapter.call('aggregate', {
      stream: 'occurrences',
      connection_id: choir,
      metric: 'count',
      filter: { title: 'Rehearsal', starts_at: { gte: '2027-05-01', lt: '2027-06-01' } },
    })
    expect(count.text).toMatch(/= 4\b/)
    const declined = await adapter.call('query_records', {
      stream: 'attendees',
      connection_id: choir,
      filter: { status: 'declined' },
    })
    expect(declined.text).toContain('Bo Vale')
    const event = await adapter.call('search', { query: 'rehearsal St. Mark', limit: 3 })
    expect(event.text).toContain('Hall of St. Mark')
  })
})
