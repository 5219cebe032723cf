import type { PagePosition, PageQuery } from '../../../records/record-store.ts'
import { joinConditions } from '../../records/conditions.ts'
import { fieldOf } from '../../records/layout.ts'
import { keyset, type Segment } from '../../records/page-segments.ts'
import type { Feed } from './feeds.ts'
import { drivingIndex, feedValue, inFeeds } from './page-index.ts'
import { MAX_ARMS, type RecordRows } from './record-rows.ts'
import { filterConditions, recordConditions } from './scope-sql.ts'

type Value = string | number | bigint

/** The statements for a part of a page. Valid until anything is written, like the rows that it was made for. */
export interface PagePlan {
  /** Reads small records, and brief forms of large ones if they are enough. Binds `rows.projected.values` first. */
  readonly listed: string
  /** Reads all texts. */
  readonly whole: string
  /** True if sort values may need 64 bits. */
  readonly isWide: boolean
  /** For each select of the statement, the values before those of the position. */
  readonly arms: readonly (readonly Value[])[]
}

/** Sizes of SQL limits. See `roundedUp`. */
const LIMITS = [2, 6, 11, 26, 51, 101]
const MAX_PLANS = 100

/** Cached, because making the texts takes longer than reading some of the rows. */
export function pagePlan(
  rows: RecordRows,
  feeds: readonly Feed[],
  query: PageQuery,
  segment: Segment,
  wanted: number,
): PagePlan {
  const limit = roundedUp(wanted)
  const name = planName(query, segment, limit)
  const known = rows.pagePlans.get(name)
  if (known) return known
  const plan = makePlan(rows, feeds, query, segment, limit)
  if (rows.pagePlans.size >= MAX_PLANS) rows.pagePlans.clear()
  rows.pagePlans.set(name, plan)
  return plan
}

/** Names all that the statements and their values depend on, except the values of the position. */
function planName({ sort, connectionId, conditions = [], order }: PageQuery, segment: Segment, limit: number): string {
  const place = segment.after === undefined ? 0 : 1
  const start = `${limit} ${order} ${segment.nulls ? 1 : 0} ${place}`
  // Only the last part may contain spaces.
  if (conditions.length === 0 && connectionId === undefined) return sort === undefined ? start : `${start} ${sort}`
  const filter = conditions.map(({ field, operator, value }) => [field, operator, typeof value, String(value)])
  return start + JSON.stringify([sort, connectionId, filter])
}

function makePlan(
  rows: RecordRows,
  feeds: readonly Feed[],
  query: PageQuery,
  segment: Segment,
  limit: number,
): PagePlan {
  const { table, layout } = rows.table
  const { column } = segment
  const own = joinConditions([
    ...recordConditions(rows.scope, layout),
    ...filterConditions(query.conditions ?? [], layout),
  ])
  const sql = joinConditions([own, ...keyset(segment, query)]).sql
  const position = column === undefined || segment.nulls ? 'null' : `r.${column}`
  const byPosition = position === 'null' ? '' : `position ${query.order}, `
  const order = `order by ${byPosition}id ${query.order} limit ${limit}`
  const { index, inOrder } = drivingIndex(rows, feeds, segment, query)
  const from = (inFeed: string) => `from ${table} r indexed by ${index} where ${inFeed} and ${sql}`
  const places = (inFeed: string) => `select r.id id, ${position} position ${from(inFeed)}`
  // The rows of one feed come out of the index in order, and those of a few feeds are merged: SQLite stops after the
  // limit. Otherwise sort ids first, because whole rows are wide.
  const isMerged = inOrder && feeds.length <= MAX_ARMS
  const found = isMerged ? feeds.map(() => places('r.feed = ?')).join(' union all ') : places(inFeeds(feeds))
  const select = (columns: string) =>
    feeds.length === 1 && inOrder
      ? `select ${columns}, ${position} position ${from('r.feed = ?')} ${order}`
      : `select ${columns}, x.position from (${found} ${order}) x
          join ${table} r on r.id = x.id order by ${byPosition === '' ? '' : `x.position ${query.order}, `}x.id ${query.order}`
  const firstValues = isMerged ? feeds.map(({ feed }) => feed) : [feedValue(feeds)]
  return {
    listed: select(rows.projected.columns),
    whole: select(rows.columns),
    // Only numeric sort values can need 64 bits. Reading them as bigint slows down every integer of a row.
    isWide: query.sort !== undefined && isWideKind(fieldOf(layout, query.sort)?.kind),
    arms: firstValues.map((first) => [first, ...own.values]),
  }
}

/** The values of a plan's statement, for a page after this position. */
export function planValues({ arms }: PagePlan, { column, nulls, after }: Segment): readonly unknown[] {
  const place = after === undefined ? [] : placeValues(after, column === undefined || nulls)
  return arms.length === 1 && place.length === 0 ? arms[0]! : arms.flatMap((values) => [...values, ...place])
}

/** In the order of `keyset`. */
const placeValues = ({ value, number }: PagePosition, byNumber: boolean): unknown[] =>
  byNumber ? [number] : [value, number]

/**
 * A literal limit lets SQLite stop early in each feed, which halves the cost of a page. It is rounded up to a few sizes
 * because every different text is another prepared statement.
 */
function roundedUp(wanted: number): number {
  return LIMITS.find((limit) => limit >= wanted) ?? wanted
}

const isWideKind = (kind: string | undefined): boolean => kind === 'integer' || kind === 'number'
