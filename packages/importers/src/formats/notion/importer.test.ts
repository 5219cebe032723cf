import { expect, it } from 'vitest'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { notion } from './importer.ts'

const [HOME, TRIPS, LAKE, PAGE] = ['a', 'b', 'c', 'd'].map((digit) => `${digit.repeat(31)}1`)
const FILES = {
  [`Export/Home ${HOME}.md`]: `# Home\n\nWe go by train.\n\n[Trips](Home%20${HOME}/Trips%20${TRIPS}.csv)\n\n[The lake](Home%20${HOME}/Trips%20${TRIPS}/The%20lake%20${LAKE}.md) and [a shop](https://rope.example/)\n\n![map](Home%20${HOME}/map.png)\n\n- [x]  Book seats\n- [ ]  Pack`,
  [`Export/Home ${HOME}/map.png`]: Buffer.from([0x89, 0x50, 0x4e, 0x47, 1]),
  [`Export/Home ${HOME}/Trips ${TRIPS}.csv`]: '\ufeffName,Date\nThe lake,"April 3, 2026"\n',
  [`Export/Home ${HOME}/Trips ${TRIPS}_all.csv`]:
    '\ufeffName,Date,Tags\nThe lake,"April 3, 2026",swim\nThe hill,,\n"The ""old"" mill\nby night",,\n',
  [`Export/Home ${HOME}/Trips ${TRIPS}/The lake ${LAKE}.md`]:
    '# The lake\n\nDate: April 3, 2026 6:20 PM\nTags: swim, summer\nCreated: March 1, 2026 9:00 AM\nWith: Ida Moor\n\nThe water was cold.',
  'Export/index.html': '<html><body><p>Workspace identifier: 1</p></body></html>',
  'Export/Plain.html': `<html><head><title>Plain</title></head><body><article id="dddddddd-dddd-dddd-dddd-ddddddddddd1" class="page sans"><header><h1 class="page-title">Plain</h1><table class="properties"><tbody><tr class="property-row property-row-date"><th><span class="icon"></span>Date</th><td><time>@April 4, 2026</time></td></tr><tr class="property-row property-row-checkbox"><th>Paid</th><td><div class="checkbox checkbox-on"></div></td></tr></tbody></table></header><div class="page-body"><p>Tea &amp; rope</p><ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span class="to-do-children-unchecked">Buy it</span></li></ul><a href="Home%20${HOME}.html">Home</a><img src="Plain/gone.png"/></div></article></body></html>`,
}

it('pages have their properties and files, and databases their rows', async () => {
  const inputs = Object.entries(FILES).map(([name, content]) => memoryInput(name, content, 300))
  const { records } = await readExport(notion, inputs)
  const of = (stream: string) => records.filter((record) => record.stream === stream).map(({ data }) => data)
  const notes = new Map(of('notes').map((note) => [note['id'], note]))
  expect(notes.get(LAKE)).toMatchObject({
    title: 'The lake',
    text: 'The water was cold.',
    folder: 'Home/Trips',
    path: `Home ${HOME}/Trips ${TRIPS}/The lake ${LAKE}.md`,
    tags: ['swim', 'summer'],
    noted_at: '2026-04-03T18:20:00Z',
    created_at: '2026-03-01T09:00:00Z',
    properties: { With: 'Ida Moor' },
  })
  expect(notes.get(PAGE)).toMatchObject({
    title: 'Plain',
    noted_at: '2026-04-04T00:00:00Z',
    properties: { Paid: 'Yes' },
    text: 'Tea & rope\n\n[ ] Buy it\n\nHome',
  })
  expect(of('links').map(({ note_id, target, target_id }) => [note_id, target, target_id])).toEqual([
    [HOME, 'https://rope.example/', null],
    [HOME, 'Trips', null],
    [HOME, 'The lake', LAKE],
    [PAGE, 'Home', HOME],
  ])
  expect(of('rows').map(({ title, note_id, noted_at }) => [title, note_id, noted_at])).toEqual([
    ['The lake', LAKE, '2026-04-03T00:00:00Z'],
    ['The hill', null, null],
    ['The "old" mill\nby night', null, null],
  ])
  expect(of('attachments').map(({ filename, is_missing }) => [filename, is_missing])).toEqual([
    ['map.png', false],
    ['gone.png', true],
  ])
})

importerBattery({
  importer: notion,
  files: FILES,
  records: { notes: 3, links: 4, tasks: 3, attachments: 2, rows: 3 },
  seen: { notes: 3, attachments: 2, rows: 3 },
  leftOut: [
    ['file', 'the same rows as in the file _all.csv', 1],
    ['file', 'a list of the pages', 1],
  ],
  isOpenEnded: true,
})
