import { parseJson } from '@pdpp/protocol'
import type { AggregateGroup, AggregateResult, Comparable } from '../../../aggregates/aggregate-store.ts'
import { isShortened } from '../records/slots.ts'
import { measured, measureSql } from './aggregate-measure.ts'
import { type AggregateRows, comparableOf } from './aggregate-rows.ts'

type Groups = Omit<AggregateResult, 'value'>
type GroupRow = { n: number; value: string | null; groups: number; records: number } & Record<string, string | null>

/**
 * Groups by fields, and by a bucket of time if there is one. PostgreSQL counts all groups but returns only the first
 * ones.
 */
export async function readGroups(of: AggregateRows, bucket?: string): Promise<Groups> {
  if (of.rows.feeds.length === 0) return { recordCount: 0, groups: [], groupCount: 0 }
  const { groupBy, limit } = of.query
  const dimensions = [...groupBy.map((name) => of.valueSql(name)), ...(bucket === undefined ? [] : [bucket])]
  const keys = dimensions.map((_, at) => `k${at}`)
  const columns = dimensions.map((sql, at) => `${sql} k${at}`).join(', ')
  const sql = `with g as materialized (select ${columns}, count(*) n, ${measureSql(of)} v ${of.from.sql}
      group by ${dimensions.map((_, at) => at + 1).join(', ')})
    select ${keys.map((key) => `g.${key}::text ${key}`).join(', ')}, g.n, g.v::text "value",
      (select count(*) from g) "groups", (select sum(n)::bigint from g) records
    from g order by ${orderSql(of, keys)} limit ?`
  const rows = await of.rows.session.all<GroupRow>(sql, ...of.from.values, limit)
  const groups: AggregateGroup[] = []
  for (const row of rows) groups.push(await toGroup(of, row, keys))
  return { recordCount: rows[0]?.records ?? 0, groupCount: rows[0]?.groups ?? 0, groups }
}

/** Sorts by time in the query's order, then by value with the largest first, then by key. Nulls come last. */
function orderSql({ query }: AggregateRows, all: readonly string[]): string {
  const keys = [...all]
  const time = query.time ? keys.pop() : undefined
  return [
    ...(time ? [`g.${time} ${query.order} nulls last`] : []),
    'g.v desc nulls last',
    ...keys.map((key) => `g.${key} asc nulls last`),
  ].join(', ')
}

async function toGroup(of: AggregateRows, row: GroupRow, names: readonly string[]): Promise<AggregateGroup> {
  const keys: Comparable[] = []
  for (const [at, name] of names.entries()) {
    const field = of.query.groupBy[at]
    const text = row[name]!
    if (field === undefined) keys.push(comparableOf('integer', text))
    else if (text !== null && isShortened(text)) keys.push(await wholeText(of, field, text))
    else keys.push(comparableOf(of.kindOf(field), text))
  }
  return { keys, count: row.n, value: measured(of, row.value) }
}

/** A long text, read from one of the records that have it. */
async function wholeText(of: AggregateRows, field: string, shortened: string): Promise<string> {
  const sql = `select r.data ${of.from.sql} and ${of.valueSql(field)} = ? limit 1`
  const [data] = await of.rows.session.column<string>(sql, ...of.from.values, shortened)
  const text = data === undefined ? undefined : (parseJson(data) as Record<string, unknown>)[field]
  return typeof text === 'string' ? text : shortened
}
