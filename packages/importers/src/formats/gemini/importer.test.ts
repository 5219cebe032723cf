import { describe, expect, it } from 'vitest'
import { candidate } from '../../reading/input-head.ts'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { gemini } from './importer.ts'

const entry = (title: string, time: string, more: object = {}) => ({
  header: 'Gemini Apps',
  title,
  time,
  products: ['Gemini Apps'],
  activityControls: ['Gemini Apps Activity'],
  ...more,
})

const JSON_ENTRIES = [
  entry('Prompted when do swifts leave?', '2026-08-01T08:30:00.123Z', {
    safeHtmlItem: [{ html: '<p>In <b>early August</b>.</p>' }],
    attachedFiles: ['swift.txt', 'gone.png'],
  }),
  entry('Gave feedback: Good response', '2026-08-01T08:31:00.000Z'),
  { ...entry('Visited a page', '2026-08-01T08:32:00.000Z'), header: 'Chrome' },
]

const cell = (title: string, time: string, answer: string) =>
  `<div class="outer-cell mdl-cell mdl-cell--12-col mdl-shadow--2dp"><div class="mdl-grid"><div class="header-cell mdl-cell mdl-cell--12-col"><p class="mdl-typography--title">Gemini Apps<br></p></div><div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1">${title}<br>${time}<br>${answer}</div><div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1 mdl-typography--text-right"></div></div></div>`

const HTML = `<html><head><title>My Activity History</title></head><body><div class="mdl-grid">${cell(
  'Prompted&nbsp;how tall is an oak?',
  'Nov 13, 2025, 9:50:57\u202fAM CDT',
  '<p>Up to 40 m.</p><div>Give or take.</div>',
)}${cell('Prompted&nbsp;and a fir?', 'Nov 13, 2025, 4:51:00 PM CET', '<p>Up to 60 m.</p>')}</div></body></html>`

const files = {
  'Takeout/My Activity/Gemini Apps/MyActivity.json': JSON.stringify(JSON_ENTRIES),
  'Takeout/My Activity/Gemini Apps/swift.txt': 'a swift',
  'Takeout/My Activity/Gemini Apps/unused.png': 'png',
}

describe('activity of Gemini', () => {
  it('becomes questions and answers', async () => {
    const { records } = await readExport(
      gemini,
      Object.entries(files).map(([name, content]) => memoryInput(name, content)),
    )
    const messages = records.filter(({ stream }) => stream === 'messages').map(({ data }) => data)
    expect(messages.map(({ author, kind, text }) => `${author} ${kind}: ${text}`)).toEqual([
      'User text: when do swifts leave?',
      'Gemini text: In early August.',
      'User event: Gave feedback: Good response',
    ])
    expect(messages[1]).toMatchObject({ reply_to_id: messages[0]!['id'], sent_at: '2026-08-01T08:30:00.123Z' })
    const attached = records.filter(({ stream }) => stream === 'attachments').map(({ data }) => data)
    expect(attached.map((each) => [each['filename'], each['is_missing'], each['extracted_text']])).toEqual([
      ['swift.txt', false, 'a swift'],
      ['gone.png', true, null],
    ])
  })

  it('is read from a page, too, where times may need a zone', async () => {
    const { records, plans, coverage } = await readExport(gemini, [memoryInput('MyActivity.html', HTML)], {
      zone: 'Europe/Berlin',
    })
    expect(plans[0]!.zone).toBe('Europe/Berlin')
    expect(
      records.filter(({ stream }) => stream === 'messages').map(({ data: { text, sent_at: at } }) => [text, at]),
    ).toEqual([
      ['how tall is an oak?', '2025-11-13T09:50:57-05:00'],
      ['Up to 40 m.\n\nGive or take.', '2025-11-13T09:50:57-05:00'],
      ['and a fir?', '2025-11-13T16:51:00+01:00'],
      ['Up to 60 m.', '2025-11-13T16:51:00+01:00'],
    ])
    expect(coverage.unexplained).toBe(0)
  })

  it('of other products is left to others', async () => {
    for (const other of [
      JSON.stringify([{ ...JSON_ENTRIES[0], header: 'Chrome' }]),
      HTML.replaceAll('Gemini Apps', 'Chrome'),
      '<html><body>Gemini Apps</body></html>',
    ])
      expect(await gemini.detect(await candidate(memoryInput('MyActivity.json', other)))).toBeUndefined()
  })
})

importerBattery({
  importer: gemini,
  files,
  records: { messages: 3, attachments: 2, conversations: 1, participants: 2 },
  seen: { messages: 4, attachments: 2 },
  leftOut: [
    ['messages', 'activity of other products', 1],
    ['file', 'nothing in the export refers to it', 1],
  ],
})

describe('a page', () => {
  importerBattery({
    importer: gemini,
    files: { 'MyActivity.html': HTML },
    records: { messages: 4, conversations: 1, participants: 2 },
    seen: { messages: 4 },
  })
})
