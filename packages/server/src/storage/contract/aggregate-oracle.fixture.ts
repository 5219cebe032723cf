import { parseInstant, rawNumber } from '@pdpp/protocol'
import type {
  AggregateGroup,
  AggregateQuery,
  AggregateResult,
  Comparable,
  TimeDimension,
} from '../../aggregates/aggregate-store.ts'

/** A record of the stream `entries`, and its connection. */
export type ModelRecord = { connection: string; id: string } & Record<string, unknown>

/** The expected answer of an aggregate, computed slowly from every record. */
export function expectedAggregate(records: readonly ModelRecord[], query: AggregateQuery): AggregateResult {
  const matching = records.filter((record) => query.conditions.every((condition) => holds(record, condition)))
  const result = { recordCount: matching.length, value: null, groups: [], groupCount: 0 }
  if (query.groupBy.length === 0 && !query.time) return { ...result, value: measure(matching, query) }
  const groups = new Map<string, { keys: Comparable[]; members: ModelRecord[] }>()
  for (const record of matching) {
    const keys = query.groupBy.map((name) => comparable(name, record[name]))
    if (query.time) keys.push(bucketOf(record, query.time))
    const name = keys.map((key) => `${typeof key}:${key}`).join('|')
    const group = groups.get(name) ?? { keys, members: [] }
    groups.set(name, group)
    group.members.push(record)
  }
  const all = [...groups.values()].map(({ keys, members }) => ({
    keys,
    count: members.length,
    value: measure(members, query),
  }))
  return { ...result, groups: all.sort((a, b) => inOrder(a, b, query)).slice(0, query.limit), groupCount: all.length }
}

export function comparable(name: string, value: unknown): Comparable {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return Number(value)
  if (name === 'at' || name === 'on') return parseInstant(value as string)!
  const digits = rawNumber(value)
  return digits === undefined ? (value as Comparable) : BigInt(digits)
}

function holds(record: ModelRecord, { field, operator, value }: AggregateQuery['conditions'][number]): boolean {
  const own = comparable(field, record[field])
  if (own === null) return false
  if (operator === 'eq') return own === value || (typeof own !== 'string' && wholeNumber(own) === wholeNumber(value))
  return operator === 'gte' ? own >= value : own < value
}

/** Converts whole numbers to one type, because a store may return a number or a bigint. */
export function withWholeNumbers({ value, groups, ...counts }: AggregateResult) {
  return {
    ...counts,
    value: wholeNumber(value),
    groups: groups.map((group) => ({
      keys: group.keys.map(wholeNumber),
      count: group.count,
      value: wholeNumber(group.value),
    })),
  }
}

const wholeNumber = (value: Comparable) =>
  typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value

function measure(records: readonly ModelRecord[], { metric, field }: AggregateQuery): Comparable {
  if (metric === 'count') return records.length
  const values = records.map((record) => comparable(field!, record[field!])).filter((value) => value !== null)
  if (metric === 'count_distinct') return new Set(values.map((value) => `${typeof value}:${value}`)).size
  if (values.length === 0) return null
  if (metric === 'min' || metric === 'max') {
    return values.reduce((best, value) => ((metric === 'min' ? value < best : value > best) ? value : best))
  }
  const whole = values.every((value) => typeof value === 'bigint' || Number.isInteger(value))
  const sum = whole
    ? values.reduce<bigint>((total, value) => total + BigInt(value), 0n)
    : values.reduce<number>((total, value) => total + Number(value), 0)
  if (metric === 'avg') return Number(sum) / values.length
  return Number.isSafeInteger(Number(sum)) ? Number(sum) : sum
}

function inOrder(a: AggregateGroup, b: AggregateGroup, query: AggregateQuery): number {
  const time = query.time ? query.groupBy.length : -1
  const orders = [
    query.time
      ? compare(a.keys[time]!, b.keys[time]!) *
        (query.order === 'asc' || a.keys[time] === null || b.keys[time] === null ? 1 : -1)
      : 0,
    compare(a.value, b.value) * (a.value === null || b.value === null ? 1 : -1),
    ...query.groupBy.map((_, index) => compare(a.keys[index]!, b.keys[index]!)),
  ]
  return orders.find((order) => order !== 0) ?? 0
}

/** Nulls come last; texts are sorted by code point. */
function compare(a: Comparable, b: Comparable): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  if (typeof a !== 'string') return Number(a > (b as number)) - Number(a < (b as number))
  const [left, right] = [[...a], [...(b as string)]].map((chars) => chars.map((char) => char.codePointAt(0)!)) as [
    number[],
    number[],
  ]
  const at = left.findIndex((code, index) => code !== right[index])
  if (at === -1) return left.length - right.length
  return right[at] === undefined ? 1 : left[at]! - right[at]!
}

function bucketOf(record: ModelRecord, { field, granularity, zone }: TimeDimension): Comparable {
  const micros = comparable(field, record[field])
  if (micros === null) return null
  const seconds = Math.floor(Number(micros) / 1e6)
  const offset = offsetOf(zone, seconds)
  const local = new Date((seconds + offset) * 1000)
  const fine = granularity === 'minute' || granularity === 'hour'
  if (granularity === 'minute') local.setUTCSeconds(0)
  else if (granularity === 'hour') local.setUTCMinutes(0, 0)
  else local.setUTCHours(0, 0, 0)
  if (granularity === 'week') while (local.getUTCDay() !== 1) local.setUTCDate(local.getUTCDate() - 1)
  const month = local.getUTCMonth()
  if (granularity === 'month') local.setUTCDate(1)
  if (granularity === 'quarter') local.setUTCMonth(month - (month % 3), 1)
  if (granularity === 'year') local.setUTCMonth(0, 1)
  if (!fine) return local.getTime() * 1000
  let start = local.getTime() / 1000 - offset
  while (offsetOf(zone, start) !== offset) start++
  return start * 1e6
}

const formats = new Map<string, Intl.DateTimeFormat>()

function offsetOf(zone: string, seconds: number): number {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  formats.set(zone, format)
  const text = format.formatToParts(seconds * 1000).find(({ type }) => type === 'timeZoneName')!.value
  const [sign, ...parts] = text.replace('GMT', '').split(/(?<=^[+−-])|:/)
  const [hours = 0, minutes = 0, rest = 0] = parts.map(Number)
  return (sign === '+' ? 1 : -1) * (hours * 3600 + minutes * 60 + rest)
}
