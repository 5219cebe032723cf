import type { FieldKind, RangeOperator, StreamDeclaration, Warning } from '@pdpp/protocol'
import {
  comparableNumber,
  declaredFields,
  epochInstant,
  isScalar,
  PdppError,
  parseInstant,
} from '@pdpp/protocol/reading'
import { requireUsable } from '../grants/enforce.ts'
import { includesField, type ReadScope } from '../grants/read-scope.ts'

export type FilterOperator = 'eq' | RangeOperator

/** One condition as received: `filter[field]=v` or `filter[field][gte]=v`. */
export interface FilterParameter {
  readonly field: string
  readonly operator: string
  readonly value: string
  /** Name of the query parameter, for error messages. */
  readonly param: string
}

/**
 * A condition that a store can compare: instants in microseconds, booleans as 0 and 1. A record must match all of them.
 */
export interface FieldCondition {
  readonly field: string
  readonly operator: FilterOperator
  readonly value: string | number | bigint
}

/** Converts conditions to the types of the schema. Errors list the valid choices. */
export function resolveFilter(
  scope: ReadScope,
  parameters: readonly FilterParameter[],
  warnings: Warning[],
): FieldCondition[] {
  const conditions = parameters.map((parameter) => resolveOne(scope, parameter))
  checkOrder(parameters, conditions)
  const onTime = parameters.find(({ field }) => field === scope.time?.field)
  checkGrantedTime(scope, conditions, warnings, onTime?.param ?? 'filter')
  return conditions
}

/** Refuses a time without any moment. A result without records would say that nothing happened then. */
function checkOrder(parameters: readonly FilterParameter[], conditions: readonly FieldCondition[]): void {
  const [since, until] = ['since', 'until'].map(
    (name) => conditions[parameters.findIndex(({ param }) => param === name)],
  )
  if (since && until && since.value >= until.value) throw refusal('until', '"until" must be later than "since".')
}

function resolveOne(scope: ReadScope, { field, operator, value, param }: FilterParameter): FieldCondition {
  requireUsable(scope, field, param)
  const kind = declaredFields(scope.stream).get(field)!
  if (!isScalar(kind)) {
    throw refusal(param, `You can't filter by "${field}", which is ${kind}. You can filter by: ${choices(scope)}.`)
  }
  const legal = operatorsOf(scope.stream, field)
  if (!(legal as string[]).includes(operator)) {
    const parameters = legal
      .map((name) => (name === 'eq' ? `filter[${field}]` : `filter[${field}][${name}]`))
      .join(', ')
    throw refusal(param, `"${field}" has no operator "${operator.slice(0, 20)}". Use: ${parameters}.`)
  }
  const typed = typedValue(kind, value)
  if (typed === undefined)
    throw refusal(param, `A filter on "${field}" needs ${EXPECTED[kind]}, not "${value.slice(0, 60)}".`)
  return { field, operator: operator as FilterOperator, value: typed }
}

/**
 * Every scalar can be compared for equality. Ranges need a declaration, except for the cursor field and the consent
 * time.
 */
export function operatorsOf(stream: StreamDeclaration, field: string): FilterOperator[] {
  const isTime = field === stream.consent_time_field || field === stream.cursor_field
  const kind = declaredFields(stream).get(field)
  const natural: RangeOperator[] = isTime && kind !== 'string' && kind !== 'boolean' ? ['gte', 'gt', 'lte', 'lt'] : []
  const ranges = stream.query?.range_filters ?? {}
  // A field may be called "constructor", which every object inherits.
  const declared = Object.hasOwn(ranges, field) ? ranges[field]! : []
  return [...new Set<FilterOperator>(['eq', ...declared, ...natural])]
}

const EXPECTED: Partial<Record<FieldKind, string>> = {
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  'date-time': 'a date or an RFC 3339 time with a zone, such as 2026-01-31T09:00:00Z',
  date: 'a date, such as 2026-01-31',
  'epoch-seconds': 'seconds since 1970, or a time with a zone, such as 2026-01-31T09:00:00Z',
  'epoch-milliseconds': 'milliseconds since 1970, or a time with a zone, such as 2026-01-31T09:00:00Z',
  string: 'a text',
}

