import type { Warning } from '@pdpp/protocol'
import { declaredFields, PdppError } from '@pdpp/protocol/reading'
import { requireUsable } from '../grants/enforce.ts'
import { includesField, type ReadScope } from '../grants/read-scope.ts'
import { type FilterParameter, resolveFilter } from '../records/filter.ts'
import type { AggregateQuery, Metric, TimeDimension } from './aggregate-store.ts'
import type { Granularity } from './time-buckets.ts'
import { isTimeZone } from './time-zone.ts'

/** An aggregate request before its fields and combinations are checked. */
export interface AggregateRequest {
  readonly metric: Metric
  readonly field: string | undefined
  readonly groupBy: readonly string[]
  readonly groupByTime: string | undefined
  readonly granularity: Granularity | undefined
  readonly timeZone: string | undefined
  readonly order: 'asc' | 'desc' | undefined
  /** Undefined if the request has no limit. */
  readonly limit: number | undefined
  readonly filters: readonly FilterParameter[]
}

export const GROUP_LIMIT = { min: 1, default: 10, max: 100 } as const
const MAX_DIMENSIONS = 2

/** A checked query that may lack a granularity. chosen-granularity.ts adds it. */
export interface ResolvedAggregate extends Omit<AggregateQuery, 'time'> {
  readonly time: (Omit<TimeDimension, 'granularity'> & { readonly granularity: Granularity | undefined }) | undefined
}

/** Checks that every field exists, is granted and is declared for its use. Errors list the possible fields. */
export function resolveAggregate(scope: ReadScope, request: AggregateRequest, warnings: Warning[]): ResolvedAggregate {
  const field = resolveField(scope, request)
  checkDimensions(request)
  for (const name of request.groupBy) requireDeclared(scope, name, 'group_by', 'group_by')
  return {
    metric: request.metric,
    field,
    groupBy: request.groupBy,
    time: resolveTime(scope, request, warnings),
    order: request.order ?? 'desc',
    limit: request.limit ?? GROUP_LIMIT.default,
    conditions: resolveFilter(scope, request.filters, warnings),
  }
}

/** All fields that influence the answer. The receipt lists them. */
export function fieldsOf({ field, groupBy, time, conditions }: ResolvedAggregate): string[] {
  const names = [field, ...groupBy, time?.field, ...conditions.map((condition) => condition.field)]
  return [...new Set(names.filter((name) => name !== undefined))]
}

function resolveField(scope: ReadScope, { metric, field }: AggregateRequest): string | undefined {
  if (metric === 'count') {
    if (field !== undefined) throw invalid('field', 'count counts records: leave out field, or use count_distinct.')
    return
  }
  if (field !== undefined) return requireDeclared(scope, field, metric, 'field')
  throw new PdppError(
    'invalid_request',
    `The metric ${metric} needs a field. Declared for it: ${choices(scope, metric)}.`,
    { param: 'field' },
  )
}

function checkDimensions({ groupBy, groupByTime, granularity, timeZone, order, limit }: AggregateRequest): void {
  const twice = groupBy.find((name, index) => groupBy.indexOf(name) !== index)
  if (twice !== undefined) throw invalid('group_by', `group_by names "${twice}" twice.`)
  const dimensions = groupBy.length + (groupByTime === undefined ? 0 : 1)
  if (dimensions > MAX_DIMENSIONS)
    throw invalid('group_by', `You can group by at most ${MAX_DIMENSIONS} dimensions; group_by_time counts as one.`)
  if (dimensions === 0 && limit !== undefined)
    throw invalid('limit', 'limit is the number of groups: it needs group_by or group_by_time.')
  if (groupByTime !== undefined) return
  for (const [param, value] of Object.entries({ granularity, time_zone: timeZone, order })) {
    if (value !== undefined) throw invalid(param, `${param} needs group_by_time.`)
  }
}

function resolveTime(scope: ReadScope, request: AggregateRequest, warnings: Warning[]): ResolvedAggregate['time'] {
  const { groupByTime: name, granularity, timeZone = 'UTC' } = request
  if (name === undefined) return
  const field = requireDeclared(scope, name, 'group_by_time', 'group_by_time')
  if (!isTimeZone(timeZone)) {
    throw invalid('time_zone', 'time_zone must be an IANA name such as Europe/Berlin or UTC.')
  }
  if (declaredFields(scope.stream).get(field) !== 'date') return { field, granularity, zone: timeZone }
  // A date has no time zone. Converting it could move it to the day before.
  if (timeZone !== 'UTC') {
    const message = `"${field}" holds dates, which have no time zone: they are grouped as they are.`
    warnings.push({ code: 'compatibility_fallback', message, param: 'time_zone', field })
  }
  return { field, granularity, zone: 'UTC' }
}

type Use = Exclude<Metric, 'count'> | 'group_by' | 'group_by_time'

function requireDeclared(scope: ReadScope, name: string, use: Use, param: string): string {
  requireUsable(scope, name, param)
  if (declaredFor(scope, use).includes(name)) return name
  const message = `"${scope.stream.name}" does not declare ${use} of "${name}". Declared for ${use}: ${choices(scope, use)}.`
  throw new PdppError('invalid_request', message, { param })
}

/** If a source declares no fields for avg, all fields declared for sum have an average. */
function declaredFor({ stream }: ReadScope, use: Use): readonly string[] {
  const declared = stream.query?.aggregations ?? {}
  return (use === 'avg' ? (declared.avg ?? declared.sum) : declared[use]) ?? []
}

function choices(scope: ReadScope, use: Use): string {
  return (
    declaredFor(scope, use)
      .filter((name) => includesField(scope.usable, name))
      .join(', ') || '(nothing)'
  )
}

function invalid(param: string, message: string): PdppError {
  return new PdppError('invalid_argument', message, { param })
}
