import type { StreamDeclaration } from './declaration/declaration.ts'
import { isBlobReference, type JsonSchema, resolveProperty, schemaTypes } from './declaration/field.ts'

const PREFIX = 'blob_'
const ID = /^blob_([0-9a-f]{64})$/
/** Deeper than sources nest what belongs to a file, and far from what would cost time. */
const MAX_DEPTH = 6
const MAX_PARTS = 5000
const MAX_PLACES = 100

/** A blob is called by its content: whoever has the bytes knows the id before they are sent. */
export const blobId = (sha256: string): string => `${PREFIX}${sha256}`

/** The hash that an id stands for, or undefined where it is none of ours. */
export function parseBlobId(text: string): string | undefined {
  return ID.exec(text)?.[1]
}

/** Where records of a stream refer to blobs: names from the top, null standing for every item of a list. */
export type BlobPath = readonly (string | null)[]

/** One reference in one record. */
export interface BlobReference {
  /** The declared field that it stands in: what a grant gives or withholds. */
  readonly field: string
  /** RFC 6901. */
  readonly path: string
  readonly members: Record<string, unknown>
}

const known = new WeakMap<StreamDeclaration, readonly BlobPath[]>()

/** By shape, not by name: an object that declares `blob_id` with `sha256`, or requires it, alone, in lists or inside other objects. */
export function blobPaths(stream: StreamDeclaration): readonly BlobPath[] {
  const found = known.get(stream) ?? findPlaces(stream.schema)
  known.set(stream, found)
  return found
}

/** Level by level, and bounded: a schema may refer to itself in many places at once. */
function findPlaces(root: JsonSchema): BlobPath[] {
  const found: BlobPath[] = []
  let level: { schema: JsonSchema; at: BlobPath }[] = [{ schema: root, at: [] }]
  let looked = 0
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const next = level.flatMap(({ schema, at }) =>
      partsOf(schema).flatMap(([name, part]) => {
        const resolved = ++looked > MAX_PARTS ? undefined : resolveProperty(part, root)
        return resolved ? [{ schema: resolved, at: [...at, name] }] : []
      }),
    )
    found.push(...next.filter(({ schema }) => isBlobReference(schema)).map(({ at }) => at))
    level = next.filter(({ schema }) => !isBlobReference(schema))
  }
  return found.slice(0, MAX_PLACES)
}

function partsOf(schema: JsonSchema): [string | null, unknown][] {
  const types = schemaTypes(schema)
  if (types.length > 1) return []
  if (types[0] === 'array') return [[null, schema['items']]]
  const properties = schema['properties']
  return properties === null || typeof properties !== 'object' ? [] : Object.entries(properties)
}

/** What a record refers to. The members are those of `data` itself. */
export function blobReferences(places: readonly BlobPath[], data: Readonly<Record<string, unknown>>): BlobReference[] {
  return places.flatMap((place) => [...follow(place, 0, data, '')].map((found) => ({ field: place[0]!, ...found })))
}

function* follow(place: BlobPath, depth: number, value: unknown, path: string): Iterable<Omit<BlobReference, 'field'>> {
  if (value === null || typeof value !== 'object') return
  if (depth === place.length) {
    const members = value as Record<string, unknown>
    if (!Array.isArray(value) && typeof members['blob_id'] === 'string') yield { path, members }
    return
  }
  const name = place[depth]!
  if (name === null) {
    if (!Array.isArray(value)) return
    for (const [index, item] of value.entries()) yield* follow(place, depth + 1, item, `${path}/${index}`)
  } else if (Object.hasOwn(value, name))
    yield* follow(place, depth + 1, (value as Record<string, unknown>)[name], `${path}/${escaped(name)}`)
}

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
