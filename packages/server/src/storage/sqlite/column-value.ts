import { type FieldKind, parseInstant, rawNumber } from '@pdpp/protocol'
import type { Value } from './database.ts'

const INT64 = 1n << 63n

/** What a declared field's column holds: comparable values. The answer always comes from the record itself. */
export function columnValue(kind: FieldKind, value: unknown): Value {
  if (value === null || value === undefined) return null
  switch (kind) {
    case 'date-time':
    case 'date':
      return typeof value === 'string' ? (parseInstant(value) ?? null) : null
    case 'boolean':
      return typeof value === 'boolean' ? Number(value) : null
    case 'integer':
    case 'number':
      return numberValue(value)
    default:
      return typeof value === 'string' ? value : null
  }
}

/** Integers up to 64 bits are exact; beyond that the nearest double orders them. */
function numberValue(value: unknown): Value {
  if (typeof value === 'number') return value
  const digits = rawNumber(value)
  if (digits === undefined) return null
  if (!/^-?\d+$/.test(digits)) return Number(digits)
  const exact = BigInt(digits)
  return exact < INT64 && exact >= -INT64 ? exact : Number(digits)
}