function typedValue(kind: FieldKind, text: string): FieldCondition['value'] | undefined {
  switch (kind) {
    case 'integer':
      return /^-?\d+$/.test(text) ? comparableNumber(text) : undefined
    case 'number':
      return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? comparableNumber(text) : undefined
    case 'boolean':
      return text === 'true' ? 1 : text === 'false' ? 0 : undefined
    case 'date-time':
    case 'date':
      // Results show times to the minute, so accept such a time when a client copies it.
      return parseInstant(text.replace(/^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d)(Z|[+-]\d\d:\d\d)$/i, '$1:00$2'))
    case 'epoch-seconds':
    case 'epoch-milliseconds':
      return /^-?\d+$/.test(text) ? epochInstant(Number(text), kind) : parseInstant(text)
    default:
      return text
  }
}

/** Refuses a filter outside of the granted time, because an empty page would mean that nothing happened then. */
function checkGrantedTime(
  { time, stream, connectorKey }: ReadScope,
  conditions: readonly FieldCondition[],
  warnings: Warning[],
  param: string,
): void {
  if (!time) return
  const onTime = conditions.filter(({ field }) => field === time.field)
  if (onTime.length === 0) return
  // Half-open range in whole microseconds: [from, to).
  const from = Math.max(
    ...onTime.flatMap(({ operator, value }) => lowerBound(operator, Number(value))),
    Number.NEGATIVE_INFINITY,
  )
  const to = Math.min(
    ...onTime.flatMap(({ operator, value }) => upperBound(operator, Number(value))),
    Number.POSITIVE_INFINITY,
  )
  // Contradicting conditions match nothing, so the granted time does not matter.
  if (from >= to) return
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = time
  if (Math.max(from, since) >= Math.min(to, until)) {
    throw new PdppError(
      'grant_time_range_exceeded',
      `The filter on "${time.field}" is outside the time that the grant allows${bounds(time)}.`,
      { param, lacks: { kind: 'time', connectorKey, stream: stream.name, ...daysOf(from, to) } },
    )
  }
  // Warn if the grant cuts the range, because the page would seem complete.
  if (from < since || to > until) {
    const message = `The filter on "${time.field}" was narrowed to the time that the grant allows${bounds(time)}.`
    // The streams of a grant often have the same limit, so warn once.
    if (warnings.some((known) => known.message === message)) return
    warnings.push({ code: 'time_range_narrowed', message, field: time.field })
  }
}

/** The days of a half-open range in microseconds: the first day, and the day after the last. */
function daysOf(from: number, to: number): { since?: string; until?: string } {
  const day = (micros: number) => new Date(micros / 1000).toISOString().slice(0, 10)
  const isDay = (micros: number) => Math.abs(micros) < MAX_DAY_MICROS
  return {
    ...(isDay(from) ? { since: day(from) } : {}),
    ...(isDay(to) ? { until: day(to + DAY_MICROS - 1) } : {}),
  }
}

const DAY_MICROS = 86_400_000_000
/** The year 9999, beyond which a day has no usual form. */
const MAX_DAY_MICROS = Date.parse('9999-01-01') * 1000

function lowerBound(operator: FilterOperator, value: number): number[] {
  return operator === 'gte' || operator === 'eq' ? [value] : operator === 'gt' ? [value + 1] : []
}

function upperBound(operator: FilterOperator, value: number): number[] {
  return operator === 'lt' ? [value] : operator === 'lte' || operator === 'eq' ? [value + 1] : []
}

function bounds({ since, until }: { since: number | undefined; until: number | undefined }): string {
  const text = (micros: number) => new Date(micros / 1000).toISOString()
  const parts = [since === undefined ? '' : `from ${text(since)}`, until === undefined ? '' : `before ${text(until)}`]
  return ` (${parts.filter((part) => part !== '').join(', ')})`
}

function choices(scope: ReadScope): string {
  const names = [...declaredFields(scope.stream)].filter(
    ([name, kind]) => isScalar(kind) && includesField(scope.usable, name),
  )
  return names.map(([name]) => name).join(', ') || '(none)'
}

function refusal(param: string, message: string): PdppError {
  return new PdppError('invalid_filter', message, { param })
}
