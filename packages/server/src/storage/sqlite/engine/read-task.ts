import type { AggregateQuery } from '../../../aggregates/aggregate-store.ts'
import type { ReadScope } from '../../../grants/read-scope.ts'
import type { FieldCondition } from '../../../records/filter.ts'
import type { ChangeRange, PageQuery } from '../../../records/record-store.ts'
import type { PageRequest } from '../../../search/search-store.ts'
import type { ThreadStart } from '../../thread-pool.ts'

/** A long read, as it is sent to another thread. */
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
  | { readonly kind: 'count_changes'; readonly scope: ReadScope; readonly range: ChangeRange }
  | { readonly kind: 'load_index' }
  /** `targets` as `sentTargets` writes them. */
  | { readonly kind: 'search'; readonly targets: string; readonly page: PageRequest }

/** Copies the log of a file into it. This waits for the disk. */
export interface Checkpoint {
  readonly kind: 'checkpoint'
  readonly file: string
}

/** Reads what was written, so that the next search does not have to. */
export interface ReadingAhead {
  readonly kind: 'read_ahead'
}

/** Searches are short and many, other long reads are few and may take seconds. Neither waits for the other. */
export type Lane = 'search' | 'long'

export const laneOf = ({ kind }: ReadTask): Lane => (kind === 'search' || kind === 'load_index' ? 'search' : 'long')

/** The settings that a thread gets at its start. */
export interface WorkerStart extends ThreadStart {
  readonly file: string
}

/** Max. rows to read in the event loop, which takes some milliseconds: from an index alone, and with their values. */
export const MAX_INLINE_INDEX_ROWS = 100_000
export const MAX_INLINE_ROWS = 10_000
