import { parseJson } from '@pdpp/protocol'
import type { FieldSet } from '../grants/read-scope.ts'

/**
 * The members of a stored record that a scope shows, as JSON text. Stores call it before a record leaves them.
 * `complete` says that the text holds nothing beyond the set, so that it can be passed on as it is.
 */
export function projectJson(json: string, projection: FieldSet, complete = false): string {
  if (projection === 'all' || complete) return json
  const data = parseJson(json) as Record<string, unknown>
  const shown: Record<string, unknown> = {}
  for (const name of projection) {
    if (Object.hasOwn(data, name)) shown[name] = data[name]
  }
  return JSON.stringify(shown)
}
