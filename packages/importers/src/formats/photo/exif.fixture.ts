// Builds a small JPEG with the tags that a camera writes.
type Value =
  | { type: 2; text: string }
  | { type: 4; number: number }
  | { type: 5; fractions: [number, number][] }
  | { type: 1; byte: number }

/** One list of tags: entries of twelve bytes, followed by the values that are too long for them. */
function directory(tags: readonly (readonly [tag: number, value: Value])[], start: number, next: number): Buffer {
  const head = Buffer.alloc(2 + tags.length * 12 + 4)
  const rest: Buffer[] = []
  let free = start + head.length
  head.writeUInt16LE(tags.length, 0)
  for (const [at, [tag, value]] of tags.entries()) {
    const bytes = bytesOf(value)
    const entry = 2 + at * 12
    head.writeUInt16LE(tag, entry)
    head.writeUInt16LE(value.type, entry + 2)
    head.writeUInt32LE(value.type === 5 ? value.fractions.length : value.type === 2 ? bytes.length : 1, entry + 4)
    if (bytes.length <= 4) bytes.copy(head, entry + 8)
    else {
      head.writeUInt32LE(free, entry + 8)
      rest.push(bytes)
      free += bytes.length
    }
  }
  head.writeUInt32LE(next, head.length - 4)
  return Buffer.concat([head, ...rest])
}

function bytesOf(value: Value): Buffer {
  if (value.type === 2) return Buffer.from(`${value.text}\u0000`)
  if (value.type === 1) return Buffer.from([value.byte])
  const numbers = value.type === 4 ? [value.number] : value.fractions.flat()
  const bytes = Buffer.alloc(numbers.length * 4)
  for (const [at, number] of numbers.entries()) bytes.writeUInt32LE(number, at * 4)
  return bytes
}

const text = (words: string): Value => ({ type: 2, text: words })
const degrees = (whole: number, minutes: number): Value => ({
  type: 5,
  fractions: [
    [whole, 1],
    [minutes, 1],
    [0, 1],
  ],
})

export interface PhotoFixture {
  readonly takenAt?: string
  readonly offset?: string
  readonly gps?: {
    readonly latitude: [number, number]
    readonly longitude: [number, number]
    readonly day?: string
    readonly clock?: [number, number, number]
  }
  readonly thumbnail?: Buffer
}

/** A JPEG without a picture: its start and end markers, and the tags between them. */
export function jpegWith({ takenAt, offset, gps, thumbnail }: PhotoFixture): Buffer {
  const [mainAt, exifAt, gpsAt, smallAt] = [8, 400, 800, 1200]
  const main = directory(
    [
      [0x010e, text('Ida at the lake')],
      [0x010f, text('Acme')],
      [0x0110, text('Pocket 3')],
      [0x8769, { type: 4, number: exifAt }],
      ...(gps ? [[0x8825, { type: 4, number: gpsAt }] as const] : []),
    ],
    mainAt,
    thumbnail ? smallAt : 0,
  )
  const exif = directory(
    [...(takenAt ? [[0x9003, text(takenAt)] as const] : []), ...(offset ? [[0x9011, text(offset)] as const] : [])],
    exifAt,
    0,
  )
  const tiff = Buffer.alloc(1300 + (thumbnail?.length ?? 0))
  Buffer.from([0x49, 0x49, 0x2a, 0, mainAt, 0, 0, 0]).copy(tiff)
  main.copy(tiff, mainAt)
  exif.copy(tiff, exifAt)
  if (gps) gpsDirectory(gps, gpsAt).copy(tiff, gpsAt)
  if (thumbnail) {
    const small = [
      [0x0201, { type: 4, number: 1300 }],
      [0x0202, { type: 4, number: thumbnail.length }],
    ] as const
    directory(small, smallAt, 0).copy(tiff, smallAt)
    thumbnail.copy(tiff, 1300)
  }
  const body = Buffer.concat([Buffer.from('Exif\u0000\u0000'), tiff])
  const size = Buffer.alloc(2)
  size.writeUInt16BE(body.length + 2)
  return Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe1]), size, body, Buffer.from([0xff, 0xd9])])
}

function gpsDirectory({ latitude, longitude, day, clock }: NonNullable<PhotoFixture['gps']>, start: number): Buffer {
  return directory(
    [
      [1, text('N')],
      [2, degrees(...latitude)],
      [3, text('W')],
      [4, degrees(...longitude)],
      ...(clock ? [[7, { type: 5, fractions: clock.map((part): [number, number] => [part, 1]) }] as const] : []),
      ...(day ? [[0x1d, text(day)] as const] : []),
    ],
    start,
    0,
  )
}
