import type { StreamDeclaration } from '@pdpp/protocol'
import { declaredFields } from '@pdpp/protocol/reading'

/** Cached, because every hit needs them. */
const known = new WeakMap<StreamDeclaration, ReadonlyMap<unknown, readonly string[]>>()

/** The declared fields with a role, such as `actor`, in the order of the declaration. */
export function fieldsWithRole(stream: StreamDeclaration, role: string): readonly string[] {
  const roles = known.get(stream) ?? rolesOf(stream)
  known.set(stream, roles)
  return roles.get(role) ?? NONE
}

const NONE: readonly string[] = []

function rolesOf(stream: StreamDeclaration): ReadonlyMap<unknown, readonly string[]> {
  const properties = stream.schema['properties'] as Record<string, Record<string, unknown>>
  return Map.groupBy(declaredFields(stream).keys(), (name) => properties[name]?.['x_pdpp_role'])
}
