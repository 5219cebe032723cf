import { declaredFields, rawNumber } from '@pdpp/protocol'
import { includesField, type ReadScope } from '../grants/read-scope.ts'

/** A sum of money or a quantity, with what it is counted in where the source says so. */
export interface Amount {
  /** The name says the scale: `total_cents`. */
  readonly field: string
  readonly value: number | string
  readonly unit?: string
}

const CURRENCIES = ['currency', 'currency_code', 'currencyCode', 'unit']
const DECLARED = ['x_pdpp_currency', 'x_pdpp_unit', 'currency', 'unit']
const UNIT_CHARS = 20
const DIGITS = 40

/** The field with the role `amount`, where the scope shows it. */
export function amountOf(scope: ReadScope, data: Readonly<Record<string, unknown>>): Amount | undefined {
  const properties = scope.stream.schema['properties'] as Record<string, Record<string, unknown>>
  const shown = [...declaredFields(scope.stream).keys()].filter((name) => includesField(scope.usable, name))
  const field = shown.find((name) => properties[name]?.['x_pdpp_role'] === 'amount')
  if (field === undefined) return
  const value = numberIn(data[field])
  if (value === undefined) return
  const declared = DECLARED.map((name) => properties[field]?.[name])
  const beside = CURRENCIES.filter((name) => shown.includes(name)).map((name) => data[name])
  const unit = [...declared, ...beside].find(
    (told): told is string => typeof told === 'string' && told !== '' && told.length <= UNIT_CHARS,
  )
  return { field, value, ...(unit === undefined ? {} : { unit }) }
}

/** Digits that a number cannot hold stay as they were written. */
function numberIn(value: unknown): number | string | undefined {
  if (typeof value === 'number') return value
  const written = typeof value === 'string' ? value : rawNumber(value)
  return written !== undefined && written.length <= DIGITS && /^-?\d/.test(written) ? written : undefined
}
