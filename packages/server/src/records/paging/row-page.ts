import type { FieldCondition } from '../filter.ts'

/** A page, and a cursor for each of its rows, so that a page that was cut for size continues exactly there. */
export interface RowPage<Row> {
  /** In the order shown. */
  readonly rows: readonly Row[]
  readonly hasMore: boolean
  cursorAfter(row: Row): string
  /** Index of the row that must stay when the page is cut. Default: the first. */
  readonly anchor?: number
  readonly hasPrevious?: boolean
  cursorBefore?(row: Row): string
  /** Set on the last page of a list of changes. */
  readonly nextChangesSince?: string
  /** Conditions of the list, used to count its records. */
  readonly conditions?: readonly FieldCondition[]
  readonly connectionId?: string
}
