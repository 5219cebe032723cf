import type { Comparable, Metric } from '../../../aggregates/aggregate-store.ts'
import { type AggregateRows, comparableOf, numberOf } from './aggregate-rows.ts'

/** A metric as SQL over the records. Sums of `numeric` are exact, whatever their size. */
export function measureSql(of: AggregateRows): string {
  const { metric, field } = of.query
  const column = field === undefined ? '' : of.valueSql(field)
  const sql: Record<Metric, string> = {
    count: 'count(*)',
    count_distinct: `count(distinct ${column})`,
    sum: `sum(${column})`,
    avg: `sum(${column})::float8 / count(${column})`,
    min: `min(${column})`,
    max: `max(${column})`,
  }
  return sql[metric]
}

export function measured(of: AggregateRows, text: string | null): Comparable {
  const { metric, field } = of.query
  if (text === null) return null
  return metric === 'min' || metric === 'max' ? comparableOf(of.kindOf(field!), text) : numberOf(text)
}
