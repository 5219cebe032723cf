import type { ImportInput } from '../../importer.ts'
import { epochTime } from '../../models/note/times.ts'
import { readAll } from '../../reading/input-bytes.ts'
import { treePath } from '../../reading/input-tree.ts'
import { idText } from '../../reading/json/json-stream.ts'

type Json = Readonly<Record<string, unknown>>

/** The JSON file next to a photo in Google Photos: `IMG_1.jpg.json`, `IMG_1.jpg.supplemental-metadata.json`. */
export interface Sidecar {
  readonly takenAt?: string | undefined
  readonly latitude?: number | undefined
  readonly longitude?: number | undefined
  readonly altitude?: number | undefined
  readonly description?: string | undefined
  readonly people: readonly string[]
  readonly url?: string | undefined
}

const MAX_SIDECAR_BYTES = 1_000_000
/** Takeout shortens the name before `.json` to this length. */
const CUT_LENGTH = 46
const SUPPLEMENT = 'supplemental-metadata'

export const isSidecar = (text: string | undefined): text is string =>
  text !== undefined && /^\s*\{/.test(text) && /"photoTakenTime"\s*:/.test(text) && /"title"\s*:/.test(text)

/** The sidecars, by the paths of their photos. */
export class Sidecars {
  readonly #byPhoto = new Map<string, ImportInput>()
  readonly #used = new Set<ImportInput>()

  constructor(inputs: readonly ImportInput[]) {
    for (const input of inputs) this.#byPhoto.set(photoPath(treePath(input.name)), input)
  }

  async of(photo: ImportInput): Promise<Sidecar | undefined> {
    const path = treePath(photo.name)
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    const name = path.slice(folder.length)
    const input = this.#byPhoto.get(path) ?? this.#byPhoto.get(folder + name.slice(0, CUT_LENGTH))
    if (input) this.#used.add(input)
    const all = input && (await readAll(input, MAX_SIDECAR_BYTES))
    return all && 'bytes' in all ? readSidecar(all.bytes.toString('utf8')) : undefined
  }

  /** Sidecars without a photo. The photo may be in another part of the Takeout, or the owner deleted it. */
  unused(): ImportInput[] {
    return [...this.#byPhoto.values()].filter((input) => !this.#used.has(input))
  }
}

/** `IMG_1.jpg.suppl.json` belongs to `IMG_1.jpg`, and `IMG.jpg(1).json` belongs to `IMG(1).jpg`. */
function photoPath(path: string): string {
  const name = path.replace(/\.json$/i, '')
  const [, base, ending] = /^(.*)\.([a-z-]*)(?:\(\d+\))?$/.exec(name) ?? []
  const number = /\(\d+\)$/.exec(name)?.[0] ?? ''
  const plain = base !== undefined && SUPPLEMENT.startsWith(ending!) ? base : name.replace(/\(\d+\)$/, '')
  return number === '' ? plain : plain.replace(/(\.\w+)?$/, `${number}$1`)
}

function readSidecar(text: string): Sidecar | undefined {
  let data: Json
  try {
    data = objectOf(JSON.parse(text))
  } catch {
    return
  }
  const place = [data['geoData'], data['geoDataExif']].map(objectOf).find(isPlace)
  const people = (Array.isArray(data['people']) ? data['people'] : []).flatMap(
    (each) => textOf(objectOf(each)['name']) ?? [],
  )
  return {
    takenAt: epochTime('epoch-s', idText(objectOf(data['photoTakenTime'])['timestamp'])),
    latitude: place && Number(place['latitude']),
    longitude: place && Number(place['longitude']),
    altitude: place && (Number(place['altitude']) || undefined),
    description: textOf(data['description']),
    people,
    url: textOf(data['url']),
  }
}

/** 0/0 means that the place is unknown. */
function isPlace({ latitude, longitude }: Json): boolean {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return false
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && !(latitude === 0 && longitude === 0)
}

const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
