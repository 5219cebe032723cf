import { type Count, isPlainJson, type Warning } from '@pdpp/protocol'
import { ByteRoom, type PageRoom, type RowText } from '../../records/paging/page-room.ts'
import type { RowPage } from '../../records/paging/row-page.ts'
import { ResultRoom, type ResultShape } from '../../records/result-room.ts'
import type { Query } from '../request/query.ts'

export interface RenderedRow extends RowText {
  readonly warning?: Warning
}

/** The part of the envelope that depends on the range of rows and on the warning about the first row. */
type HeadOf = (from: number, to: number, warning?: Warning) => string

export interface ListOptions<Row> {
  readonly maxBytes: number
  /** Set if the page becomes a tool result: its max. bytes, and how it is built. */
  readonly result?: { readonly bytes: number; readonly shape: ResultShape } | undefined
  readonly count: Count
  /** More members of `meta`, for the rows on the page. */
  meta?(shown: readonly Row[]): Record<string, unknown>
  /**
   * If two pages with the same number of rows have the same name, their `meta` is the same. Undefined if `meta` depends
   * on the rows themselves.
   */
  metaName?(rows: number): string | undefined
  render(row: Row): RenderedRow
  /** The same row in at most `budget` bytes, with large fields described instead of included. */
  renderSmaller(row: Row, budget: number): RenderedRow
}

export interface ListBody<Row> {
  readonly body: string
  readonly shown: readonly Row[]
  readonly value: object | undefined
  /** True if an adapter needs to escape nothing. Undefined if nobody looked. */
  readonly isPlain: boolean | undefined
}

/**
 * Builds a page within a byte budget, as text, and as a value if every row has one. The page ends before the row that
 * would exceed the budget, with a cursor that continues there. If the anchor row alone is too large, its large fields
 * are described instead of included.
 */
export function listBody<Row>(query: Query, rowPage: RowPage<Row>, options: ListOptions<Row>): ListBody<Row> {
  // Tool results have no links; agents continue with the cursor.
  const linked = options.result === undefined
  const links = linked ? 2 * Buffer.byteLength(query.self) : 0
  const room = options.result
    ? new ResultRoom(options.result.bytes, options.result.shape)
    : new ByteRoom(options.maxBytes, links)
  const { rendered, from, to } = outward(rowPage, options, room, headOf(query, rowPage, options))
  const shown = rowPage.rows.slice(from, to)
  const hasMore = rowPage.hasMore || to < rowPage.rows.length
  const next = hasMore && shown.length > 0 ? rowPage.cursorAfter(shown.at(-1)!) : undefined
  const hasPrevious = rowPage.cursorBefore !== undefined && (rowPage.hasPrevious === true || from > 0)
  const previous = hasPrevious && shown.length > 0 ? rowPage.cursorBefore!(shown[0]!) : undefined
  const link = (cursor: string | undefined) => (cursor === undefined ? null : query.link({ cursor, around: null }))
  const envelope = {
    object: 'list',
    url: query.path,
    has_more: hasMore,
    ...(next === undefined ? {} : { next_cursor: next }),
    ...(previous === undefined ? {} : { previous_cursor: previous }),
    ...(hasMore || rowPage.nextChangesSince === undefined ? {} : { next_changes_since: rowPage.nextChangesSince }),
    ...(linked
      ? { links: { self: query.self, next: link(next), ...(rowPage.cursorBefore ? { previous: link(previous) } : {}) } }
      : {}),
    meta: {
      count: options.count,
      ...options.meta?.(shown),
      warnings: [...query.warnings, ...rendered.flatMap(({ warning }) => warning ?? [])],
    },
  }
  const head = JSON.stringify(envelope).slice(0, -1)
  const data = rendered.every(({ value }) => value !== undefined) ? rendered.map(({ value }) => value) : undefined
  return {
    body: `${head},"data":[${rendered.map(({ row }) => row).join(',')}]}`,
    ...{ shown, value: data && { ...envelope, data } },
    isPlain:
      room instanceof ResultRoom ? room.isPlain && isPlainJson(`${head}}`, Buffer.byteLength(head) + 1) : undefined,
  }
}

/** If no member of `meta` depends on the rows, all heads are the same. */
function headOf<Row>({ warnings }: Query, { rows }: RowPage<Row>, options: ListOptions<Row>): HeadOf {
  const withWarning = (warning: Warning | undefined) => (warning ? [...warnings, warning] : warnings)
  const makeHead: HeadOf = (from, to, warning) =>
    JSON.stringify({ ...options.meta?.(rows.slice(from, to)), warnings: withWarning(warning) })
  let last: { readonly name: string; readonly warning: Warning | undefined; readonly head: string } | undefined
  return (from, to, warning) => {
    const name = options.meta ? options.metaName?.(to - from) : ''
    if (name === undefined) return makeHead(from, to, warning)
    if (last?.name !== name || last.warning !== warning) last = { name, warning, head: makeHead(from, to, warning) }
    return last.head
  }
}

/**
 * Takes as many rows as fit, from the anchor to both sides, so that the anchor is always included. Whether a row fits
 * depends only on the rows taken before it, so a larger limit never makes a page shorter.
 */
function outward<Row>(rowPage: RowPage<Row>, options: ListOptions<Row>, room: PageRoom, head: HeadOf) {
  const { rows, anchor = 0 } = rowPage
  if (rows.length === 0) return { rendered: [], from: 0, to: 0 }
  const first = firstRow(rows[anchor]!, options, room, (warning) => head(anchor, anchor + 1, warning))
  const rendered = [first]
  room.take(first)
  let [from, to] = [anchor, anchor + 1]
  let [backward, forward] = [from > 0, to < rows.length]
  const takeIfFits = (row: Row, start: number, end: number): RenderedRow | undefined => {
    const next = options.render(row)
    if (!room.fits(next, head(start, end, first.warning))) return
    room.take(next)
    return next
  }
  while (backward || forward) {
    if (forward) {
      const next = takeIfFits(rows[to]!, from, to + 1)
      if (next) rendered.push(next)
      to += next ? 1 : 0
      forward = next !== undefined && to < rows.length
    }
    if (backward) {
      const next = takeIfFits(rows[from - 1]!, from - 1, to)
      if (next) rendered.unshift(next)
      from -= next ? 1 : 0
      backward = next !== undefined && from > 0
    }
  }
  return { rendered, from, to }
}

const SMALLER = 0.7
const MIN_BYTES = 200

/** Renders the anchor row ever smaller until it fits. The exact size is known only after rendering. */
function firstRow<Row>(
  row: Row,
  options: ListOptions<Row>,
  room: PageRoom,
  head: (warning?: Warning) => string,
): RenderedRow {
  let shown = options.render(row)
  if (room.fits(shown, head(shown.warning))) return shown
  let budget = room.left(head())
  while (!room.fits(shown, head(shown.warning))) {
    shown = options.renderSmaller(row, budget)
    if (budget <= MIN_BYTES) break
    budget = Math.max(MIN_BYTES, Math.floor(budget * SMALLER))
  }
  return shown
}
