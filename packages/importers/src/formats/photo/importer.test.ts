import { expect, it } from 'vitest'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { jpegWith } from './exif.fixture.ts'
import { photos } from './importer.ts'

const SMALL = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 0xff, 0xd9])
const LAKE = jpegWith({
  takenAt: '2026:04:03 18:20:00',
  offset: '+02:00',
  gps: { latitude: [59, 20], longitude: [18, 3] },
  thumbnail: SMALL,
})
const FILES = {
  'Photos/2026/lake.jpg': LAKE,
  'Photos/Album/lake again.jpg': LAKE,
  'Photos/2026/no zone': jpegWith({ takenAt: '2026:07:01 08:00:00' }),
  'Photos/2026/gps.jpg': jpegWith({
    takenAt: '2026:07:01 10:00:00',
    gps: { latitude: [0, 0], longitude: [0, 0], day: '2026:07:01', clock: [8, 0, 0] },
  }),
  'Photos/drawing.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]),
}

it('a photo has its time, place, camera, words and small picture', async () => {
  const inputs = Object.entries(FILES).map(([name, content]) => memoryInput(name, content, 500))
  const { records } = await readExport(photos, inputs, { zone: 'Europe/Stockholm' })
  const byId = new Map(records.map((record) => [record.key, record]))
  const placed = records.filter(({ stream }) => stream === 'files').map(({ data }) => data)
  const byName = new Map(placed.map((file) => [file['filename'], byId.get(file['photo_id'] as string)!]))
  const lake = byName.get('lake.jpg')!
  const places = records.filter(({ stream, data }) => stream === 'files' && data['photo_id'] === lake.key)
  expect(places.map(({ data }) => [data['folder'], data['filename']])).toEqual([
    ['Photos/2026', 'lake.jpg'],
    ['Photos/Album', 'lake again.jpg'],
  ])
  expect(lake.data).toMatchObject({
    description: 'Ida at the lake',
    taken_at: '2026-04-03T18:20:00+02:00',
    time_source: 'offset',
    latitude: 59.3333333,
    longitude: -18.05,
    camera: 'Acme Pocket 3',
    media_type: 'image/jpeg',
  })
  expect(lake.blobs?.map(({ path, sizeBytes }) => [path, sizeBytes])).toEqual([
    ['/blob_ref', LAKE.length],
    ['/thumbnail_ref', SMALL.length],
  ])
  expect(byName.get('no zone')?.data).toMatchObject({ taken_at: '2026-07-01T08:00:00+02:00', time_source: 'local' })
  // The satellites give the time, and 0/0 means no place.
  expect(byName.get('gps.jpg')?.data).toMatchObject({
    taken_at: '2026-07-01T08:00:00Z',
    time_source: 'gps',
    latitude: null,
    longitude: null,
  })
})

it('a photo of Google Photos is completed by the text beside it', async () => {
  const bare = (id: number) => Buffer.from([0xff, 0xd8, 0xff, 0xe0, id, 0xff, 0xd9])
  const beside = (title: string, latitude = 0) =>
    JSON.stringify({
      title,
      description: 'On the quay',
      url: 'https://photos.example/1',
      photoTakenTime: { timestamp: '1775232000' },
      creationTime: { timestamp: '1800000000' },
      geoData: { latitude, longitude: latitude, altitude: 0 },
      people: [{ name: 'Ida Moor' }],
    })
  const files = {
    'Google Photos/a.jpg': bare(1),
    'Google Photos/a.jpg.supplemental-me.json': beside('a.jpg', 12.5),
    'Google Photos/b(1).jpg': bare(2),
    'Google Photos/b.jpg(1).json': beside('b.jpg'),
    'Google Photos/lake.jpg': LAKE,
    'Google Photos/lake.jpg.json': beside('lake.jpg', 3),
    'Google Photos/gone.jpg.json': beside('gone.jpg'),
  }
  const { records, coverage } = await readExport(
    photos,
    Object.entries(files).map(([name, content]) => memoryInput(name, content)),
  )
  const pictures = records.filter(({ stream }) => stream === 'photos').map(({ data }) => data)
  const seen = pictures.map((data) => [data['title'], data['taken_at'], data['latitude'], data['people']])
  expect(seen).toEqual([
    ['On the quay', '2026-04-03T16:00:00Z', 12.5, ['Ida Moor']],
    ['On the quay', '2026-04-03T16:00:00Z', null, ['Ida Moor']],
    ['Ida at the lake', '2026-04-03T18:20:00+02:00', 59.3333333, ['Ida Moor']],
  ])
  expect(pictures.map(({ description }) => description)).toEqual(['On the quay', 'On the quay', 'Ida at the lake'])
  expect(coverage.leftOut.map(({ reason, count }) => [reason, count])).toEqual([
    ['describes a photo that is not among the files', 1],
  ])
})

importerBattery({
  importer: photos,
  files: FILES,
  records: { photos: 4, files: 5 },
  seen: { photos: 5 },
  leftOut: [['photos', 'copies of a photo that was imported', 1]],
  // A truncated picture is still a picture.
  isOpenEnded: true,
})
