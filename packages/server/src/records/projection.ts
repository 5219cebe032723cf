import type { FieldSet } from '../grants/read-scope.ts'
import { storedJson, storedMembers } from '../lib/stored-json.ts'

/**
 * Returns the members of a stored record that the scope includes, as JSON text. Stores call it for every record they
 * return. `complete` means that the text contains no other members. Then it is returned unchanged after checking that
 * it is JSON, because damaged text would break the whole answer.
 */
export function projectJson(json: string, projection: FieldSet, complete = false): string {
  if (projection === 'all' || complete) {
    storedJson(json)
    return json
  }
  const data = storedMembers(json, projection)
  const projected: Record<string, unknown> = {}
  for (const name of projection) {
    if (Object.hasOwn(data, name)) projected[name] = data[name]
  }
  return JSON.stringify(projected)
}
