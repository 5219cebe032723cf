import type { AggregateGroup } from '../../../aggregates/aggregate-store.ts'
import type { Granularity } from '../../../aggregates/time-buckets.ts'
import { yearStart } from '../../../aggregates/time-zone.ts'
import { BIAS, type BucketDialect } from '../../aggregates/bucket-sql.ts'
import { countedGroups, rangesOf } from '../../aggregates/counted-ranges.ts'
import type { OccupiedYears } from '../../aggregates/occupied-years.ts'
import { fieldOf } from '../../records/layout.ts'
import { indexName } from '../records/stream-table.ts'
import type { AggregateRows } from './aggregate-rows.ts'

/** The calendar repeats every 400 years. Far years are moved by that, because SQLite knows only four-digit years. */
const CYCLE_SECONDS = 146_097 * 86_400

function calendar(column: string, granularity: Granularity, offset: number): string {
  const moved = (by: number) => {
    const seconds = `((${column} + ${offset + BIAS}) / 1000000 + ${by - BIAS / 1_000_000})`
    const modifiers = {
      month: `'start of month'`,
      quarter: `'start of month', '-' || ((strftime('%m', ${seconds}, 'unixepoch') - 1) % 3) || ' months'`,
      year: `'start of year'`,
    }
    return `(unixepoch(${seconds}, 'unixepoch', ${modifiers[granularity as keyof typeof modifiers]}) - (${by})) * 1000000`
  }
  return `case when ${column} < ${yearStart(5000)} then ${moved(CYCLE_SECONDS)} else ${moved(-CYCLE_SECONDS)} end`
}

export const DIALECT: BucketDialect = { larger: (a, b) => `max(${a}, ${b})`, calendar }

/** Counts one index range per bucket and feed. Undefined if that is impossible or more expensive. */
export function countRanges(
  of: AggregateRows,
  occupied: OccupiedYears,
  recordCount: number,
): AggregateGroup[] | undefined {
  const { rows, query } = of
  const { table, layout } = rows.table
  const ranges = rangesOf(query, rows.scope, occupied, recordCount, rows.feeds.length)
  if (!ranges) return
  const { column } = fieldOf(layout, query.time!.field)!
  const statement = rows.handle
    .prepare(
      `select count(*) n from ${table} r indexed by ${indexName(table, column!)}
        where r.feed = ? and r.${column} >= ? and r.${column} < ?`,
    )
    .safeIntegers(false)
  const counts = new Map<number, number>()
  for (const { feed } of rows.feeds) {
    for (const { bucket, from, to } of ranges) {
      const { n } = statement.get(feed, from, to) as { n: number }
      if (n > 0) counts.set(bucket, (counts.get(bucket) ?? 0) + n)
    }
  }
  return countedGroups(counts, query, recordCount)
}
