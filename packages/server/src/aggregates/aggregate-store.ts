import type { ReadScope } from '../grants/read-scope.ts'
import type { RequestSignal } from '../lib/request-signal.ts'
import type { FieldCondition } from '../records/filter.ts'
import type { Granularity } from './time-buckets.ts'

export const METRICS = ['count', 'sum', 'min', 'max', 'avg', 'count_distinct'] as const
export type Metric = (typeof METRICS)[number]

/** What to compute over the records of a scope. Every field in it is usable, scalar and declared for its use. */
export interface AggregateQuery {
  readonly metric: Metric
  /** Undefined for count only. */
  readonly field: string | undefined
  readonly groupBy: readonly string[]
  readonly time: TimeDimension | undefined
  /** Of time groups; groups of values alone come by value, largest first. */
  readonly order: 'asc' | 'desc'
  /** How many groups to show. */
  readonly limit: number
  readonly conditions: readonly FieldCondition[]
}

export interface TimeDimension {
  readonly field: string
  readonly granularity: Granularity
  readonly zone: string
}

/** As it compares: instants in microseconds, booleans as 0 and 1, integers beyond 2^53 as bigint. */
export type Comparable = string | number | bigint | null

export interface AggregateGroup {
  /** One for each `groupBy`, then the bucket (time-buckets.ts) where there is a time. */
  readonly keys: readonly Comparable[]
  readonly count: number
  readonly value: Comparable
}

export interface AggregateResult {
  /** Records in scope that the conditions leave. */
  readonly recordCount: number
  /** Of all of them; null when grouped, and when there is none. */
  readonly value: Comparable
  readonly groups: readonly AggregateGroup[]
  /** How many groups there are, shown or not. */
  readonly groupCount: number
}

/** Exact over complete data, whatever number of connections the scope has. */
export interface AggregateReader {
  /** Stops when the caller does not wait for the answer any more. */
  aggregate(scope: ReadScope, query: AggregateQuery, signal?: RequestSignal): Promise<AggregateResult>
}
