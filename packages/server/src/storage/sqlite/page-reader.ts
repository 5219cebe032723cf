import type { PagePosition, PageQuery, RecordPage, RecordPlace } from '../../records/record-store.ts'
import type { Feed } from './feeds.ts'
import { arrivalIndex, fieldOf, indexName, keyIndex, type LayoutField } from './layout.ts'
import type { RecordRow, RecordRows } from './record-rows.ts'
import { type Condition, filterConditions, joinConditions, recordConditions } from './scope-sql.ts'

/** Below this many matches, finding them by the grant's time and sorting beats walking the sort order. */
const FEW = 2000
/** Rows of a page, and one more. */
const WALKED = 26
const LIMITS = [2, 6, 11, 26, 51, 101]

/**
 * A page in the order of one column, then of arrival, over any number of feeds. The inner select touches an index
 * only, so a page costs the same however deep it is and however many records stand beside it.
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

class Page {
  readonly records: (ReturnType<RecordRows['toRecord']> & { position: PagePosition })[] = []
  hasMore = false
  #bytes = 0
  readonly #query: PageQuery

  constructor(query: PageQuery) {
    this.#query = query
  }

  get full(): boolean {
    return this.hasMore
  }

  /** How many rows could still matter: the rest of the page and one that proves there is more. */
  get wanted(): number {
    return this.#query.limit - this.records.length + 1
  }

  add(record: ReturnType<RecordRows['toRecord']>, position: PagePosition): void {
    this.#bytes += record.json.length
    this.records.push({ ...record, position })
  }

  /** Whether the next row is beyond the page, by count or by size. */
  closes(): boolean {
    this.hasMore = this.records.length === this.#query.limit || this.#bytes > this.#query.maxBytes
    return this.hasMore
  }
}

interface Segment {
  readonly column: string | undefined
  /** Records without a value stand together, in the order of arrival. */
  readonly nulls: boolean
  readonly after: PagePosition | undefined
}

/** Those with a value and those without, as far as they lie ahead. */
function segments(column: string | undefined, { after, nulls = 'last' }: PageQuery): Segment[] {
  if (column === undefined) return [{ column, nulls: false, after }]
  const [first, last] = nulls === 'last' ? [false, true] : [true, false]
  if (after === undefined || (after.value === null) === first)
    return [
      { column, nulls: first, after },
      { column, nulls: last, after: undefined },
    ]
  return [{ column, nulls: last, after }]
}

type PositionedRow = RecordRow & { position: string | number | bigint | null }

function readSegment(rows: RecordRows, feeds: readonly Feed[], query: PageQuery, segment: Segment, page: Page): void {
  const { table } = rows.table
  const { column } = segment
  const direction = query.order
  const limits = joinConditions([
    ...recordConditions(rows.scope, rows.table.layout),
    ...filterConditions(query.conditions ?? [], rows.table.layout),
    ...keyset(segment, query),
  ])
  const byColumn = column !== undefined && !segment.nulls ? `r.${column} ${direction}, ` : ''
  const position = column === undefined || segment.nulls ? 'null' : `r.${column}`
  const { index, inOrder } = drivingIndex(rows, feeds, segment, query)
  const from = `from ${table} r indexed by ${index} where ${inFeeds(feeds)} and ${limits.sql}
    order by ${byColumn}r.id ${direction} limit ${roundedUp(page.wanted)}`
  // Rows of one feed come out of the index in their order. Else their numbers are sorted first: whole rows are wide.
  const sql =
    feeds.length === 1 && inOrder
      ? `select ${rows.columns}, ${position} position ${from}`
      : `select ${rows.columns}, x.position from (select r.id, ${position} position ${from}) x
           join ${table} r on r.id = x.id order by ${byColumn === '' ? '' : `x.position ${direction}, `}x.id ${direction}`
  // Only numbers that are sorted by can need 64 bits, and reading so makes every integer of a row dearer.
  const isWide = query.sort !== undefined && isWideKind(fieldOf(rows.table.layout, query.sort)?.kind)
  const statement = rows.handle.prepare(sql).safeIntegers(isWide)
  for (const raw of statement.iterate(feedValue(feeds), ...limits.values)) {
    const row = isWide ? plainRow(raw as PositionedRow) : (raw as PositionedRow)
    if (page.closes()) return
    page.add(rows.toRecord(row), { value: row.position, number: row.id })
  }
}

const inFeeds = ({ length }: readonly Feed[]): string =>
  length === 1 ? 'r.feed = ?' : 'r.feed in (select value from json_each(?))'

const feedValue = (feeds: readonly Feed[]): string | number =>
  feeds.length === 1 ? feeds[0]!.feed : JSON.stringify(feeds.map(({ feed }) => feed))

/**
 * A limit that stands in the text lets SQLite leave off each feed in time, which halves the cost of a page; in a few
 * sizes, because every text is a statement that is kept. Rows are taken one by one, so those beyond are not read.
 */
function roundedUp(wanted: number): number {
  return LIMITS.find((limit) => limit >= wanted) ?? wanted
}

function keyset({ column, nulls, after }: Segment, { order }: PageQuery): Condition[] {
  const beyond = order === 'desc' ? '<' : '>'
  const conditions: Condition[] = []
  if (column !== undefined) conditions.push({ sql: `r.${column} is ${nulls ? '' : 'not '}null`, values: [] })
  if (after === undefined) return conditions
  if (column === undefined || nulls) return [...conditions, { sql: `r.id ${beyond} ?`, values: [after.number] }]
  return [
    ...conditions,
    { sql: `(r.${column}, r.id) ${beyond} (?, ?)`, values: [after.value as string | number, after.number] },
  ]
}

/**
 * The planner would sort whole streams: it cannot know that a page needs 26 rows of one index. Where a condition
 * matches few records they are found by it and sorted; an equality already stands in the cursor's order.
 */
function drivingIndex(rows: RecordRows, feeds: readonly Feed[], { column, nulls }: Segment, query: PageQuery) {
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
  return rows.handle.unchanged(`${sql} ${values}`, () => rows.handle.get<{ n: number }>(sql, ...values)!.n)
}

const isWideKind = (kind: string | undefined): boolean => kind === 'integer' || kind === 'number'

/** Sort values keep 64 bits; everything else fits a number. */
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

/** The sort value, number and group of a record, where the scope shows the record. */
export function locateRecord(
  rows: RecordRows,
  { key, sort, groupField }: { key: string; sort: string | undefined; groupField: string | undefined },
): RecordPlace[] {
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
