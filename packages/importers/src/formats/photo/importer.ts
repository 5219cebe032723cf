import type { Importer, ImportInput, ImportItem, ReadTally } from '../../importer.ts'
import { contentId, FilePlaces } from '../../models/file-places.ts'
import { byPath } from '../../models/note/once.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { blobOf, blobReference } from '../../reading/blob.ts'
import { fileBlob } from '../../reading/file-blob.ts'
import { failuresAsProblems, readHead } from '../../reading/input-bytes.ts'
import { photoDeclaration } from './declaration.ts'
import { type PhotoInfo, photoInfo } from './exif.ts'
import { pictureType } from './kind.ts'
import { isSidecar, type Sidecar, Sidecars } from './sidecar.ts'

/**
 * Max. bytes that are searched for tags. Cameras write tags near the beginning; HEIC files have a reference to them
 * there.
 */
const INFO_BYTES = 16_000_000
const TITLE_CHARS = 80

/** Imports photos with their times and places. */
export const photos: Importer = {
  id: 'photos',
  name: 'Photos',
  kind: 'photos',
  reads: 'JPEG, HEIC, TIFF, PNG, WebP and GIF pictures, with time and place where the camera wrote them',

  async detect({ input, head: { bytes, text } }) {
    const type = pictureType(bytes)
    if (type === undefined && isSidecar(text)) return { format: 'google photos', inputs: [input], group: 'photos' }
    return type === undefined ? undefined : { format: type.slice('image/'.length), inputs: [input], group: 'photos' }
  },

  async streams(claim, overrides, known) {
    const zone = overrides.zone ?? 'UTC'
    return [await fixedPlan({ claim, declaration: photoDeclaration, zone, read: photos.read }, overrides, known)]
  },

  async *read({ inputs, zone }, tally) {
    const seen = { ids: new Set<string>(), places: new FilePlaces('photo') }
    const pictures = byPath(inputs.filter(({ name }) => !/\.json$/i.test(name)))
    const sidecars = new Sidecars(inputs.filter(({ name }) => /\.json$/i.test(name)))
    for (const input of pictures) yield* failuresAsProblems(itemsOf(input, { ...seen, zone, sidecars }, tally), input)
    for (const input of sidecars.unused()) tally.leftOutFile(input, 'describes a photo that is not among the files')
  },
}

interface PhotoFolder {
  readonly zone: string | undefined
  readonly ids: Set<string>
  readonly places: FilePlaces
  readonly sidecars: Sidecars
}

async function* itemsOf(
  input: ImportInput,
  { zone, ids, places, sidecars }: PhotoFolder,
  tally: ReadTally,
): AsyncIterable<ImportItem> {
  const place = { input: input.name }
  tally.saw('photos')
  const head = await readHead(input, INFO_BYTES)
  const mediaType = pictureType(head)
  const read = mediaType && (await fileBlob(input, { mediaType }))
  if (!read || 'tooLarge' in read) {
    const reason = read ? `has ${read.tooLarge} bytes, too many` : 'is no longer a picture'
    yield { problem: { place, reason, kind: 'photos', kept: false } }
    return
  }
  const beside = await sidecars.of(input)
  const { thumbnail: small, problem, ...written } = await photoInfo(head, zone)
  const info = beside ? completed(written, beside) : written
  const thumbnail = small && blobOf('/thumbnail_ref', small, 'image/jpeg')
  const id = contentId(read.blob.sha256)
  yield* places.of(id, input)
  // The same photo in an album and in a year folder is one photo.
  if (ids.has(id)) return tally.leftOut('photos', 'copies of a photo that was imported')
  ids.add(id)
  const data = {
    id,
    title: titleOf(info),
    description: info.description ?? null,
    taken_at: info.takenAt ?? null,
    time_source: info.timeSource ?? null,
    latitude: info.latitude ?? null,
    longitude: info.longitude ?? null,
    altitude: info.altitude ?? null,
    camera: info.camera ?? null,
    lens: info.lens ?? null,
    author: info.author ?? null,
    tags: info.tags,
    people: beside?.people ?? [],
    url: beside?.url ?? null,
    rating: info.rating ?? null,
    width: info.width ?? null,
    height: info.height ?? null,
    media_type: mediaType,
    size_bytes: read.blob.sizeBytes,
    sha256: read.blob.sha256,
    thumbnail_ref: thumbnail ? blobReference(thumbnail) : null,
    blob_ref: blobReference(read.blob),
  }
  yield { record: { stream: 'photos', key: id, data, place, blobs: thumbnail ? [read.blob, thumbnail] : [read.blob] } }
  if (problem !== undefined) yield { problem: { place, reason: problem, kept: true } }
}

/** The file name is not used, because copies of one photo have different names. */
const titleOf = ({ title, description, takenAt }: PhotoInfo): string =>
  title ?? description?.slice(0, TITLE_CHARS).toWellFormed() ?? (takenAt ? `Photo of ${takenAt.slice(0, 10)}` : 'Photo')

/** The camera's tags win, except for a local time without a zone. */
function completed(written: PhotoInfo, beside: Sidecar): PhotoInfo {
  const isKnown = written.timeSource === 'offset' || written.timeSource === 'gps' || beside.takenAt === undefined
  const time = isKnown ? {} : { takenAt: beside.takenAt, timeSource: 'google' as const }
  const { latitude, longitude, altitude } = beside
  const place = written.latitude === undefined ? { latitude, longitude, altitude } : {}
  return { ...written, ...time, ...place, description: written.description ?? beside.description }
}
