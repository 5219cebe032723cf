import type { FieldKind } from '@pdpp/protocol'
import { comparableNumber, epochInstant, parseInstant, rawNumber } from '@pdpp/protocol/reading'

type Value = string | number | bigint | null

/** The comparable value for a declared field's column. Answers never come from columns but from the record's JSON. */
export function columnValue(kind: FieldKind, value: unknown): Value {
  if (value === null || value === undefined) return null
  switch (kind) {
    case 'date-time':
    case 'date':
      return typeof value === 'string' ? (parseInstant(value) ?? null) : null
    case 'epoch-seconds':
    case 'epoch-milliseconds':
      return typeof value === 'number' ? (epochInstant(value, kind) ?? null) : null
    case 'boolean':
      return typeof value === 'boolean' ? Number(value) : null
    case 'integer':
    case 'number':
      return numberValue(value)
    default:
      return typeof value === 'string' ? value : null
  }
}

function numberValue(value: unknown): Value {
  if (typeof value === 'number') return value
  const digits = rawNumber(value)
  return digits === undefined ? null : comparableNumber(digits)
}
