import { declaredFields, previewChars } from '@pdpp/protocol'
import type { ReadScope } from '../grants/read-scope.ts'
import type { FieldCondition, FilterParameter } from '../records/filter.ts'
import { scalarToWire } from './scalar-wire.ts'

/** The filter as the server understood it. For example, a date was converted to an instant. */
export interface FilterEcho {
  readonly filter?: Readonly<Record<string, unknown>>
  /** Set if a date was compared with a time: the zone whose midnight was used. */
  readonly filter_time_zone?: 'UTC'
}

const VALUE_CHARS = 200
const TIMES: ReadonlySet<string | undefined> = new Set(['date-time', 'epoch-seconds', 'epoch-milliseconds'])
const DATE = /^\d{4}-\d\d-\d\d$/

/** `conditions` are the parsed `parameters`, in the same order. */
export function filterEcho(
  { stream }: ReadScope,
  parameters: readonly FilterParameter[],
  conditions: readonly FieldCondition[],
): FilterEcho {
  if (conditions.length === 0) return {}
  const kinds = declaredFields(stream)
  const filter: Record<string, unknown> = {}
  for (const { field, operator, value } of conditions) {
    const rendered = scalarToWire(kinds.get(field), value)
    const bound = typeof rendered === 'string' ? previewChars(rendered, VALUE_CHARS) : rendered
    const before = filter[field]
    if (operator === 'eq') filter[field] = bound
    else filter[field] = { ...(typeof before === 'object' ? before : {}), [operator]: bound }
  }
  const byDate = parameters.some(({ field, value }) => TIMES.has(kinds.get(field)) && DATE.test(value))
  return { filter, ...(byDate ? { filter_time_zone: 'UTC' as const } : {}) }
}
