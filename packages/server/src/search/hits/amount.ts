import { declaredFields, rawNumber } from '@pdpp/protocol'
import { includesField, type ReadScope } from '../../grants/read-scope.ts'

/** A sum of money or a quantity, with what it is counted in where the source says so. */
export interface Amount {
  /** The name says the scale: `total_cents`. */
  readonly field: string
  readonly value: number | string
  readonly unit?: string
  readonly currency?: string
}

/** Where a source says it: in the declaration of the field, or in another field of the record. */
const UNITS = { declared: ['x_pdpp_unit', 'unit'], beside: ['unit'] }
const CURRENCIES = { declared: ['x_pdpp_currency', 'currency'], beside: ['currency', 'currency_code', 'currencyCode'] }
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
  const told = ({ declared, beside }: typeof UNITS): string | undefined =>
    firstUnit([
      ...declared.map((name) => properties[field]?.[name]),
      ...beside.filter((name) => shown.includes(name)).map((name) => data[name]),
    ])
  const unit = told(UNITS)
  // Of a distance the currency of its record says nothing.
  const isMoney = unit === undefined || properties[field]?.['x_pdpp_type'] === 'currency'
  const currency = isMoney ? told(CURRENCIES) : undefined
  return { field, value, ...(unit === undefined ? {} : { unit }), ...(currency === undefined ? {} : { currency }) }
}

const firstUnit = (told: readonly unknown[]): string | undefined =>
  told.find((each): each is string => typeof each === 'string' && each !== '' && each.length <= UNIT_CHARS)

/** Digits that a number cannot hold stay as they were written. */
function numberIn(value: unknown): number | string | undefined {
  if (typeof value === 'number') return value
  const written = typeof value === 'string' ? value : rawNumber(value)
  return written !== undefined && written.length <= DIGITS && /^-?\d/.test(written) ? written : undefined
}
