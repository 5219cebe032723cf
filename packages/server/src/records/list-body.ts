import type { Count, Warning } from '@pdpp/protocol'
import type { Query } from '../http/query.ts'
import type { Walk } from './walk.ts'

/** Room for the envelope around the rows: cursors, links, count and warnings. */
const ENVELOPE_BYTES = 700

export interface RenderedRow {
  readonly row: string
  readonly warning?: Warning
}

export interface ListOptions<Row> {
  readonly maxBytes: number
  readonly count: Count
  /** Further members of `meta`, for the rows that are shown. Fewer rows never make it longer. */
  meta?(shown: readonly Row[]): Record<string, unknown>
  /** Left out for readers that follow cursors. */
  readonly links?: boolean
  render(row: Row): RenderedRow
  /** The same row within so many bytes, its large fields described. */
  renderSmaller(row: Row, budget: number): RenderedRow
}

/**
 * A page within a byte budget: it ends before the row that would exceed it, with a cursor that resumes exactly
 * there. Only an anchor row that alone is too large is shown differently, with its large fields described.
 */
export function listBody<Row>(
  query: Query,
  walk: Walk<Row>,
  options: ListOptions<Row>,
): { body: string; shown: readonly Row[] } {
  const linked = options.links ?? true
  const beside = { ...options.meta?.(walk.rows), warnings: query.warnings }
  const links = linked ? 2 * Buffer.byteLength(query.self) : 0
  const budget = options.maxBytes - ENVELOPE_BYTES - links - Buffer.byteLength(JSON.stringify(beside))
  const { rendered, from, to } = outward(walk, options, budget)
  const shown = walk.rows.slice(from, to)
  const hasMore = walk.hasMore || to < walk.rows.length
  const next = hasMore && shown.length > 0 ? walk.cursorAfter(shown.at(-1)!) : undefined
  const hasPrevious = walk.cursorBefore !== undefined && (walk.hasPrevious === true || from > 0)
  const previous = hasPrevious && shown.length > 0 ? walk.cursorBefore!(shown[0]!) : undefined
  const link = (cursor: string | undefined) => (cursor === undefined ? null : query.link({ cursor, around: null }))
  const head = JSON.stringify({
    object: 'list',
    url: query.path,
    has_more: hasMore,
    ...(next === undefined ? {} : { next_cursor: next }),
    ...(previous === undefined ? {} : { previous_cursor: previous }),
    ...(hasMore || walk.nextChangesSince === undefined ? {} : { next_changes_since: walk.nextChangesSince }),
    ...(linked
      ? { links: { self: query.self, next: link(next), ...(walk.cursorBefore ? { previous: link(previous) } : {}) } }
      : {}),
    meta: {
      count: options.count,
      ...options.meta?.(shown),
      warnings: [...query.warnings, ...rendered.flatMap(({ warning }) => warning ?? [])],
    },
  })
  return { body: `${head.slice(0, -1)},"data":[${rendered.map(({ row }) => row).join(',')}]}`, shown }
}

/** As many rows as fit, taken from the anchor to both sides, so that what was asked for is always among them. */
function outward<Row>(walk: Walk<Row>, options: ListOptions<Row>, budget: number) {
  const { rows, anchor = 0 } = walk
  if (rows.length === 0) return { rendered: [], from: 0, to: 0 }
  const size = ({ row }: RenderedRow) => Buffer.byteLength(row) + 1
  let first = options.render(rows[anchor]!)
  if (size(first) > budget) first = options.renderSmaller(rows[anchor]!, budget - 1)
  const rendered = [first]
  let left = budget - size(first)
  let [from, to] = [anchor, anchor + 1]
  let [backward, forward] = [from > 0, to < rows.length]
  while (backward || forward) {
    for (const side of ['forward', 'backward'] as const) {
      if (!(side === 'forward' ? forward : backward)) continue
      const next = options.render(rows[side === 'forward' ? to : from - 1]!)
      const fits = size(next) <= left
      if (fits) left -= size(next)
      if (side === 'forward') {
        if (fits) rendered.push(next)
        to += fits ? 1 : 0
        forward = fits && to < rows.length
      } else {
        if (fits) rendered.unshift(next)
        from -= fits ? 1 : 0
        backward = fits && from > 0
      }
    }
  }
  return { rendered, from, to }
}
