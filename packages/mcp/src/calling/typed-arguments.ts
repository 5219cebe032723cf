import { PdppError } from '@pdpp/protocol/reading'

/** `filter` and `expand_limit` are typed objects. Only this file turns them into the brackets of the query string. */
type Scalar = string | number | boolean
export type FilterArgument = Readonly<Record<string, Scalar | Readonly<Record<string, string | number>>>>

const OPERATORS = ['gte', 'gt', 'lte', 'lt']
const MAX_FIELDS = 20
const FILTER_FORM =
  'Give filter as an object: {"field":"value"} for an exact value, {"field":{"gte":"2026-01-01"}} for a range.'
const EXPAND_FORM = 'Give expand_limit as an object of relation and number: {"messages":3}.'

export function requireFilter(value: unknown): FilterArgument {
  if (!isObject(value)) throw badFilter(`filter must be an object, not ${nameOf(value)}.`)
  const entries = Object.entries(value)
  if (entries.length === 0) throw badFilter('filter is empty.')
  if (entries.length > MAX_FIELDS) throw badFilter(`filter takes at most ${MAX_FIELDS} fields.`)
  for (const [field, condition] of entries) {
    if (field === '' || /[[\]]/.test(field))
      throw badFilter(`"${cut(field)}" is not a field name: write it without brackets.`)
    if (isObject(condition)) requireRange(field, condition)
    else if (!isScalar(condition))
      throw badFilter(`The value for "${cut(field)}" must be a text, a number or a boolean.`)
    else requireExact(field, condition)
  }
  return value as FilterArgument
}

function requireRange(field: string, range: Record<string, unknown>): void {
  const entries = Object.entries(range)
  if (entries.length === 0) throw badFilter(`The range for "${cut(field)}" is empty.`)
  for (const [operator, bound] of entries) {
    if (!OPERATORS.includes(operator))
      throw badFilter(`"${cut(operator)}" is not a range operator: use ${OPERATORS.join(', ')}.`)
    if (typeof bound !== 'string' && typeof bound !== 'number')
      throw badFilter(`The bound ${operator} of "${cut(field)}" must be a text or a number.`)
    requireExact(field, bound)
  }
}

/** JSON parsing rounds integers above 2^53, so the filter would find another record. */
function requireExact(field: string, value: unknown): void {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw badFilter(`The number for "${cut(field)}" is too long to arrive exactly: give it as a text, in quotes.`)
}

export function requireExpandLimit(value: unknown): Readonly<Record<string, number>> {
  if (!isObject(value)) throw badExpand(`expand_limit must be an object, not ${nameOf(value)}.`)
  const entries = Object.entries(value)
  if (entries.length === 0) throw badExpand('expand_limit is empty.')
  for (const [relation, limit] of entries) {
    if (relation === '' || /[[\]]/.test(relation))
      throw badExpand(`"${cut(relation)}" is not a relation name: write it without brackets.`)
    if (typeof limit !== 'number' || !Number.isSafeInteger(limit) || limit < 1)
      throw badExpand(`The limit of "${cut(relation)}" must be a whole number from 1.`)
  }
  return value as Record<string, number>
}

/** Makes `filter[field]=value` and `filter[field][gte]=value`. */
export function filterParameters(filter: FilterArgument | undefined): [string, string][] {
  return Object.entries(filter ?? {}).flatMap(([field, condition]): [string, string][] =>
    typeof condition === 'object'
      ? Object.entries(condition).map(([operator, bound]) => [`filter[${field}][${operator}]`, String(bound)])
      : [[`filter[${field}]`, String(condition)]],
  )
}

export function expandParameters(
  expand: readonly string[] | undefined,
  limits: Readonly<Record<string, number>> | undefined,
): [string, string][] {
  return [
    ...(expand ?? []).map((relation): [string, string] => ['expand', relation]),
    ...Object.entries(limits ?? {}).map(([relation, limit]): [string, string] => [
      `expand_limit[${relation}]`,
      String(limit),
    ]),
  ]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)
const nameOf = (value: unknown): string => (Array.isArray(value) ? 'a list' : `a ${typeof value}`)
const cut = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

const badFilter = (message: string) =>
  new PdppError('invalid_filter', message, { param: 'filter', nextStep: FILTER_FORM })
const badExpand = (message: string) =>
  new PdppError('invalid_expand', message, { param: 'expand_limit', nextStep: EXPAND_FORM })
