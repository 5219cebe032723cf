import type { Count, Warning } from '@pdpp/protocol'
import type { Query } from '../http/query.ts'
import type { Walk } from './record-service.ts'

/** Room for the envelope around the rows: cursor, links, count and warnings. */
const ENVELOPE_BYTES = 700

export interface RenderedRow {
  readonly row: string
  readonly number: number
  readonly warning?: Warning
}

/**
 * A page within a byte budget: it ends before the row that would exceed it, with a cursor that resumes exactly
 * there. Only a first row that alone is too large is shown differently, with its large fields described.
 */
export function listBody<Row>(
  query: Query,
  walk: Walk<Row>,
  options: {
    maxBytes: number
    count: Count
    render: (row: Row) => RenderedRow
    renderSmaller: (row: Row) => RenderedRow
  },
): { body: string; numbers: number[] } {
  const budget = options.maxBytes - ENVELOPE_BYTES - 2 * Buffer.byteLength(query.self)
  const shown: RenderedRow[] = []
  let bytes = 0
  for (const row of walk.rows) {
    let rendered = options.render(row)
    if (shown.length === 0 && Buffer.byteLength(rendered.row) > budget) rendered = options.renderSmaller(row)
    bytes += Buffer.byteLength(rendered.row) + 1
    if (shown.length > 0 && bytes > budget) break
    shown.push(rendered)
  }
  const hasMore = walk.hasMore || shown.length < walk.rows.length
  const cursor = hasMore ? walk.cursorAfter(walk.rows[shown.length - 1]!) : undefined
  const warnings = [...query.warnings, ...shown.flatMap(({ warning }) => warning ?? [])]
  const head = JSON.stringify({
    object: 'list',
    url: query.path,
    has_more: hasMore,
    ...(cursor === undefined ? {} : { next_cursor: cursor }),
    ...(hasMore || walk.nextChangesSince === undefined ? {} : { next_changes_since: walk.nextChangesSince }),
    links: { self: query.self, next: cursor === undefined ? null : query.link({ cursor }) },
    meta: { count: options.count, warnings },
  })
  return {
    body: `${head.slice(0, -1)},"data":[${shown.map(({ row }) => row).join(',')}]}`,
    numbers: shown.map(({ number }) => number),
  }
}
