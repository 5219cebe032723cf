import { expect, it } from 'vitest'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { dayOne } from './importer.ts'

const FIRST = '0B7F2C1A9D3E4F5A8B6C7D8E9F0A1B2C'
const SECOND = '1C8F3D2B0E4F5061927D8E9FA0B1C2D3'
const FILES = {
  'Export/Journal.json': JSON.stringify({
    metadata: { version: '1.0' },
    entries: [
      {
        uuid: FIRST,
        creationDate: '2026-04-03T18:20:00Z',
        modifiedDate: '2026-04-04T07:00:00Z',
        timeZone: 'Europe/Stockholm',
        text:
          '# By the lake\n\nWe swam at 9\\.30\\. ![](dayone-moment://AAAA)\n\n- [ ] Buy a towel\n\n[before](dayone://view?entryId=' +
          `${SECOND})`,
        tags: ['swimming'],
        starred: true,
        location: {
          latitude: 59.33,
          longitude: 18.07,
          placeName: 'Boat house',
          localityName: 'Norrhamn',
          country: 'Sweden',
        },
        weather: { temperatureCelsius: 12 },
        photos: [
          { identifier: 'AAAA', md5: 'd41d8cd98f00b204e9800998ecf8427e', type: 'jpeg' },
          { identifier: 'BBBB', md5: 'ffffffffffffffffffffffffffffffff', type: 'jpeg' },
        ],
      },
      { uuid: SECOND, creationDate: '2026-04-01T06:00:00Z', richText: '{"contents":[{"text":"Only rich\\n"}]}' },
      { uuid: '2D904E3C1F5061728394A5B6C7D8E9F0', creationDate: '2026-04-02T06:00:00Z' },
      { creationDate: '2026-04-02T06:00:00Z', text: 'No id' },
    ],
    extra: true,
  }),
  'Export/photos/d41d8cd98f00b204e9800998ecf8427e.jpeg': Buffer.from([0xff, 0xd8, 0xff, 1, 2, 3]),
  'Export/photos/unknown.jpeg': Buffer.from([0xff, 0xd8, 0xff, 3, 2, 1]),
}

it('an entry has its time, place, tags, photos and links', async () => {
  const inputs = Object.entries(FILES).map(([name, content]) => memoryInput(name, content))
  const { records } = await readExport(dayOne, inputs)
  const entry = records.find(({ key }) => key === FIRST)!
  expect(entry.data).toMatchObject({
    title: 'By the lake',
    folder: 'Journal',
    noted_at: '2026-04-03T18:20:00Z',
    place: 'Boat house, Norrhamn, Sweden',
    latitude: 59.33,
    longitude: 18.07,
    tags: ['swimming'],
    is_pinned: true,
    attachment_count: 2,
  })
  expect(entry.data['text']).toContain('We swam at 9.30.')
  expect(entry.data['text']).not.toContain('dayone-moment')
  expect(records.find(({ key }) => key === SECOND)?.data['text']).toBe('Only rich')
  expect(records.filter(({ stream }) => stream === 'links').map(({ data }) => data['target_id'])).toEqual([SECOND])
  expect(records.filter(({ stream }) => stream === 'attachments').map(({ data }) => data['is_missing'])).toEqual([
    false,
    true,
  ])
})

it('a place may have more digits than a number holds', async () => {
  const text = FILES['Export/Journal.json'].replace('59.33', '59.32999999999999829469743417575955')
  const { records } = await readExport(dayOne, [memoryInput('Journal.json', text)])
  expect(records[0]!.data['latitude']).toBeCloseTo(59.33)
})

importerBattery({
  importer: dayOne,
  files: FILES,
  records: { notes: 3, links: 1, tasks: 1, attachments: 2 },
  seen: { notes: 4, attachments: 2, extra: 1 },
  leftOut: [
    ['extra', 'not part of a journal', 1],
    ['file', 'nothing in the export refers to it', 1],
  ],
  problems: 2,
})
