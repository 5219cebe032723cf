import { fieldsOf } from '../../../aggregates/aggregate.ts'
import type { AggregateQuery } from '../../../aggregates/aggregate-store.ts'
import { arrivalIndex, fieldOf, indexName } from '../records/layout.ts'
import type { RecordRows } from '../records/record-rows.ts'
import { filterConditions, joinConditions, recordConditions } from '../records/scope-sql.ts'

/** A condition that leaves less than this share of the records is the best way in. */
const FEW = 1 / 10

/**
 * Which index an aggregate reads. Without statistics the planner finds whole records by any condition it can, in an
 * order that jumps about the file. Better, unless a condition leaves few: an index that holds all that is needed,
 * and otherwise the records in the order in which they lie (2 to 9 times faster at a million).
 * Undefined leaves it to the planner.
 */
export function aggregateIndex(rows: RecordRows, query: AggregateQuery): string | undefined {
  const { scope, table } = rows
  const used = new Set([...fieldsOf(query), ...(scope.time ? [scope.time.field] : [])])
  if (scope.resources || used.size === 0) return
  const limited = new Set([...query.conditions.map(({ field }) => field), ...(scope.time ? [scope.time.field] : [])])
  const covering = coveringField(rows, used)
  const waysIn = [...limited].filter((name) => name !== covering && fieldOf(table.layout, name)?.indexed)
  if (waysIn.some((name) => leavesFew(rows, query, name))) return
  const best = covering ?? endField(rows, query)
  return best === undefined ? arrivalIndex(table.table) : indexName(table.table, fieldOf(table.layout, best)!.column!)
}

/** One field alone, or one that the cursor follows in its index. */
function coveringField({ scope, table }: RecordRows, used: ReadonlySet<string>): string | undefined {
  const cursor = scope.stream.cursor_field
  const others = [...used].filter((name) => name !== cursor)
  const field = others.length < 2 ? fieldOf(table.layout, others[0] ?? cursor!) : undefined
  if (!field?.column || !field.indexed) return
  return used.size > 1 && field.sortable ? undefined : field.name
}

/** The smallest or largest of an indexed field is near an end of its index. */
function endField({ table }: RecordRows, { metric, field, groupBy, time }: AggregateQuery): string | undefined {
  if ((metric !== 'min' && metric !== 'max') || groupBy.length > 0 || time) return
  return fieldOf(table.layout, field!)?.indexed ? field : undefined
}

function leavesFew(rows: RecordRows, query: AggregateQuery, name: string): boolean {
  const { scope, table } = rows
  const own = query.conditions.filter(({ field }) => field === name)
  const granted = scope.time?.field === name ? recordConditions(scope, table.layout) : []
  const limits = joinConditions([...granted, ...filterConditions(own, table.layout)])
  const most = Math.ceil(rows.feeds.reduce((sum, { recordCount }) => sum + recordCount, 0) * FEW)
  const sql = `select count(*) n from (select 1 from ${table.table} r
    where r.feed in (select value from json_each(?)) and ${limits.sql} limit ?)`
  return rows.handle.get<{ n: number }>(sql, rows.feedList, ...limits.values, most)!.n < most
}
