/** Kind of a declared top-level field. It decides how the field is read, filtered and shown. */
export type FieldKind =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'date-time'
  | 'date'
  | 'epoch-seconds'
  | 'epoch-milliseconds'
  | 'binary'
  | 'blob'
  | 'json'

/** Units of whole numbers that are times (`x_pdpp_time_unit`), with their text for people. */
export const EPOCH_UNITS = {
  epoch_seconds: 'seconds since 1970 UTC',
  epoch_milliseconds: 'milliseconds since 1970 UTC',
} as const
export type EpochUnit = keyof typeof EPOCH_UNITS

export type JsonSchema = { readonly [key: string]: unknown }

const TIMES: ReadonlySet<FieldKind> = new Set(['date-time', 'date', 'epoch-seconds', 'epoch-milliseconds'])
const ORDERED: ReadonlySet<FieldKind> = new Set(['integer', 'number', ...TIMES])
const SCALARS: ReadonlySet<FieldKind> = new Set(['string', 'boolean', ...ORDERED])

export const isScalar = (kind: FieldKind): boolean => SCALARS.has(kind)
/** True for kinds that can be read as an instant. */
export const isTime = (kind: FieldKind): boolean => TIMES.has(kind)
/** True for kinds that range filters may compare. */
export const isOrdered = (kind: FieldKind): boolean => ORDERED.has(kind)

export function fieldKind(property: unknown, root: JsonSchema): FieldKind {
  const schema = resolveProperty(property, root)
  if (schema === undefined) return 'json'
  const types = schemaTypes(schema)
  if (types.length !== 1) return 'json'
  switch (types[0]) {
    case 'string':
      if (schema['contentEncoding'] === 'base64') return 'binary'
      if (schema['format'] === 'date-time') return 'date-time'
      return schema['format'] === 'date' ? 'date' : 'string'
    case 'integer':
      if (schema['x_pdpp_time_unit'] === 'epoch_seconds') return 'epoch-seconds'
      return schema['x_pdpp_time_unit'] === 'epoch_milliseconds' ? 'epoch-milliseconds' : 'integer'
    case 'number':
    case 'boolean':
      return types[0]
    case 'object':
      return isBlobReference(schema) ? 'blob' : 'json'
    default:
      return 'json'
  }
}

/** The JSON types that a property allows, without "null". */
export function schemaTypes(schema: JsonSchema): string[] {
  const type = schema['type']
  const list = Array.isArray(type) ? type : type === undefined ? [] : [type]
  return list.filter((name): name is string => typeof name === 'string' && name !== 'null')
}

/**
 * Follows one local `$ref` and reads `anyOf: [X, null]` as X, because schema generators write nullable fields this way.
 */
export function resolveProperty(property: unknown, root: JsonSchema): JsonSchema | undefined {
  if (property === null || typeof property !== 'object') return
  const schema = property as JsonSchema
  const ref = schema['$ref']
  if (typeof ref === 'string' && ref.startsWith('#/')) return followPointer(ref.slice(2), root)
  const options = schema['anyOf'] ?? schema['oneOf']
  if (!Array.isArray(options)) return schema
  const real = options.filter((option) => option?.type !== 'null')
  return real.length === 1 ? resolveProperty(real[0], root) : undefined
}

function followPointer(pointer: string, root: JsonSchema): JsonSchema | undefined {
  let at: unknown = root
  for (const part of pointer.split('/')) {
    at = (at as Record<string, unknown> | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return at !== null && typeof at === 'object' ? (at as JsonSchema) : undefined
}

/**
 * True for an object with `blob_id` and `sha256`. Some sources declare no `sha256`; then `blob_id` must be required.
 */
export function isBlobReference(schema: JsonSchema): boolean {
  const { properties, required } = schema
  if (properties === null || typeof properties !== 'object' || !('blob_id' in properties)) return false
  return 'sha256' in properties || (Array.isArray(required) && required.includes('blob_id'))
}

const fieldKinds = new WeakMap<object, ReadonlyMap<string, FieldKind>>()

/** Every declared field and its kind, computed once per schema object. */
export function declaredFields({ schema }: { readonly schema: JsonSchema }): ReadonlyMap<string, FieldKind> {
  const known = fieldKinds.get(schema)
  if (known) return known
  const properties = schema['properties']
  const entries = properties !== null && typeof properties === 'object' ? Object.entries(properties) : []
  const kinds = new Map(entries.map(([name, property]) => [name, fieldKind(property, schema)]))
  fieldKinds.set(schema, kinds)
  return kinds
}
