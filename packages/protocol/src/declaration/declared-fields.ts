import type { StreamDeclaration } from './declaration.ts'
import { type FieldKind, fieldKind } from './field.ts'

const fieldKinds = new WeakMap<object, ReadonlyMap<string, FieldKind>>()

/** Every declared field and its kind, computed once per schema object. */
export function declaredFields({ schema }: Pick<StreamDeclaration, 'schema'>): ReadonlyMap<string, FieldKind> {
  const known = fieldKinds.get(schema)
  if (known) return known
  const properties = schema['properties']
  const entries = properties !== null && typeof properties === 'object' ? Object.entries(properties) : []
  const kinds = new Map(entries.map(([name, property]) => [name, fieldKind(property, schema)]))
  fieldKinds.set(schema, kinds)
  return kinds
}
