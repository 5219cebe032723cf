import { yearOf, yearStart } from '../../../aggregates/time-zone.ts'
import { type OccupiedYears, stretches } from '../../aggregates/occupied-years.ts'
import { joinConditions } from '../../records/conditions.ts'
import { fieldOf } from '../../records/layout.ts'
import { filterConditions, recordConditions } from '../records/scope-sql.ts'
import { indexName } from '../records/stream-table.ts'
import type { AggregateRows } from './aggregate-rows.ts'

/** Seeks in the index year by year, so that one record in the year 9999 does not cost all years until then. */
export function findOccupiedYears({ rows, query }: AggregateRows, field: string): OccupiedYears {
  const { table, layout } = rows.table
  const column = fieldOf(layout, field)!.column!
  const own = query.conditions.filter((condition) => condition.field === field)
  const granted = rows.scope.time?.field === field && !rows.scope.resources
  const limits = joinConditions([
    ...(granted ? recordConditions(rows.scope, layout) : []),
    ...filterConditions(own, layout),
  ])
  const seek = (feed: number, from: number, order: 'asc' | 'desc'): number | undefined => {
    const sql = `select r.${column} at from ${table} r indexed by ${indexName(table, column)}
      where r.feed = ? and r.${column} >= ? and ${limits.sql} order by r.${column} ${order} limit 1`
    return rows.handle.get<{ at: number }>(sql, feed, BigInt(from), ...limits.values)?.at
  }
  const years = new Set<number>()
  const ends: number[] = []
  for (const { feed } of rows.feeds) {
    let at = seek(feed, yearStart(-1), 'asc')
    if (at === undefined) continue
    ends.push(at, seek(feed, at, 'desc')!)
    for (; at !== undefined; at = seek(feed, yearStart(yearOf(at) + 1), 'asc')) years.add(yearOf(at))
  }
  return stretches(
    [...years].sort((a, b) => a - b),
    { from: Math.min(...ends), to: Math.max(...ends) },
  )
}
