import type { AggregateQuery } from '../../../aggregates/aggregate-store.ts'
import type { ReadScope } from '../../../grants/read-scope.ts'
import type { FieldCondition } from '../../../records/filter.ts'
import type { PageQuery } from '../../../records/record-store.ts'
import type { SearchedStream } from '../../../search/search-store.ts'

/** A read that may take long, as it is handed to another thread. */
export type ReadTask =
  | { readonly kind: 'aggregate'; readonly scope: ReadScope; readonly query: AggregateQuery }
  | { readonly kind: 'page'; readonly scope: ReadScope; readonly query: PageQuery }
  | {
      readonly kind: 'count'
      readonly scope: ReadScope
      readonly conditions: readonly FieldCondition[]
      readonly connectionId: string | undefined
    }
  | {
      readonly kind: 'last_change'
      readonly scope: ReadScope
      readonly feed: number
      readonly after: number
      readonly until: number
    }
  | {
      readonly kind: 'search_count'
      readonly targets: readonly SearchedStream[]
      readonly text: string
      readonly found: number
    }

/** What a thread is started with. */
export interface WorkerStart {
  readonly file: string
  /** Not zero: whoever waited for the task at hand has gone. */
  readonly stop: Int32Array
}

export interface TaskResult {
  readonly result?: unknown
  /** One of our own errors, to be thrown again on the other side. */
  readonly refused?: { readonly code: string; readonly message: string; readonly detail: object }
  /** Any other: for the log, never for an answer. */
  readonly crashed?: string
}

/** Records that may be walked in the event loop: by an index alone, and with values of each. Some milliseconds. */
export const MAX_INLINE_INDEX_ROWS = 100_000
export const MAX_INLINE_ROWS = 10_000
