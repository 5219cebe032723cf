import type { AggregateGroup, AggregateResult, Comparable } from '../../../aggregates/aggregate-store.ts'
import type { Condition } from '../../records/conditions.ts'
import { exactSumOf, joinSum, type Measure, measureOf, type SumParts, withExactFallback } from './aggregate-measure.ts'
import { type AggregateRows, plain, unionAll } from './aggregate-rows.ts'

type GroupRow = { n: bigint; value: Comparable; records: bigint; groups: bigint } & Record<string, Comparable>
type Groups = Omit<AggregateResult, 'value'>

/**
 * Groups by one or two expressions: first each feed along its index, then all feeds together. Only then it sorts and
 * cuts, because a group that is small in every connection can still be the largest of all. SQLite counts all groups but
 * returns only the ones in the answer.
 */
export function readGroups(of: AggregateRows, dimensions: readonly string[], once: boolean): Groups {
  if (of.rows.feeds.length === 0) return { recordCount: 0, groups: [], groupCount: 0 }
  const { metric, field } = of.query
  const column = field === undefined ? '' : of.valueSql(field)
  if (metric === 'count_distinct') return readTop(of, dimensions, distinctGroups(of, dimensions, column), 'v', once)
  const measure = measureOf(metric, column)
  const fast = () => readTop(of, dimensions, groupsSql(of, dimensions, measure), measure.value, once)
  return withExactFallback(fast, () => readExactSums(of, dimensions, exactSumOf(column), once))
}

const keyNames = (dimensions: readonly string[]): string => dimensions.map((_, index) => `k${index}`).join(', ')
const keyColumns = (dimensions: readonly string[]): string =>
  dimensions.map((sql, index) => `${sql} k${index}`).join(', ')

function groupsSql(of: AggregateRows, dimensions: readonly string[], { inner, outer }: Measure): Condition {
  const keys = keyNames(dimensions)
  const arms = of.arms(`${keyColumns(dimensions)}, count(*) n${inner}`, `group by ${keys}`)
  if (arms.length === 1) return arms[0]!
  const { sql, values } = unionAll(arms)
  return { sql: `select ${keys}, sum(n) n${outer} from (${sql}) group by ${keys}`, values }
}

/** A value in two feeds counts once, so the values of all feeds are collected before they are counted. */
function distinctGroups(of: AggregateRows, dimensions: readonly string[], column: string): Condition {
  const keys = keyNames(dimensions)
  const arms = of.arms(`${keyColumns(dimensions)}, ${column} x, count(*) n`, `group by ${keys}, x`)
  const { sql, values } = unionAll(arms)
  return { sql: `select ${keys}, sum(n) n, count(distinct x) v from (${sql}) group by ${keys}`, values }
}

function readTop(
  of: AggregateRows,
  dimensions: readonly string[],
  groups: Condition,
  value: string,
  once: boolean,
): Groups {
  const order = orderSql(of, dimensions)
  const sql = `with g as materialized (${groups.sql})
    select * from (select ${keyNames(dimensions)}, n, ${value} value from g order by ${order} limit ?),
      (select count(*) groups, sum(n) records from g) order by ${order}`
  const rows = of.all<GroupRow>(sql, [...groups.values, of.query.limit], once)
  return {
    recordCount: Number(rows[0]?.records ?? 0),
    groupCount: Number(rows[0]?.groups ?? 0),
    groups: rows.map((row) => toGroup(row, row.value, dimensions)),
  }
}

/** Sorts by time in the query's order, then by value with the largest first, then by key. Nulls come last. */
function orderSql({ query }: AggregateRows, dimensions: readonly string[]): string {
  const keys = dimensions.map((_, index) => `k${index}`)
  const time = query.time ? keys.pop() : undefined
  return [
    ...(time ? [`${time} is null`, `${time} ${query.order}`] : []),
    'value desc',
    ...keys.flatMap((key) => [`${key} is null`, key]),
  ].join(', ')
}

/** Adds and sorts sums of more than 64 bits here. This is rare, because it reads every group from SQLite. */
function readExactSums(of: AggregateRows, dimensions: readonly string[], measure: Measure, once: boolean): Groups {
  const { sql, values } = groupsSql(of, dimensions, measure)
  const rows = of.all<GroupRow & SumParts>(sql, values, once)
  const groups = rows.map((row) => toGroup(row, joinSum(row, of.query.metric), dimensions))
  const recordCount = groups.reduce((total, { count }) => total + count, 0)
  return { recordCount, groupCount: groups.length, groups: groups.sort(inOrder(of)).slice(0, of.query.limit) }
}

function inOrder({ query }: AggregateRows): (a: AggregateGroup, b: AggregateGroup) => number {
  const time = query.time ? query.groupBy.length : undefined
  const byTime = (a: AggregateGroup, b: AggregateGroup) =>
    time === undefined ? 0 : compare(a.keys[time]!, b.keys[time]!, query.order)
  const byKeys = (a: AggregateGroup, b: AggregateGroup) =>
    query.groupBy.map((_, index) => compare(a.keys[index]!, b.keys[index]!, 'asc')).find((order) => order !== 0) ?? 0
  return (a, b) => byTime(a, b) || compare(a.value, b.value, 'desc') || byKeys(a, b)
}

function compare(a: Comparable, b: Comparable, order: 'asc' | 'desc'): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  const sign =
    typeof a === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(b as string)) : difference(a, b as number)
  return order === 'asc' ? sign : -sign
}

const difference = (a: number | bigint, b: number | bigint): number => Number(a > b) - Number(a < b)

function toGroup(row: GroupRow, value: Comparable, dimensions: readonly string[]): AggregateGroup {
  return {
    keys: dimensions.map((_, index) => plain(row[`k${index}`]!)),
    count: Number(row.n),
    value: plain(value),
  }
}
