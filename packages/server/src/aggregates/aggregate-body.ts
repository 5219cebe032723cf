import { declaredFields, type FieldKind, previewChars } from '@pdpp/protocol'
import type { ReadScope } from '../grants/read-scope.ts'
import type { AggregateGroup, AggregateQuery, AggregateResult, Comparable } from './aggregate-store.ts'
import { describeBucket } from './time-buckets.ts'

/** A longer key is a text, not a kind: its beginning says what it is. */
const KEY_CHARS = 500

/** The answer's members, ready for JSON: values as their field would show them. */
export function aggregateBody(scope: ReadScope, query: AggregateQuery, result: AggregateResult) {
  const { metric, field, groupBy, time } = query
  const head = {
    object: 'aggregation',
    stream: scope.stream.name,
    connector_key: scope.connectorKey,
    metric,
    field: field ?? null,
    group_by: groupBy.length > 1 ? groupBy : (groupBy[0] ?? null),
    group_by_time: time?.field ?? null,
    granularity: time?.granularity ?? null,
    ...(time ? { time_zone: time.zone } : {}),
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

function shownScalar(kind: FieldKind | undefined, value: Comparable): unknown {
  if (value === null) return null
  if (kind === 'boolean') return Number(value) === 1
  if (kind === 'date-time' || kind === 'epoch-seconds' || kind === 'epoch-milliseconds')
    return instantText(Number(value))
  if (kind === 'date') return instantText(Number(value)).slice(0, -10)
  return typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value
}

/** RFC 3339 in UTC with as many decimals as the instant has: none, three or six. */
export function instantText(micros: number): string {
  const text = new Date(Math.floor(micros / 1000)).toISOString()
  const rest = ((micros % 1_000_000) + 1_000_000) % 1_000_000
  if (rest === 0) return `${text.slice(0, -5)}Z`
  return rest % 1000 === 0 ? text : `${text.slice(0, -1)}${String(rest % 1000).padStart(3, '0')}Z`
}
