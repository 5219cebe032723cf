import { declaredFields, previewChars } from '@pdpp/protocol'
import type { ReadScope } from '../grants/read-scope.ts'
import type { AggregateGroup, AggregateQuery, AggregateResult, Comparable } from './aggregate-store.ts'
import type { ChosenBy } from './chosen-granularity.ts'
import type { FilterEcho } from './filter-echo.ts'
import type { MeasureUnit } from './measure-unit.ts'
import { instantText, scalarToWire } from './scalar-wire.ts'
import { describeBucket } from './time-buckets.ts'

/** Max. characters of a group key. A longer key is free text, so its beginning is enough. */
const KEY_CHARS = 500

/** Facts about how the numbers were computed. */
export interface AggregateFacts {
  readonly unit: MeasureUnit
  readonly chosenBy?: ChosenBy | undefined
  readonly filter: FilterEcho
}

/** Builds the members of the answer. Values look as in their field. */
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
  const listedCount = result.groups.reduce((sum, { count }) => sum + count, 0)
  return {
    ...head,
    limit: query.limit,
    group_count: result.groupCount,
    other_count: result.recordCount - listedCount,
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
  const keyValues = groupBy.map((name, index) => scalarToWire(kinds.get(name), keys[index]!))
  const bucket = time && keys[groupBy.length]
  const described = time && bucket != null ? describeBucket(time.granularity, time.zone, Number(bucket)) : undefined
  if (time) keyValues.push(described?.key ?? null)
  const cut = keyValues.map((key) => (typeof key === 'string' ? previewChars(key, KEY_CHARS) : key))
  return {
    ...(cut.length > 1 ? { keys: cut } : { key: cut[0] }),
    ...(cut.some((key, index) => key !== keyValues[index]) ? { key_truncated: true } : {}),
    ...(described ? { starts_at: instantText(described.startsAt) } : {}),
    count,
    ...(metric === 'count' ? {} : { value: shownValue(scope, query, value) }),
  }
}

/** The results of min and max are values of the field; all other metrics return numbers. */
function shownValue(scope: ReadScope, { metric, field }: AggregateQuery, value: Comparable) {
  const kind = metric === 'min' || metric === 'max' ? declaredFields(scope.stream).get(field!) : 'number'
  return scalarToWire(kind, value)
}
