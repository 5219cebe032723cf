import type { PageQuery } from '../../../records/record-store.ts'
import { joinConditions } from '../../records/conditions.ts'
import { fieldOf, type LayoutField } from '../../records/layout.ts'
import { MAX_INLINE_ROWS } from '../engine/read-task.ts'
import type { Feed } from './feeds.ts'
import type { RecordRows } from './record-rows.ts'
import { filterConditions, recordConditions } from './scope-sql.ts'
import { arrivalIndex, indexName, keyIndex } from './stream-table.ts'

/** Max. matches for which finding and sorting them beats reading in sort order. */
const MAX_SORTED = 2000
/** Rows of a typical page, and one more. */
const PAGE_ROWS = 26

export const inFeeds = ({ length }: readonly Feed[]): string =>
  length === 1 ? 'r.feed = ?' : 'r.feed in (select value from json_each(?))'

export const feedValue = (feeds: readonly Feed[]): string | number =>
  feeds.length === 1 ? feeds[0]!.feed : JSON.stringify(feeds.map(({ feed }) => feed))

/**
 * Chooses the index of a page, because SQLite's planner does not know that 26 rows are enough and would sort the whole
 * stream. If a condition matches few records, its index finds them and they are sorted.
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
  const few = maxSorted(feeds)
  let best = { index: sorted, inOrder: true, matches: few }
  for (const { field, operator } of [...(query.conditions ?? []), ...onTime]) {
    const candidate = fieldOf(table.layout, field)
    if (!candidate?.column || !candidate.indexed || candidate.column === column) continue
    const index = indexName(table.table, candidate.column)
    // Rows of one value are already in the order of the cursor field, so nothing is counted or sorted.
    if (operator === 'eq' && byCursor && !candidate.sortable) return { index, inOrder: true }
    const matches = estimate(rows, feeds, query, candidate, few)
    if (matches < best.matches) best = { index, inOrder: false, matches }
  }
  return best
}

/** Whether a page may have to read nearly all records, because a condition has no index. */
export function isScanned({ feeds, table }: RecordRows, { conditions = [] }: PageQuery): boolean {
  if (conditions.every(({ field }) => fieldOf(table.layout, field)?.indexed)) return false
  return feeds.reduce((sum, { recordCount }) => sum + recordCount, 0) > MAX_INLINE_ROWS
}

/** The fewer records match, the longer reading in sort order takes. Up to this many, sorting is as fast. */
function maxSorted(feeds: readonly Feed[]): number {
  const records = feeds.reduce((sum, { recordCount }) => sum + recordCount, 0)
  return Math.min(MAX_SORTED, Math.ceil(Math.sqrt(PAGE_ROWS * records)))
}

/** The number of records that match the conditions on one indexed field, counted up to `few`. Cached between pages. */
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
