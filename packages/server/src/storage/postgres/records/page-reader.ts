import type { PageQuery, RecordPage, RecordPosition } from '../../../records/record-store.ts'
import { joinConditions } from '../../records/conditions.ts'
import { fieldOf } from '../../records/layout.ts'
import { keyset, Page, type Segment, segments } from '../../records/page-segments.ts'
import type { Feed } from './feeds.ts'
import type { ListedRow, RecordRows } from './record-rows.ts'
import { filterConditions, recordConditions } from './scope-sql.ts'

type PositionedRow = ListedRow & { sort_value: string | number | bigint | null }

/**
 * Reads a page sorted by one column, then by arrival, over any number of feeds. Each feed gives its first rows along an
 * index, so the cost depends neither on the position of the page nor on the number of records.
 */
export async function readPage(rows: RecordRows, query: PageQuery): Promise<RecordPage> {
  const feeds =
    query.connectionId === undefined
      ? rows.feeds
      : rows.feeds.filter(({ connectionId }) => connectionId === query.connectionId)
  if (feeds.length === 0) return { records: [], hasMore: false }
  const column = query.sort === undefined ? undefined : fieldOf(rows.layout, query.sort)?.column
  const page = new Page(query)
  for (const segment of segments(column, query)) {
    if (page.full) break
    const { sql, values } = segmentSql(rows, feeds, query, segment, page.wanted)
    for (const row of await rows.session.all<PositionedRow>(sql, ...values)) {
      if (page.closes()) break
      page.add(await rows.toRecord(row), { value: row.sort_value, number: row.id })
    }
  }
  return { records: page.records, hasMore: page.hasMore }
}

function segmentSql(rows: RecordRows, feeds: readonly Feed[], query: PageQuery, segment: Segment, wanted: number) {
  const { column } = segment
  const isSorted = column !== undefined && !segment.nulls
  const limits = joinConditions([
    ...recordConditions(rows.scope, rows.layout),
    ...filterConditions(query.conditions ?? [], rows.layout),
    ...keyset(segment, query),
  ])
  const order = (alias: string, sorted: string) =>
    `${isSorted ? `${alias}.${sorted} ${query.order}, ` : ''}${alias}.id ${query.order}`
  const value = isSorted ? `r.${column}` : 'null::bigint'
  // Sorts ids first, because whole rows are wide. The limit is part of the text, because a plan for any limit would
  // sort whole feeds.
  const sql = `select ${rows.columns}, x.sort_value from (
      select f.feed, a.id, a.sort_value from unnest(?::bigint[]) f(feed) cross join lateral (
        select r.id, ${value} sort_value from record r where r.subject = ? and r.feed = f.feed and ${limits.sql}
        order by ${order('r', column ?? '')} limit ${wanted}) a
      order by ${order('a', 'sort_value')} limit ${wanted}) x
    join record r on r.subject = ? and r.feed = x.feed and r.id = x.id order by ${order('x', 'sort_value')}`
  const list = feeds.map(({ feed }) => feed)
  return { sql, values: [list, rows.subject, ...limits.values, rows.subject] }
}

/** The position and group of a record in each feed where the scope shows it. */
export async function locateRecord(
  rows: RecordRows,
  { key, sort, groupField }: { key: string; sort: string | undefined; groupField: string | undefined },
): Promise<RecordPosition[]> {
  const column = (field: string | undefined) => {
    const found = field === undefined ? undefined : fieldOf(rows.layout, field)?.column
    return found === undefined ? 'null::bigint' : `r.${found}`
  }
  const sql = `select r.id, r.feed, ${column(sort)} sort_value, ${column(groupField)} group_value from record r
    where r.subject = ? and r.feed = any(?::bigint[]) and r.key = ? and ${rows.limits.sql} order by r.feed`
  const found = await rows.session.all<PositionedRow & { group_value: PositionedRow['sort_value'] }>(
    sql,
    ...[rows.subject, rows.feedList, key, ...rows.limits.values],
  )
  return found.map((row) => ({
    connectionId: rows.connectionOf(row.feed),
    position: { value: row.sort_value, number: row.id },
    group: row.group_value,
  }))
}
