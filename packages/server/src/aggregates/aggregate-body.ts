import { declaredFields, previewChars } from '@pdpp/protocol'
import type { ReadScope } from '../grants/read-scope.ts'
import type { AggregateGroup, AggregateQuery, AggregateResult, Comparable } from './aggregate-store.ts'
import type { ChosenBy } from './chosen-granularity.ts'
import type { FilterEcho } from './filter-echo.ts'
import type { MeasureUnit } from './measure-unit.ts'
import { instantText, shownScalar } from './shown-scalar.ts'
import { describeBucket } from './time-buckets.ts'

/** A longer key is a text, not a kind: its beginning says what it is. */
const KEY_CHARS = 500

/** What an answer says about how its numbers came about. */
export interface AggregateFacts {
  readonly unit: MeasureUnit
  readonly chosenBy?: ChosenBy | undefined
  readonly filter: FilterEcho
}

/** The answer's members, ready for JSON: values as their field would show them. */
export function aggregateBody(
  scope: ReadScope,
  query: AggregateQuery,
  result: AggregateResult,
  { unit: { unit, currency }, chosenBy, filter }: AggregateFacts,
) {
  const { metric, field, groupBy, time } = query
  const head = {
    object: 'aggregation',
    stream: scope.stream.name,
    connector_key: scope.connectorKey,
    metric,
    field: field ?? null,
    ...(unit === undefined ? {} : { unit }),
    ...(currency === undefined ? {} : { currency }),
    group_by: groupBy.length > 1 ? groupBy : (groupBy[0] ?? null),
    group_by_time: time?.field ?? null,
    granularity: time?.granularity ?? null,
    ...(chosenBy ? { granularity_chosen: true, ...spanOf(chosenBy) } : {}),
    ...(time ? { time_zone: time.zone } : {}),
    ...filter,
    filtered_record_count: result.recordCount,
    approximate: false,
  }
  if (groupBy.length === 0 && !time) return { ...head, value: shownValue(scope, query, result.value) }
  const shown = result.groups.reduce((sum, { count }) => sum + count, 0)
  return {
    ...head,
    limit: query.limit,
    group_count: result.groupCount,
    other_count: result.recordCount - shown,
    groups: result.groups.map((group) => shownGroup(scope, query, group)),
  }
}

function spanOf({ earliest, latest }: ChosenBy) {
  return earliest === null || latest === null
    ? {}
    : { time_span: { earliest: instantText(earliest), latest: instantText(latest) } }
}

function shownGroup(scope: ReadScope, query: AggregateQuery, { keys, count, value }: AggregateGroup) {
  const { groupBy, time, metric } = query
  const kinds = declaredFields(scope.stream)
  const shown = groupBy.map((name, index) => shownScalar(kinds.get(name), keys[index]!))
  const bucket = time && keys[groupBy.length]
  const described = time && bucket != null ? describeBucket(time.granularity, time.zone, Number(bucket)) : undefined
  if (time) shown.push(described?.key ?? null)
  const cut = shown.map((key) => (typeof key === 'string' ? previewChars(key, KEY_CHARS) : key))
  return {
    ...(cut.length > 1 ? { keys: cut } : { key: cut[0] }),
    ...(cut.some((key, index) => key !== shown[index]) ? { key_truncated: true } : {}),
    ...(described ? { starts_at: instantText(described.startsAt) } : {}),
    count,
    ...(metric === 'count' ? {} : { value: shownValue(scope, query, value) }),
  }
}

/** Only the smallest and the largest are values of the field itself; the others are numbers. */
function shownValue(scope: ReadScope, { metric, field }: AggregateQuery, value: Comparable) {
  const kind = metric === 'min' || metric === 'max' ? declaredFields(scope.stream).get(field!) : 'number'
  return shownScalar(kind, value)
}
