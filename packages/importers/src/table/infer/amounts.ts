/** A currency as people write it: a sign, a sign with letters (`US$`), an ISO code, or a short name. */
const CURRENCY = /\p{L}{0,2}\p{Sc}|\p{Lu}{3}|kr\.?|zł|Kč|Ft|Fr\.|lei/u.source
const DIGITS = /\d(?:[\d.,]|[\s'’](?=\d))*/u.source
const BEFORE = new RegExp(`^(?<sign>[-+]?)\\s*(?<unit>${CURRENCY})\\s*(?<digits>[-+]?\\s*${DIGITS})$`, 'u')
const AFTER = new RegExp(`^(?<digits>[-+]?\\s*${DIGITS})(?<sign>)\\s*(?<unit>${CURRENCY})$`, 'u')
const BARE = new RegExp(`^\\s*[-+]?${DIGITS}\\s*$`, 'u')
const IN_BRACKETS = /^\((.+)\)$/
const CODES = new Set(Intl.supportedValuesOf('currency'))

interface Amount {
  readonly digits: string
  readonly unit: string
}

/** The number and the currency of an amount: `-€ 12.50`, `1.234,50 EUR`, or `($3.00)`, as bookkeepers write -3. */
export function amountOf(text: string): Amount | undefined {
  const plain = text.trim().replace(/[\u2212\u2013]/g, '-')
  const inner = IN_BRACKETS.exec(plain)?.[1]
  if (inner !== undefined) {
    const amount = amountOf(inner)
    return amount && !amount.digits.startsWith('-') ? { ...amount, digits: `-${amount.digits}` } : undefined
  }
  const { sign = '', unit, digits } = (BEFORE.exec(plain) ?? AFTER.exec(plain))?.groups ?? {}
  if (unit === undefined || digits === undefined) return
  if (/^\p{Lu}{3}$/u.test(unit) && !CODES.has(unit)) return
  const number = `${sign}${digits}`.replace(/^([-+]*)\s+/, '$1')
  return /^[-+]?\d/.test(number) ? { digits: number.replace(/^\+/, ''), unit } : undefined
}

/** The number of an amount in this currency. Any other text stays as it is. */
export function amountText(text: string, unit: string): string {
  const amount = amountOf(text)
  return amount?.unit === unit ? amount.digits : text
}

/**
 * The currency of a column of amounts. `several` if the column mixes currencies, undefined if a value is not an amount.
 */
export function currencyOf(values: readonly string[]): { unit: string } | 'several' | undefined {
  const units = new Set<string>()
  for (const value of values) {
    const amount = amountOf(value)
    if (amount) units.add(amount.unit)
    else if (!BARE.test(value)) return
  }
  if (units.size > 1) return 'several'
  const [unit] = units
  // `CUP 1` and `CUP 2` may be names. Only a currency sign or a decimal part proves that the column contains money.
  const isMoney = unit !== undefined && (!/^\p{Lu}{3}$/u.test(unit) || values.some((value) => /[.,]\d/.test(value)))
  return isMoney ? { unit } : undefined
}
