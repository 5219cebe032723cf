import type { Comparable } from '../../../aggregates/aggregate-store.ts'
import { exactSumOf, joinSum, measureOf, type SumParts, withExactFallback } from './aggregate-measure.ts'
import { type AggregateRows, plain, unionAll } from './aggregate-rows.ts'

/** One value over all records. Queries each feed separately, so that each reads one end or one range of an index. */
export function readTotal(of: AggregateRows, recordCount: number): Comparable {
  const { metric, field } = of.query
  if (metric === 'count') return recordCount
  if (of.rows.feeds.length === 0) return metric === 'count_distinct' ? 0 : null
  const column = of.valueSql(field!)
  switch (metric) {
    case 'count_distinct':
      return countDistinct(of, column)
    case 'min':
    case 'max':
      return edge(of, column, metric)
    default:
      return withExactFallback(
        () => sum(of, column),
        () => exactSum(of, column),
      )
  }
}

/** min() or max() alone in a select reads one end of an index. With a count next to it, SQLite would read all of it. */
function edge(of: AggregateRows, column: string, metric: 'min' | 'max'): Comparable {
  const values = of.arms(`${metric}(${column}) v`).map((arm) => of.all<{ v: Comparable }>(arm.sql, arm.values)[0]!.v)
  const present = values.filter((value) => value !== null)
  if (present.length === 0) return null
  const further = (a: Comparable, b: Comparable) => (metric === 'min' ? a! < b! : a! > b!)
  return plain(present.reduce((best, value) => (further(value, best) ? value : best)))
}

function countDistinct(of: AggregateRows, column: string): Comparable {
  const arms = of.arms(`distinct ${column} v`)
  const union = { ...unionAll(arms), sql: arms.map(({ sql }) => sql).join(' union ') }
  return plain(of.all<{ n: bigint }>(`select count(v) n from (${union.sql})`, union.values)[0]!.n)
}

function sum(of: AggregateRows, column: string): Comparable {
  const measure = measureOf(of.query.metric === 'avg' ? 'avg' : 'sum', column)
  const arms = unionAll(of.arms(measure.inner.slice(2)))
  const sql = `select ${measure.value} v from (select ${measure.outer.slice(2)} from (${arms.sql}))`
  return plain(of.all<{ v: Comparable }>(sql, arms.values)[0]!.v)
}

function exactSum(of: AggregateRows, column: string): Comparable {
  const measure = exactSumOf(column)
  const arms = unionAll(of.arms(measure.inner.slice(2)))
  const [parts] = of.all<SumParts>(`select ${measure.outer.slice(2)} from (${arms.sql})`, arms.values)
  return plain(joinSum(parts!, of.query.metric))
}
