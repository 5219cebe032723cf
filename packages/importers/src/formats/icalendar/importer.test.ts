import { describe, expect, it } from 'vitest'
import { candidate } from '../../reading/input-head.ts'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { icalendar } from './importer.ts'

const calendar = (...components: string[]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Test//EN',
    'X-WR-CALNAME:Choir\\, spring',
    'X-WR-TIMEZONE:Europe/Berlin',
  ]
    .concat(components, 'END:VCALENDAR', '')
    .join('\r\n')
const event = (uid: string, ...lines: string[]) =>
  ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT'].join('\r\n')

const WEEKLY = event(
  'rehearsal@choir.example',
  'DTSTART;TZID=Europe/Berlin:20260318T190000',
  'DTEND;TZID=Europe/Berlin:20260318T210000',
  'RRULE:FREQ=WEEKLY;COUNT=4',
  'EXDATE;TZID=Europe/Berlin:20260325T190000',
  'SUMMARY:Rehearsal',
  'LOCATION:St. Mark\\, hall',
  'GEO:52.52;13.40',
  'CATEGORIES:Music,Friends',
  'ORGANIZER;CN=Ida Fisk:mailto:ida@choir.example',
  'ATTENDEE;CN=Bo Vale;PARTSTAT=ACCEPTED;ROLE=REQ-PARTICIPANT:mailto:bo@vale.example',
  'ATTENDEE;PARTSTAT=DECLINED:mailto:mira@tallow.example',
  'ATTENDEE;PARTSTAT=DECLINED:MAILTO:mira@tallow.example',
  'ATTACH;VALUE=BINARY;ENCODING=BASE64;FMTTYPE=text/plain;FILENAME=song.txt:TGEgbGEgbGE=',
  'ATTACH:https://choir.example/programme',
  'X-ROOM-COLOUR:green',
  'DESCRIPTION:Bring the red',
  '  folder.\\nAnd water.',
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  'TRIGGER:-PT30M',
  'END:VALARM',
)
const MOVED = event(
  'rehearsal@choir.example',
  'RECURRENCE-ID;TZID=Europe/Berlin:20260401T190000',
  'DTSTART;TZID=Europe/Berlin:20260402T180000',
  'DTEND;TZID=Europe/Berlin:20260402T200000',
  'SUMMARY:Rehearsal, moved',
)
const FILE = calendar(
  WEEKLY,
  MOVED,
  event('trip', 'DTSTART;VALUE=DATE:20260501', 'DTEND;VALUE=DATE:20260504', 'SUMMARY:Trip'),
  event('old', 'SEQUENCE:1', 'DTSTART:20260110T100000Z', 'SUMMARY:New name'),
  event('old', 'SEQUENCE:0', 'DTSTART:20260110T100000Z', 'SUMMARY:Old name'),
  'BEGIN:VTODO\r\nUID:t1\r\nSUMMARY:Copy notes\r\nDUE;VALUE=DATE:20260320\r\nSTATUS:COMPLETED\r\nPRIORITY:2\r\nEND:VTODO',
  'BEGIN:VJOURNAL\r\nUID:j1\r\nDTSTART;VALUE=DATE:20260319\r\nSUMMARY:First evening\r\nDESCRIPTION:Loud.\r\nEND:VJOURNAL',
  'BEGIN:VFREEBUSY\r\nUID:f1\r\nEND:VFREEBUSY',
)

const read = (text: string, overrides = {}) => readExport(icalendar, [memoryInput('a.ics', text, 4096)], overrides)
const startsOf = ({ records }: Awaited<ReturnType<typeof read>>) =>
  records.filter(({ stream }) => stream === 'occurrences').map(({ data }) => data['starts_at'])

