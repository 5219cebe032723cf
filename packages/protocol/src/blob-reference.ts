import type { StreamDeclaration } from './declaration/declaration.ts'
import { isBlobReference, type JsonSchema, resolveProperty, schemaTypes } from './declaration/field.ts'

const PREFIX = 'blob_'
const ID = /^blob_([0-9a-f]{64})$/
/** Max. nesting of a reference inside a record. Real sources nest less; a deeper search would cost time. */
const MAX_DEPTH = 6
const MAX_PARTS = 5000
const MAX_PATHS = 100

/** The id is derived from the content, so that a client can compute it before it uploads the bytes. */
export const blobId = (sha256: string): string => `${PREFIX}${sha256}`

/** Returns the hash inside a blob id, or undefined if the text is not a blob id. */
export function parseBlobId(text: string): string | undefined {
  return ID.exec(text)?.[1]
}

/** Path to a blob reference in the records of a stream: member names from the top; null means every item of a list. */
export type BlobPath = readonly (string | null)[]

export interface BlobReference {
  /** The declared top-level field that contains the reference. Grants allow or deny this field. */
  readonly field: string
  /** JSON Pointer (RFC 6901). */
  readonly path: string
  readonly members: Record<string, unknown>
}

const known = new WeakMap<StreamDeclaration, readonly BlobPath[]>()

/**
 * Finds references by their shape: an object that declares `blob_id`, and either declares `sha256` or requires
 * `blob_id`. The object may be a field, a list item or nested in another object.
 */
export function blobPaths(stream: StreamDeclaration): readonly BlobPath[] {
  const found = known.get(stream) ?? findPaths(stream.schema)
  known.set(stream, found)
  return found
}

/** Searches level by level with limits, because a schema may refer to itself in many places. */
function findPaths(root: JsonSchema): BlobPath[] {
  const found: BlobPath[] = []
  let level: { schema: JsonSchema; at: BlobPath }[] = [{ schema: root, at: [] }]
  let visited = 0
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const next = level.flatMap(({ schema, at }) =>
      partsOf(schema).flatMap(([name, part]) => {
        const resolved = ++visited > MAX_PARTS ? undefined : resolveProperty(part, root)
        return resolved ? [{ schema: resolved, at: [...at, name] }] : []
      }),
    )
    found.push(...next.filter(({ schema }) => isBlobReference(schema)).map(({ at }) => at))
    level = next.filter(({ schema }) => !isBlobReference(schema))
  }
  return found.slice(0, MAX_PATHS)
}

function partsOf(schema: JsonSchema): [string | null, unknown][] {
  const types = schemaTypes(schema)
  if (types.length > 1) return []
  if (types[0] === 'array') return [[null, schema['items']]]
  const properties = schema['properties']
  return properties === null || typeof properties !== 'object' ? [] : Object.entries(properties)
}

/** Returns the references of one record. `members` is the object inside `data` itself, not a copy. */
export function blobReferences(paths: readonly BlobPath[], data: Readonly<Record<string, unknown>>): BlobReference[] {
  return paths.flatMap((blobPath) =>
    [...follow(blobPath, 0, data, '')].map((found) => ({ field: blobPath[0]!, ...found })),
  )
}

function* follow(
  blobPath: BlobPath,
  depth: number,
  value: unknown,
  path: string,
): Iterable<Omit<BlobReference, 'field'>> {
  if (value === null || typeof value !== 'object') return
  if (depth === blobPath.length) {
    const members = value as Record<string, unknown>
    if (!Array.isArray(value) && typeof members['blob_id'] === 'string') yield { path, members }
    return
  }
  const name = blobPath[depth]!
  if (name === null) {
    if (!Array.isArray(value)) return
    for (const [index, item] of value.entries()) yield* follow(blobPath, depth + 1, item, `${path}/${index}`)
  } else if (Object.hasOwn(value, name))
    yield* follow(blobPath, depth + 1, (value as Record<string, unknown>)[name], `${path}/${escaped(name)}`)
}

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
