import type { PageQuery } from '../../../records/record-store.ts'
import { MAX_INLINE_ROWS } from '../engine/read-task.ts'
import type { Feed } from './feeds.ts'
import { arrivalIndex, fieldOf, indexName, keyIndex, type LayoutField } from './layout.ts'
import type { RecordRows } from './record-rows.ts'
import { filterConditions, joinConditions, recordConditions } from './scope-sql.ts'

/** Below this many matches, finding them by the grant's time and sorting beats walking the sort order. */
const FEW = 2000
/** Rows of a page, and one more. */
const WALKED = 26

export const inFeeds = ({ length }: readonly Feed[]): string =>
  length === 1 ? 'r.feed = ?' : 'r.feed in (select value from json_each(?))'

export const feedValue = (feeds: readonly Feed[]): string | number =>
  feeds.length === 1 ? feeds[0]!.feed : JSON.stringify(feeds.map(({ feed }) => feed))

/**
 * The planner would sort whole streams: it cannot know that a page needs 26 rows of one index. Where a condition
 * matches few records they are found by it and sorted; an equality already stands in the cursor's order.
 */
export function drivingIndex(
  rows: RecordRows,
  feeds: readonly Feed[],
  { column, nulls }: { readonly column: string | undefined; readonly nulls: boolean },
  query: PageQuery,
) {
  const { scope, table } = rows
  if (scope.resources) return { index: keyIndex(table.table), inOrder: false }
  const sorted = column === undefined ? arrivalIndex(table.table) : indexName(table.table, column)
  const byCursor = column !== undefined && !nulls && query.sort === scope.stream.cursor_field
  const onTime = scope.time ? [{ field: scope.time.field, operator: 'gte' as const }] : []
  const few = fewOf(feeds)
  let best = { index: sorted, inOrder: true, matches: few }
  for (const { field, operator } of [...(query.conditions ?? []), ...onTime]) {
    const candidate = fieldOf(table.layout, field)
    if (!candidate?.column || !candidate.indexed || candidate.column === column) continue
    const index = indexName(table.table, candidate.column)
    // Equal values stand in the cursor's order: nothing needs to be counted or sorted.
    if (operator === 'eq' && byCursor && !candidate.sortable) return { index, inOrder: true }
    const matches = estimate(rows, feeds, query, candidate, few)
    if (matches < best.matches) best = { index, inOrder: false, matches }
  }
  return best
}

/** Whether nearly all records may have to be read to find a page of them: no index has what is asked for. */
export function isScanned({ feeds, table }: RecordRows, { conditions = [] }: PageQuery): boolean {
  if (conditions.every(({ field }) => fieldOf(table.layout, field)?.indexed)) return false
  return feeds.reduce((sum, { recordCount }) => sum + recordCount, 0) > MAX_INLINE_ROWS
}

/** Walking the sort order takes the longer the fewer match; so many are as quickly found and sorted. */
function fewOf(feeds: readonly Feed[]): number {
  const records = feeds.reduce((sum, { recordCount }) => sum + recordCount, 0)
  return Math.min(FEW, Math.ceil(Math.sqrt(WALKED * records)))
}

/** How many records the conditions on one indexed field leave, counted no further than matters; once for a whole walk. */
function estimate(
  rows: RecordRows,
  feeds: readonly Feed[],
  query: PageQuery,
  { name, column }: LayoutField,
  few: number,
): number {
  const { scope, table } = rows
  const own = filterConditions(
    (query.conditions ?? []).filter((condition) => condition.field === name),
    table.layout,
  )
  const granted = scope.time?.field === name ? recordConditions(scope, table.layout) : []
  const limits = joinConditions([...own, ...granted])
  const sql = `select count(*) n from (select 1 from ${table.table} r indexed by ${indexName(table.table, column!)}
    where ${inFeeds(feeds)} and ${limits.sql} limit ?)`
  const values = [feedValue(feeds), ...limits.values, few]
  return rows.handle.cachedUntilWrite(`${sql} ${values}`, () => rows.handle.get<{ n: number }>(sql, ...values)!.n)
}