describe('a calendar', () => {
  it('has its events with people, place, alarms and everything else', async () => {
    const { records, plans } = await read(FILE)
    expect(plans[0]!.connection).toMatchObject({ name: 'Calendar: Choir, spring' })
    const unnamed = await read(FILE.replace(/X-WR-CALNAME.*\r\n/, ''))
    expect(unnamed.plans[0]!.connection?.name).toBe('Calendar: invitations and files without a name')
    const of = (stream: string) => records.filter((record) => record.stream === stream).map(({ data }) => data)
    expect(of('events')[0]).toMatchObject({
      id: 'rehearsal@choir.example',
      calendar: 'Choir, spring',
      title: 'Rehearsal',
      description: 'Bring the red folder.\nAnd water.',
      location: 'St. Mark, hall',
      latitude: 52.52,
      starts_at: '2026-03-18T19:00:00+01:00',
      ends_at: '2026-03-18T21:00:00+01:00',
      is_recurring: true,
      recurrence: 'FREQ=WEEKLY;COUNT=4',
      organiser: 'Ida Fisk',
      attendees: ['Ida Fisk', 'Bo Vale', 'mira@tallow.example'],
      categories: ['Music', 'Friends'],
      alarms: [{ action: 'display', minutes_before: 30, related: 'start', at: null }],
      attachment_count: 2,
      detail: { 'x-room-colour': 'green' },
    })
    expect(of('attendees')[1]).toMatchObject({
      name: 'Bo Vale',
      role: 'required',
      status: 'accepted',
      is_organiser: false,
    })
    expect(of('attachments').map((each) => [each['filename'], each['extracted_text'], each['url']])).toEqual([
      ['song.txt', 'La la la', null],
      [null, null, 'https://choir.example/programme'],
    ])
    expect(of('tasks')[0]).toMatchObject({
      title: 'Copy notes',
      due_date: '2026-03-20',
      status: 'completed',
      priority: 2,
    })
    expect(of('journal')[0]).toMatchObject({ title: 'First evening', text: 'Loud.', date: '2026-03-19' })
    expect(of('calendars')[0]).toMatchObject({ name: 'Choir, spring', event_count: 4, zone: 'Europe/Berlin' })
    expect(of('events').map(({ title }) => title)).toContain('New name')
  })

  it('has every date, with its exceptions, moves and summer time', async () => {
    const { records } = await read(FILE)
    const dates = records
      .filter(({ stream }) => stream === 'occurrences')
      .map(({ key, data }) => [key, data['starts_at'], data['ends_at']])
    expect(dates.filter(([key]) => String(key).startsWith('rehearsal'))).toEqual([
      ['rehearsal@choir.example/20260318T190000', '2026-03-18T19:00:00+01:00', '2026-03-18T21:00:00+01:00'],
      ['rehearsal@choir.example/20260408T190000', '2026-04-08T19:00:00+02:00', '2026-04-08T21:00:00+02:00'],
      ['rehearsal@choir.example/20260401T190000', '2026-04-02T18:00:00+02:00', '2026-04-02T20:00:00+02:00'],
    ])
    const trip = records.find(({ stream, data }) => stream === 'occurrences' && data['title'] === 'Trip')!.data
    expect(trip).toMatchObject({
      is_all_day: true,
      start_date: '2026-05-01',
      end_date: '2026-05-03',
      starts_at: '2026-05-01T00:00:00+02:00',
      ends_at: '2026-05-04T00:00:00+02:00',
    })
  })

  it('ends recurring events two years after the newest date in the file', async () => {
    const text = calendar(event('b', 'DTSTART;VALUE=DATE:20200229', 'RRULE:FREQ=YEARLY', 'SUMMARY:Birthday'))
    // The newest date is 1 January 2026, when the file was made. Leap days come every four years.
    expect(startsOf(await read(text))).toEqual(['2020-02-29T00:00:00+01:00', '2024-02-29T00:00:00+01:00'])
    const monthly = startsOf(await read(calendar(event('m', 'DTSTART:20251101T080000Z', 'RRULE:FREQ=MONTHLY'))))
    expect([monthly.length, monthly.at(-1)]).toEqual([26, '2027-12-01T08:00:00Z'])
  })

  it('compares the end of a rule as an instant', async () => {
    const rule = 'RRULE:FREQ=DAILY;UNTIL=20260303T000000Z'
    const tokyo = startsOf(await read(calendar(event('t', 'DTSTART;TZID=Asia/Tokyo:20260301T090000', rule))))
    expect(tokyo).toEqual(['2026-03-01T09:00:00+09:00', '2026-03-02T09:00:00+09:00', '2026-03-03T09:00:00+09:00'])
  })

  it('never hangs on a rule that no date fits', async () => {
    for (const rule of [
      'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=DAILY;INTERVAL=7;BYDAY=MO;BYMONTHDAY=40',
      'FREQ=SECONDLY',
      'FREQ=WEEKLY;INTERVAL=100000000',
      'FREQ=NEVER',
    ]) {
      const { records, coverage } = await read(calendar(event('r', 'DTSTART:20260303T100000Z', `RRULE:${rule}`)))
      expect([rule, records.some(({ stream }) => stream === 'events'), coverage.unexplained]).toEqual([rule, true, 0])
    }
  })

  it('reads zones that only the file describes, and says when nobody does', async () => {
    const zone = [
      'BEGIN:VTIMEZONE',
      'TZID:Far Away',
      'BEGIN:STANDARD',
      'DTSTART:19700101T000000',
      'TZOFFSETFROM:+0545',
      'TZOFFSETTO:+0545',
      'END:STANDARD',
      'END:VTIMEZONE',
    ].join('\r\n')
    const there = event('z', 'DTSTART;TZID=Far Away:20260303T100000')
    expect(startsOf(await read(calendar(there, zone)))).toEqual(['2026-03-03T10:00:00+05:45'])
    const lost = await read(calendar(there))
    expect(startsOf(lost)).toEqual(['2026-03-03T10:00:00+01:00'])
    expect(lost.problems).toBe(1)
    const slashes = event('s', 'DTSTART;TZID=/citadel.example/2019_1/America/New_York:20260703T100000')
    expect(startsOf(await read(calendar(slashes)))).toEqual(['2026-07-03T10:00:00-04:00'])
  })

  it('asks for a zone only if a time has none', async () => {
    const floating = calendar(event('f', 'DTSTART:20260303T100000')).replace(/X-WR-TIMEZONE.*\r\n/, '')
    const { plans, ...result } = await read(floating, { zone: 'America/Lima' })
    expect([plans[0]!.zone, startsOf({ plans, ...result })]).toEqual(['America/Lima', ['2026-03-03T10:00:00-05:00']])
    expect((await read(calendar(event('u', 'DTSTART:20260303T100000Z')))).plans[0]!.zone).toBeUndefined()
  })

  it('that is imported again in a newer version changes only what changed', async () => {
    const data = async (text: string) =>
      new Map((await read(text)).records.map(({ stream, key, data }) => [`${stream} ${key}`, JSON.stringify(data)]))
    const before = await data(FILE)
    const after = await data(
      FILE.replaceAll('DTSTAMP:20260101', 'DTSTAMP:20260201').replace('SUMMARY:Trip', 'SUMMARY:Hike'),
    )
    const changed = [...after].filter(([key, value]) => before.get(key) !== value).map(([key]) => key)
    expect(changed).toEqual(['events trip', 'occurrences trip/20260501'])
  })

  it('without ids is known by its content, so nothing comes twice', async () => {
    const text = calendar(
      'BEGIN:VEVENT\r\nDTSTART:20260303T100000Z\r\nSUMMARY:Tea\r\nEND:VEVENT'.concat('\r\n').repeat(2).trim(),
    )
    const { records } = await readExport(icalendar, [memoryInput('a.ics', text), memoryInput('b/a.ics', text)])
    expect(records.filter(({ stream }) => stream === 'events')).toHaveLength(2)
  })

  it('is recognised by its content', async () => {
    const detect = async (text: string) => icalendar.detect(await candidate(memoryInput('x.txt', text)))
    expect((await detect(`\ufeff${FILE}`))?.format).toBe('icalendar')
    expect((await detect('BEGIN:VEVENT\nSUMMARY:a\nEND:VEVENT\n'))?.format).toBe('icalendar')
    for (const other of ['BEGIN:VCARD\n', 'VCALENDAR', 'Subject: BEGIN:VCALENDAR\n'])
      expect(await detect(other)).toBeUndefined()
  })
})

importerBattery({
  importer: icalendar,
  files: { 'Calendar/choir.ics': FILE },
  records: { calendars: 1, events: 4, occurrences: 5, attendees: 3, attachments: 2, tasks: 1, journal: 1 },
  seen: { events: 5, attendees: 4, attachments: 2, tasks: 1, journal: 1, components: 1 },
  leftOut: [
    ['attendees', 'people who are named twice', 1],
    ['components', 'free and busy times are not imported', 1],
    ['events', 'older or equal copies', 1],
  ],
  // If the event that changes one date is cut off, the recurring event keeps that date.
  isOpenEnded: true,
})
