import type { AggregateGroup } from '../../../aggregates/aggregate-store.ts'
import type { Granularity } from '../../../aggregates/time-buckets.ts'
import { yearOf, yearStart } from '../../../aggregates/time-zone.ts'
import { BIAS, type BucketDialect } from '../../aggregates/bucket-sql.ts'
import { countedGroups, rangesOf } from '../../aggregates/counted-ranges.ts'
import { type OccupiedYears, stretches } from '../../aggregates/occupied-years.ts'
import { joinConditions } from '../../records/conditions.ts'
import { fieldOf } from '../../records/layout.ts'
import { filterConditions, recordConditions } from '../records/scope-sql.ts'
import type { AggregateRows } from './aggregate-rows.ts'

export const DIALECT: BucketDialect = { larger: 'greatest', calendar }

/** In UTC, because the offset was added before. In whole seconds, because a double has too few digits for microseconds. */
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
  const seek = async (from: number, order: 'asc' | 'desc'): Promise<number | undefined> => {
    const sql = `select a.at from unnest(?::bigint[]) f(feed) cross join lateral (select r.${column} "at" from record r
        where r.subject = ? and r.feed = f.feed and r.${column} is not null and r.${column} >= ? and ${limits.sql}
        order by r.${column} ${order} limit 1) a order by a.at ${order} limit 1`
    const values = [rows.feedList, rows.subject, BigInt(from), ...limits.values]
    return (await rows.session.column<number>(sql, ...values))[0]
  }
  const first = await seek(yearStart(-1), 'asc')
  if (first === undefined) return { years: [], ranges: [] }
  const years: number[] = []
  for (let at: number | undefined = first; at !== undefined; at = await seek(yearStart(yearOf(at) + 1), 'asc'))
    years.push(yearOf(at))
  return stretches(years, { from: first, to: (await seek(first, 'desc'))! })
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
