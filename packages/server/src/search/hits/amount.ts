import { declaredFields, rawNumber } from '@pdpp/protocol/reading'
import { includesField, type ReadScope } from '../../grants/read-scope.ts'
import { fieldsWithRole } from './field-roles.ts'

/** A sum of money or a quantity, with its unit or currency if the source names one. */
export interface Amount {
  /** Included because the name often contains the scale: `total_cents`. */
  readonly field: string
  readonly value: number | string
  readonly unit?: string
  readonly currency?: string
}

/**
 * Names of schema keywords (`declared`) and of other fields of the record (`sibling`) that hold the unit or currency.
 */
const UNITS = { declared: ['x_pdpp_unit', 'unit'], sibling: ['unit'] }
const CURRENCIES = { declared: ['x_pdpp_currency', 'currency'], sibling: ['currency', 'currency_code', 'currencyCode'] }
const UNIT_CHARS = 20
const DIGITS = 40

/** Returns the field with the role `amount`, if the scope includes it. */
export function amountOf(scope: ReadScope, data: Readonly<Record<string, unknown>>): Amount | undefined {
  const properties = scope.stream.schema['properties'] as Record<string, Record<string, unknown>>
  const field = fieldsWithRole(scope.stream, 'amount').find((name) => includesField(scope.usable, name))
  if (field === undefined) return
  const declaredNames = declaredFields(scope.stream)
  const isVisible = (name: string) => declaredNames.has(name) && includesField(scope.usable, name)
  const value = numberIn(data[field])
  if (value === undefined) return
  const unitFrom = ({ declared, sibling }: typeof UNITS): string | undefined =>
    firstUnit([
      ...declared.map((name) => properties[field]?.[name]),
      ...sibling.filter(isVisible).map((name) => data[name]),
    ])
  const unit = unitFrom(UNITS)
  // The currency of the record does not apply to a distance.
  const isMoney = unit === undefined || properties[field]?.['x_pdpp_type'] === 'currency'
  const currency = isMoney ? unitFrom(CURRENCIES) : undefined
  return { field, value, ...(unit === undefined ? {} : { unit }), ...(currency === undefined ? {} : { currency }) }
}

const firstUnit = (candidates: readonly unknown[]): string | undefined =>
  candidates.find((each): each is string => typeof each === 'string' && each !== '' && each.length <= UNIT_CHARS)

/** Numbers with too many digits for a double stay as text. */
function numberIn(value: unknown): number | string | undefined {
  if (typeof value === 'number') return value
  const digits = typeof value === 'string' ? value : rawNumber(value)
  return digits !== undefined && digits.length <= DIGITS && /^-?\d/.test(digits) ? digits : undefined
}
