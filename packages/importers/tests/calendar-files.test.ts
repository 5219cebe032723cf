import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type ReadResult, readExport } from '../src/run/importer-battery.fixture.ts'
import { corpusFiles, corpusFolder, hasCorpus, importerNamed, readCorpus } from './corpus.ts'

const sizeOf = ({ records }: ReadResult, stream: string) => records.filter((record) => record.stream === stream).length
const startsOf = ({ records }: ReadResult) =>
  records
    .filter(({ stream }) => stream === 'occurrences')
    .map(({ data }) => String(data['starts_at']))
    .toSorted()
const lostIn = ({ items }: ReadResult) =>
  items.flatMap((item) => ('problem' in item && !item.problem.kept ? [item.problem.reason] : []))

/** Reads each file by itself. */
async function* readEach(pattern: string): AsyncIterable<[name: string, read: ReadResult]> {
  for (const input of corpusFiles(pattern))
    yield [input.name.split('/').slice(-1)[0]!, await readExport(importerNamed('icalendar'), [input])]
}

describe.skipIf(!hasCorpus)('calendars that break parsers', () => {
  it('of ical.js, all 46 (import/ical-icaljs)', async () => {
    let count = 0
    for await (const [name, read] of readEach('ical-icaljs/**/*.ics')) {
      count++
      expect([name, read.plans.length, read.problems, read.coverage.unexplained]).toEqual([name, 1, 0, 0])
    }
    expect(count).toBe(46)
  })

  it('26 files give the same events as ical.js (import/ical-icaljs)', async () => {
    const files = corpusFiles('ical-icaljs/test/parser/*.json')
    expect(files).toHaveLength(26)
    const checked = { events: 0, cards: 0 }
    for (const { name } of files) {
      const expected = JSON.parse(readFileSync(join(corpusFolder, name), 'utf8'))
      // A root is [name, properties, components], and a file may have several.
      for (const [kind, properties, components] of Array.isArray(expected[0]) ? expected : [expected]) {
        if (kind === 'vcard') {
          const read = await readCorpus('vcard', name.replace(/json$/, 'vcf'))
          const [fn] = properties.filter(([property]: [string]) => property === 'fn')
          if (fn) expect([name, read.records[0]?.data['name']]).toEqual([name, fn[3]])
          expect([name, read.records.length, read.coverage.unexplained]).toEqual([name, 1, 0])
          checked.cards++
          continue
        }
        const events = components.filter(([component]: [string]) => component === 'vevent')
        const read = await readCorpus('icalendar', name.replace(/json$/, 'ics'))
        const rows = read.records.filter(({ stream }) => stream === 'events').map(({ data }) => data)
        expect([name, rows.length, read.coverage.unexplained]).toEqual([name, events.length, 0])
        for (const [, inside] of events) {
          const value = (of: string) => inside.find(([property]: [string]) => property === of)?.[3]
          const start = value('dtstart')
          const row = rows.find(({ title }) => title === (value('summary') ?? null))
          expect([name, row !== undefined]).toEqual([name, true])
          if (start !== undefined)
            expect([name, String(row!['starts_at']).slice(0, 10)]).toEqual([name, start.slice(0, 10)])
          checked.events++
        }
      }
    }
    expect(checked).toEqual({ events: 3, cards: 5 })
  })

  it.each([
    [
      'recur_instances_finite',
      1,
      [
        '2012-10-02T10:00:00-07:00',
        '2012-11-05T10:00:00-08:00',
        '2012-11-06T10:00:00-08:00',
        '2012-11-10T10:00:00-08:00',
        '2012-12-04T10:00:00-08:00',
      ],
    ],
    ['duration_instead_of_dtend', 1, ['2012-06-30T06:00:00-07:00']],
    ['only_dtstart_date', 1, ['2012-06-30T00:00:00-07:00']],
    ['timezone_from_file', 1, ['2023-03-06T13:42:00-07:41']],
  ])('the dates of %s (import/ical-icaljs)', async (name, events, starts) => {
    const read = await readCorpus('icalendar', `ical-icaljs/samples/${name}.ics`)
    expect([sizeOf(read, 'events'), startsOf(read)]).toEqual([events, starts])
  })

  it('of icalendar: loses only unreadable ones (import/ical-collective)', {
    timeout: 120_000,
  }, async () => {
    const lost: string[] = []
    const unclaimed: string[] = []
    let count = 0
    for await (const [name, read] of readEach('ical-collective/**/*.ics')) {
      count++
      if (read.plans.length === 0) unclaimed.push(name)
      for (const reason of lostIn(read)) lost.push(`${name}: ${reason}`)
      expect([name, read.coverage.unexplained]).toEqual([name, 0])
    }
    expect(count).toBe(157)
    expect(lost).toEqual([])
    // Alarms and unknown components alone are not a calendar.
    expect(unclaimed).toEqual([
      'example.ics',
      'rfc_5545_absolute_alarm_example.ics',
      'rfc_5545_end.ics',
      'start_date.ics',
      'fuzz_testcase_0_char_in_component_name.ics',
      'fuzz_testcase_invalid_month.ics',
      'fuzz_testcase_vtimezone_lone_cr.ics',
      'issue_178_component_with_invalid_name_represented.ics',
      'issue_178_custom_component_contains_other.ics',
    ])
  })

  it('one named case each (import/ical-collective)', async () => {
    const one = async (path: string) => readCorpus('icalendar', `ical-collective/${path}.ics`)
    expect(startsOf(await one('calendars/example')).map((start) => start.slice(0, 10))).toEqual([
      '2022-01-01',
      '2022-01-07',
      '2022-03-08',
    ])
    expect(startsOf(await one('calendars/issue_165_missing_event')).length).toBeGreaterThan(1)
    expect(startsOf(await one('events/event_with_recurrence_exdates_on_different_lines'))).toHaveLength(10)
    expect(sizeOf(await one('calendars/big_bad_calendar'), 'events')).toBe(20)
    const broken = await one('calendars/broken_dtstart')
    expect([sizeOf(broken, 'events'), broken.problems]).toEqual([1, 1])
  })

  it('bookings of trains, flights and hotels (import/passes-kitinerary)', async () => {
    let count = 0
    for await (const [name, read] of readEach('passes-kitinerary/**/*.ics')) {
      count++
      expect([name, sizeOf(read, 'events') > 0, read.problems, read.coverage.unexplained]).toEqual([name, true, 0, 0])
    }
    expect(count).toBe(25)
    const train = await readCorpus('icalendar', 'passes-kitinerary/**/20220726-praha-vienna-CZ.ics')
    expect(startsOf(train)).toEqual(['2022-07-26T11:56:00+02:00'])
  })
})

if (!hasCorpus) it.skip('needs PDPP_CORPORA, the folder that holds import/', () => {})
