import type { ReadScope } from '../grants/read-scope.ts'
import type { RequestSignal } from '../lib/request-signal.ts'
import type { FieldCondition } from '../records/filter.ts'
import type { Granularity } from './time-buckets.ts'

export const METRICS = ['count', 'sum', 'min', 'max', 'avg', 'count_distinct'] as const
export type Metric = (typeof METRICS)[number]

/** A checked query: every field in it is granted, scalar and declared for its use. */
export interface AggregateQuery {
  readonly metric: Metric
  /** Undefined for `count` only. */
  readonly field: string | undefined
  readonly groupBy: readonly string[]
  readonly time: TimeDimension | undefined
  /** Order of time groups. Groups without a time are sorted by value, largest first. */
  readonly order: 'asc' | 'desc'
  /** Max. groups in the result. */
  readonly limit: number
  readonly conditions: readonly FieldCondition[]
}

export interface TimeDimension {
  readonly field: string
  readonly granularity: Granularity
  readonly zone: string
}

/** Value in comparable form: instants in microseconds, booleans as 0 and 1, integers beyond 2^53 as bigint. */
export type Comparable = string | number | bigint | null

export interface AggregateGroup {
  /** One key per `groupBy` field, then the bucket (time-buckets.ts) if there is a time dimension. */
  readonly keys: readonly Comparable[]
  readonly count: number
  readonly value: Comparable
}

export interface AggregateResult {
  /** Number of records in scope that match the conditions. */
  readonly recordCount: number
  /** Value over all records; null if grouped or if there are no records. */
  readonly value: Comparable
  readonly groups: readonly AggregateGroup[]
  /** Number of all groups, including those beyond the limit. */
  readonly groupCount: number
}

/** Results are exact, for any number of connections. */
export interface AggregateReader {
  /** Stops when the signal is aborted. */
  aggregate(scope: ReadScope, query: AggregateQuery, signal?: RequestSignal): Promise<AggregateResult>
}
