import { declaredFields, rawNumber } from '@pdpp/protocol'
import { includesField, type ReadScope } from '../grants/read-scope.ts'

/** A sum of money or a quantity, with what it is counted in where the source says so. */
export interface Amount {
  /** The name says the scale: `total_cents`. */
  readonly field: string
  readonly value: number | string
  readonly unit?: string
}

const UNITS = ['x_pdpp_unit', 'unit']
const CURRENCIES = ['x_pdpp_currency', 'currency']
const BESIDE = ['currency', 'currency_code', 'currencyCode']
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
  const declared = (names: readonly string[]) => names.map((name) => properties[field]?.[name])
  const beside = (names: readonly string[]) => names.filter((name) => shown.includes(name)).map((name) => data[name])
  const counted = firstUnit([...declared(UNITS), ...beside(['unit'])])
  const currency = firstUnit([...declared(CURRENCIES), ...beside(BESIDE)])
  // `cents EUR`, as aggregates say it: either alone leaves the sum open. Of a distance the currency says nothing.
  const isMoney = counted === undefined || properties[field]?.['x_pdpp_type'] === 'currency'
  const unit = [...new Set([counted, isMoney ? currency : undefined])].filter((told) => told !== undefined).join(' ')
  return { field, value, ...(unit === '' ? {} : { unit }) }
}

const firstUnit = (told: readonly unknown[]): string | undefined =>
  told.find((each): each is string => typeof each === 'string' && each !== '' && each.length <= UNIT_CHARS)

/** Digits that a number cannot hold stay as they were written. */
function numberIn(value: unknown): number | string | undefined {
  if (typeof value === 'number') return value
  const written = typeof value === 'string' ? value : rawNumber(value)
  return written !== undefined && written.length <= DIGITS && /^-?\d/.test(written) ? written : undefined
}
