import type { AggregateGroup } from '../../../aggregates/aggregate-store.ts'
import type { Granularity } from '../../../aggregates/time-buckets.ts'
import { yearOf, yearStart } from '../../../aggregates/time-zone.ts'
import { BIAS, type BucketDialect } from '../../aggregates/bucket-sql.ts'
import { countedGroups, rangesOf } from '../../aggregates/counted-ranges.ts'
import { type OccupiedYears, stretches } from '../../aggregates/occupied-years.ts'
import { type Condition, joinConditions } from '../../records/conditions.ts'
import { fieldOf } from '../../records/layout.ts'
import { filterConditions, recordConditions } from '../records/scope-sql.ts'
import type { AggregateRows } from './aggregate-rows.ts'

/** `greatest` would ignore nulls. */
const larger = (a: string, b: string): string => `case when ${b} < ${a} then ${a} else ${b} end`

export const DIALECT: BucketDialect = { larger, calendar }

/** In UTC, because the offset was added before. In whole seconds, because a double cannot hold the microseconds. */
function calendar(column: string, granularity: Granularity, offset: number): string {
  const seconds = `((${column} + ${offset + BIAS}) / 1000000 - ${BIAS / 1_000_000})`
  return `extract(epoch from date_trunc('${granularity}', to_timestamp(${seconds}) at time zone 'UTC'))::bigint * 1000000`
}

/** Seeks in the index year by year, so that one record in the year 9999 does not cost all years until then. */
export async function findOccupiedYears({ rows, query }: AggregateRows, field: string): Promise<OccupiedYears> {
  const column = fieldOf(rows.layout, field)!.column!
  const own = query.conditions.filter((condition) => condition.field === field)
  const granted = rows.scope.time?.field === field && !rows.scope.resources
  const limits = joinConditions([
    ...(granted ? recordConditions(rows.scope, rows.layout) : []),
    ...filterConditions(own, rows.layout),
  ])
  const edge = (beyond: string, order: 'asc' | 'desc') =>
    `(select a.at from unnest(@feeds::bigint[]) f(feed) cross join lateral (select r.${column} "at" from record r
        where r.subject = @subject and r.feed = f.feed and r.${column} is not null and ${beyond} and ${named.sql}
        order by r.${column} ${order} limit 1) a order by a.at ${order} limit 1)`
  const named = namedConditions(limits)
  // Each step finds the first record after the year of the previous step's record.
  const sql = `with recursive y(at) as (
      select ${edge(`r.${column} >= ${yearStart(-1)}`, 'asc')}
      union all select ${edge(`r.${column} >= ${nextYear('y.at')}`, 'asc')} from y where y.at is not null)
    select y.at from y where y.at is not null union all select ${edge('true', 'desc')}`
  const values = { feeds: rows.feedList, subject: rows.subject, ...named.values }
  const found = await rows.session.column<number | null>(sql, values)
  const last = found.pop()
  if (last == null || found.length === 0) return { years: [], ranges: [] }
  const times = found as number[]
  return stretches(
    times.map((at) => yearOf(at)),
    { from: times[0]!, to: last },
  )
}

const nextYear = (at: string): string =>
  `(extract(epoch from date_trunc('year', to_timestamp(floor(${at}::numeric / 1000000)) at time zone 'UTC')
    + interval '1 year')::bigint * 1000000)`

/** The same condition with names for its values, because a statement repeats the condition. */
function namedConditions({ sql, values }: Condition): { sql: string; values: Record<string, unknown> } {
  let at = 0
  return {
    sql: sql.replaceAll('?', () => `@limit${at++}`),
    values: Object.fromEntries(values.map((value, index) => [`limit${index}`, value])),
  }
}

/** Counts one index range per bucket. Undefined if that is impossible or more expensive. */
export async function countRanges(
  { rows, query }: AggregateRows,
  occupied: OccupiedYears,
  recordCount: number,
): Promise<AggregateGroup[] | undefined> {
  const ranges = rangesOf(query, rows.scope, occupied, recordCount, rows.feeds.length)
  if (!ranges) return
  const { column } = fieldOf(rows.layout, query.time!.field)!
  const sql = `select x.at, c.n from unnest(?::bigint[], ?::bigint[]) with ordinality x(lo, hi, at)
    cross join lateral (select count(*) n from record r where r.subject = ? and r.feed = any(?::bigint[])
      and r.${column} >= x.lo and r.${column} < x.hi) c where c.n > 0`
  const lists = [ranges.map(({ from }) => from), ranges.map(({ to }) => to)]
  const found = await rows.session.all<{ at: number; n: number }>(sql, ...lists, rows.subject, rows.feedList)
  const counts = new Map<number, number>()
  for (const { at, n } of found) {
    const { bucket } = ranges[at - 1]!
    counts.set(bucket, (counts.get(bucket) ?? 0) + n)
  }
  return countedGroups(counts, query, recordCount)
}
