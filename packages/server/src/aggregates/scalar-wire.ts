import type { FieldKind } from '@pdpp/protocol'
import type { Comparable } from './aggregate-store.ts'

/** Converts a value that the store compares, such as microseconds, back to the form that its field has in answers. */
export function scalarToWire(kind: FieldKind | undefined, value: Comparable): unknown {
  if (value === null) return null
  if (kind === 'boolean') return Number(value) === 1
  if (kind === 'date-time' || kind === 'epoch-seconds' || kind === 'epoch-milliseconds')
    return instantText(Number(value))
  if (kind === 'date') return instantText(Number(value)).slice(0, -10)
  return typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value
}

/** RFC 3339 in UTC, with as many decimals as needed: none, three or six. */
export function instantText(micros: number): string {
  const text = new Date(Math.floor(micros / 1000)).toISOString()
  const rest = ((micros % 1_000_000) + 1_000_000) % 1_000_000
  if (rest === 0) return `${text.slice(0, -5)}Z`
  return rest % 1000 === 0 ? text : `${text.slice(0, -1)}${String(rest % 1000).padStart(3, '0')}Z`
}
