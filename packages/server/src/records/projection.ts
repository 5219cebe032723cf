import type { FieldSet } from '../grants/read-scope.ts'
import { storedJson, storedRecord } from '../lib/stored-json.ts'

/**
 * The members of a stored record that a scope shows, as JSON text. Stores call it before a record leaves them.
 * `complete` says that the text holds nothing beyond the set, so that it can be passed on as it is, once it is seen to be
 * JSON: a damaged one would break the answer that it is put into.
 */
export function projectJson(json: string, projection: FieldSet, complete = false): string {
  if (projection === 'all' || complete) {
    storedJson(json)
    return json
  }
  const data = storedRecord(json)
  const shown: Record<string, unknown> = {}
  for (const name of projection) {
    if (Object.hasOwn(data, name)) shown[name] = data[name]
  }
  return JSON.stringify(shown)
}
