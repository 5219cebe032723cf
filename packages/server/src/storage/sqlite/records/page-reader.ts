import type { PagePosition, PageQuery, RecordPage, RecordPosition } from '../../../records/record-store.ts'
import { joinConditions } from '../../records/conditions.ts'
import { fieldOf } from '../../records/layout.ts'
import { Page, type Segment, segments } from '../../records/page-segments.ts'
import type { Feed } from './feeds.ts'
import { pagePlan, planValues } from './page-plan.ts'
import type { ListedRow, RecordRow, RecordRows } from './record-rows.ts'
import { recordConditions } from './scope-sql.ts'

/**
 * Reads a page sorted by one column, then by arrival, over any number of feeds. The inner select reads an index only,
 * so the cost depends neither on the position of the page nor on the number of records.
 */
export function readPage(rows: RecordRows, query: PageQuery): RecordPage {
  const feeds =
    query.connectionId === undefined
      ? rows.feeds
      : rows.feeds.filter(({ connectionId }) => connectionId === query.connectionId)
  if (feeds.length === 0) return { records: [], hasMore: false }
  const column = query.sort === undefined ? undefined : fieldOf(rows.table.layout, query.sort)?.column
  const page = new Page(query)
  for (const segment of segments(column, query)) {
    if (page.full) break
    readSegment(rows, feeds, query, segment, page)
  }
  return { records: page.records, hasMore: page.hasMore }
}

type PositionedRow = RecordRow & { position: string | number | bigint | null }

function readSegment(rows: RecordRows, feeds: readonly Feed[], query: PageQuery, segment: Segment, page: Page): void {
  const plan = pagePlan(rows, feeds, query, segment, page.wanted)
  const { isWide } = plan
  const values = planValues(plan, segment)
  const statement = (sql: string) => rows.handle.prepare(sql).safeIntegers(isWide)
  // Fetch small rows with one call (a third faster) and large rows one at a time, to bound memory.
  const listed = statement(plan.listed).all(...rows.projected.values, ...values) as ListedRow[]
  const hasLarge = listed.some(({ data }) => data === null)
  for (const raw of hasLarge ? statement(plan.whole).iterate(...values) : listed) {
    const row = isWide ? plainRow(raw as PositionedRow) : (raw as PositionedRow)
    if (page.closes()) return
    page.add(rows.toListed(row), { value: row.position, number: row.id })
  }
}

/** Converts bigints to numbers, except sort values that need 64 bits. */
function plainRow(row: PositionedRow): PositionedRow {
  return {
    id: Number(row.id),
    feed: Number(row.feed),
    key: row.key,
    emitted_at: Number(row.emitted_at),
    touched: Number(row.touched),
    extra: Number(row.extra),
    data: row.data,
    position: plainValue(row.position),
  }
}

function plainValue(value: PagePosition['value']): PagePosition['value'] {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value
}

/** The position and group of a record in each feed where the scope shows it. */
export function locateRecord(
  rows: RecordRows,
  { key, sort, groupField }: { key: string; sort: string | undefined; groupField: string | undefined },
): RecordPosition[] {
  const column = (field: string | undefined) =>
    field === undefined ? undefined : fieldOf(rows.table.layout, field)?.column
  const limits = joinConditions(recordConditions(rows.scope, rows.table.layout))
  const sql = `select r.id, r.feed, ${column(sort) ?? 'null'} position, ${column(groupField) ?? 'null'} grouping
    from ${rows.table.table} r where r.feed = ? and r.key = ? and ${limits.sql}`
  const statement = rows.handle.prepare(sql).safeIntegers(true)
  return rows.feeds.flatMap(({ feed, connectionId }) => {
    const row = statement.get(feed, key, ...limits.values) as
      | (PositionedRow & { grouping: PagePosition['value'] })
      | undefined
    if (!row) return []
    return [
      {
        connectionId,
        position: { value: plainValue(row.position), number: Number(row.id) },
        group: plainValue(row.grouping),
      },
    ]
  })
}
