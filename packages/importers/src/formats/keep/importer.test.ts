import { expect, it } from 'vitest'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { keep } from './importer.ts'

const note = (members: object) =>
  JSON.stringify({ color: 'DEFAULT', isTrashed: false, isPinned: false, isArchived: false, ...members })

const FILES = {
  'Takeout/Keep/Packing.json': note({
    title: 'Packing',
    color: 'RED',
    isPinned: true,
    listContent: [
      { text: 'Tent', isChecked: true },
      { text: 'Stove', isChecked: false },
    ],
    labels: [{ name: 'holiday' }],
    sharees: [{ email: 'ida@example.org', isOwner: false, type: 'WRITER' }],
    attachments: [
      { filePath: 'map.jpeg', mimetype: 'image/jpeg' },
      { filePath: 'voice.3gp', mimetype: 'audio/3gp' },
    ],
    userEditedTimestampUsec: 1775210400000000,
    createdTimestampUsec: 1775206800123456,
  }),
  'Takeout/Keep/Packing.html': '<html><title>Packing</title></html>',
  'Takeout/Keep/Labels.txt': 'holiday\n',
  'Takeout/Keep/map.jpg': Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]),
  'Takeout/Keep/2026-04-04T10_00_00.json': note({
    title: '',
    textContent: 'The lake was cold.\nWe swam all the same.',
    annotations: [{ url: 'https://lake.example/', title: 'The lake', source: 'WEBLINK' }],
    isTrashed: true,
    userEditedTimestampUsec: 1775296800000000,
  }),
  'Takeout/Keep/Broken.json': note({ title: 'Broken' }).replace('"color"', 'color'),
}

it('a note has its list, labels, times and files', async () => {
  const inputs = Object.entries(FILES).map(([name, content]) => memoryInput(name, content))
  const { records } = await readExport(keep, inputs)
  const [packing] = records.filter(({ data }) => data['title'] === 'Packing')
  expect(packing!.data).toMatchObject({
    id: '1775206800123456',
    text: '- Tent\n- Stove',
    tags: ['holiday'],
    noted_at: '2026-04-03T09:00:00.123456Z',
    is_pinned: true,
    properties: { color: 'RED', shared_with: ['ida@example.org'] },
  })
  const files = records.filter(({ stream }) => stream === 'attachments')
  expect(files.map(({ data }) => [data['filename'], data['is_missing']])).toEqual([
    ['map.jpeg', false],
    ['voice.3gp', true],
  ])
  expect(records.find(({ data }) => data['title'] === 'The lake was cold.')?.data).toMatchObject({
    is_deleted: true,
    noted_at: '2026-04-04T10:00:00Z',
  })
})

importerBattery({
  importer: keep,
  files: FILES,
  records: { notes: 2, links: 1, tasks: 2, attachments: 2 },
  seen: { notes: 3, attachments: 2 },
  leftOut: [
    ['file', 'the same note as a page', 1],
    ['file', 'a list of all labels; each note has its own', 1],
  ],
  problems: 1,
})
