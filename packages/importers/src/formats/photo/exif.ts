import { noteTime } from '../../models/note/times.ts'

type Tags = Readonly<Record<string, unknown>>

export interface PhotoInfo {
  readonly takenAt?: string | undefined
  /**
   * `offset`: the photo names its zone. `gps`: the time comes from the satellites. `google`: it comes from the JSON
   * file next to the photo. `local`: it is read in the zone that the owner chose.
   */
  readonly timeSource?: 'offset' | 'gps' | 'google' | 'local' | undefined
  readonly latitude?: number | undefined
  readonly longitude?: number | undefined
  readonly altitude?: number | undefined
  readonly camera?: string | undefined
  readonly lens?: string | undefined
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly author?: string | undefined
  readonly tags: readonly string[]
  readonly rating?: number | undefined
  readonly thumbnail?: Buffer | undefined
  /** The fault, if the picture contains information that cannot be read. */
  readonly problem?: string | undefined
}

const MAX_THUMBNAIL_BYTES = 1_000_000

/** One shared object for all photos, because the library caches a result for each options object for ever. */
const OPTIONS = {
  tiff: true,
  xmp: true,
  iptc: true,
  gps: true,
  reviveValues: false,
  translateValues: false,
  mergeOutput: true,
}

/** Reads the tags that a camera or a program wrote into a picture. */
export async function photoInfo(bytes: Buffer, zone: string | undefined): Promise<PhotoInfo> {
  const loaded = await import('exifr')
  const exifr = loaded.default
  let tags: Tags
  let thumbnail: Uint8Array | undefined
  try {
    tags = ((await exifr.parse(bytes, OPTIONS)) as Tags | undefined) ?? {}
    thumbnail = await exifr.thumbnail(bytes).catch(() => undefined)
  } catch (error) {
    return {
      tags: [],
      problem: `has information of its camera that cannot be read: ${(error as Error).message.slice(0, 120)}`,
    }
  }
  return { ...infoOf(tags, zone), thumbnail: isPicture(thumbnail) ? Buffer.from(thumbnail) : undefined }
}

const isPicture = (bytes: Uint8Array | undefined): bytes is Uint8Array =>
  bytes !== undefined && bytes.length < MAX_THUMBNAIL_BYTES && bytes[0] === 0xff && bytes[1] === 0xd8

function infoOf(tags: Tags, zone: string | undefined): PhotoInfo {
  const place = placeOf(tags)
  return {
    ...timeOf(tags, zone),
    ...place,
    altitude: place.latitude === undefined ? undefined : altitudeOf(tags),
    camera: [textOf(tags['Make']), textOf(tags['Model'])].filter((each) => each !== undefined).join(' ') || undefined,
    lens: textOf(tags['LensModel']),
    width: sizeOf(tags['ExifImageWidth'] ?? tags['ImageWidth']),
    height: sizeOf(tags['ExifImageHeight'] ?? tags['ImageHeight']),
    title: textOf(tags['title']) ?? textOf(tags['ObjectName']),
    description: textOf(tags['ImageDescription']) ?? textOf(tags['description']) ?? textOf(tags['Caption']),
    author: textOf(tags['Artist']) ?? textOf(tags['creator']) ?? textOf(tags['Byline']),
    tags: [...new Set([...textsOf(tags['subject']), ...textsOf(tags['Keywords'])])],
    rating: typeof tags['Rating'] === 'number' ? tags['Rating'] : undefined,
  }
}

/** Prefers the local time with its zone, then the satellites' time, which is UTC, then the local time alone. */
function timeOf(tags: Tags, zone: string | undefined): Pick<PhotoInfo, 'takenAt' | 'timeSource'> {
  const written = /^(\d{4})[:-](\d{2})[:-](\d{2})[ T](\d{2}:\d{2}:\d{2})/.exec(
    String(tags['DateTimeOriginal'] ?? tags['CreateDate'] ?? tags['DateTimeDigitized'] ?? ''),
  )
  const local = written && `${written[1]}-${written[2]}-${written[3]}T${written[4]}`
  const offset = /^[+-]\d{2}:\d{2}$|^Z$/.exec(
    String(tags['OffsetTimeOriginal'] ?? tags['OffsetTime'] ?? '').trim(),
  )?.[0]
  const exact = local && offset && noteTime(local + offset)
  if (exact) return { takenAt: exact, timeSource: 'offset' }
  const gps = gpsTime(tags)
  if (gps) return { takenAt: gps, timeSource: 'gps' }
  const assumed = local ? noteTime(local, zone) : undefined
  return assumed === undefined ? {} : { takenAt: assumed, timeSource: 'local' }
}

function gpsTime(tags: Tags): string | undefined {
  const day = /^(\d{4})[:-](\d{2})[:-](\d{2})$/.exec(String(tags['GPSDateStamp'] ?? '').trim())
  const raw = tags['GPSTimeStamp']
  const clock = typeof raw === 'string' ? raw.split(':').map(Number) : Array.isArray(raw) ? raw.map(Number) : []
  if (!day || clock.length !== 3 || clock.some((part) => !Number.isFinite(part))) return
  const text = clock.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':')
  return noteTime(`${day.slice(1).join('-')}T${text}Z`)
}

/** 0/0 means that the camera did not know the place. */
function placeOf(tags: Tags): Pick<PhotoInfo, 'latitude' | 'longitude'> {
  const [latitude, longitude] = [Number(tags['latitude'] ?? Number.NaN), Number(tags['longitude'] ?? Number.NaN)]
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && !(latitude === 0 && longitude === 0)
  return isPlace ? { latitude: rounded(latitude), longitude: rounded(longitude) } : {}
}

/** Seven digits are precise to a centimetre. More digits are rounding noise. */
const rounded = (degrees: number): number => Math.round(degrees * 1e7) / 1e7

function altitudeOf(tags: Tags): number | undefined {
  const value = Number(tags['GPSAltitude'] ?? Number.NaN)
  const reference = tags['GPSAltitudeRef'] as { [0]?: unknown } | number | undefined
  const isBelow = reference === 1 || (typeof reference === 'object' && reference?.[0] === 1)
  return Number.isFinite(value) ? Math.round((isBelow ? -value : value) * 100) / 100 : undefined
}

const sizeOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 1e6 ? value : undefined

/** XMP writes texts together with their language: `{lang, value}`. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'object' && value !== null && 'value' in value ? value.value : value
  if (typeof text !== 'string') return
  const tidy = text.replaceAll('\u0000', '').toWellFormed().trim().slice(0, 5000)
  return tidy === '' ? undefined : tidy
}

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((each) => textOf(each) ?? []).slice(0, 200)
