import { rawNumber } from '@pdpp/protocol/reading'

/**
 * A copy of the value that can be sent to another thread. A number that is kept as its digits cannot be cloned, so it
 * is sent as a String object. Bytes, maps and sets are sent unchanged.
 */
export function toCloneable(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  const digits = rawNumber(value)
  if (digits !== undefined) return new String(digits)
  if (Array.isArray(value)) return value.map(toCloneable)
  return isPlain(value) ? mapMembers(value, toCloneable) : value
}

export function fromCloneable(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (value instanceof String) return JSON.rawJSON(value.toString())
  if (Array.isArray(value)) return value.map(fromCloneable)
  return isPlain(value) ? mapMembers(value, fromCloneable) : value
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function mapMembers(value: object, map: (member: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, map(member)]))
}
