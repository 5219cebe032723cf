import { fieldsOf } from '../../aggregates/aggregate.ts'
import type { AggregateQuery } from '../../aggregates/aggregate-store.ts'
import { fieldOf, indexName } from './layout.ts'
import type { RecordRows } from './record-rows.ts'
import { filterConditions, joinConditions, recordConditions } from './scope-sql.ts'

/** A time range that leaves less than this share of the records is the better way in. */
const FEW = 1 / 10

/**
 * The index that holds everything an aggregate needs: one field, and the cursor where that follows it. Without
 * statistics the planner would rather find whole records by their time. Undefined leaves it the choice.
 */
export function coveringIndex(rows: RecordRows, query: AggregateQuery): string | undefined {
  const { scope, table } = rows
  const { cursor_field: cursor } = scope.stream
  const names = new Set([...fieldsOf(query), ...(scope.time ? [scope.time.field] : [])])
  const others = [...names].filter((name) => name !== cursor)
  if (scope.resources || names.size === 0 || others.length > 1) return
  const field = fieldOf(table.layout, others[0] ?? cursor!)
  if (!field?.column || !field.indexed) return
  const byCursorToo = names.size > others.length && others.length > 0
  if (byCursorToo && (field.sortable || leavesFew(rows, query, cursor!))) return
  return indexName(table.table, field.column)
}

function leavesFew(rows: RecordRows, query: AggregateQuery, cursor: string): boolean {
  const { scope, table } = rows
  const own = query.conditions.filter(({ field }) => field === cursor)
  const granted = scope.time?.field === cursor ? recordConditions(scope, table.layout) : []
  if (own.length + granted.length === 0) return false
  const limits = joinConditions([...granted, ...filterConditions(own, table.layout)])
  const most = Math.ceil(rows.feeds.reduce((sum, { recordCount }) => sum + recordCount, 0) * FEW)
  const sql = `select count(*) n from (select 1 from ${table.table} r
    where r.feed in (select value from json_each(?)) and ${limits.sql} limit ?)`
  return rows.handle.get<{ n: number }>(sql, rows.feedList, ...limits.values, most)!.n < most
}
