import type { FieldCondition } from '../filter.ts'

/** A page and how to go on from any of its rows: a page that is cut for size resumes exactly there. */
export interface RowPage<Row> {
  /** In the order they are shown. */
  readonly rows: readonly Row[]
  readonly hasMore: boolean
  cursorAfter(row: Row): string
  /** The row that a page cut for size must keep; the first one unless said otherwise. */
  readonly anchor?: number
  readonly hasPrevious?: boolean
  cursorBefore?(row: Row): string
  /** Set where a walk over changes ends. */
  readonly nextChangesSince?: string
  /** What the rows were chosen by, for counting them. */
  readonly conditions?: readonly FieldCondition[]
  readonly connectionId?: string
}
