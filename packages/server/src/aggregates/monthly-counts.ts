import { declaredFields } from '@pdpp/protocol'
import { includesField, type ReadScope } from '../grants/read-scope.ts'
import { LruCache } from '../lib/caches/lru-cache.ts'
import type { RecordReader } from '../records/record-store.ts'
import type { AggregateReader } from './aggregate-store.ts'

export interface CountStores {
  readonly aggregates: AggregateReader
  readonly records: RecordReader
}

/** Max. months per plot. Older months are left out. */
const MAX_MONTHS = 120
/**
 * Records more than this many months ahead are usually errors, so a plot does not extend to them if there are others.
 */
const AHEAD_MONTHS = 12

export interface MonthCount {
  /** First millisecond of the month, in UTC. */
  readonly month: number
  readonly count: number
}

/** Counts records per month for plots. The cache is valid until records of the scope change. */
export class MonthlyCounts {
  readonly #stores: CountStores
  readonly #known = new LruCache<string, readonly MonthCount[]>(2000)

  constructor(storage: CountStores) {
    this.#stores = storage
  }

  /**
   * Returns all months, or those from `since` on, oldest first and without gaps. Empty if the scope includes no time
   * field.
   */
  async months(scope: ReadScope, since?: number): Promise<readonly MonthCount[]> {
    const field = timeField(scope)
    if (field === undefined) return []
    const versions = await this.#stores.records.versions(scope)
    const name = JSON.stringify([
      scope.accessId,
      scope.connectorKey,
      scope.stream.name,
      scope.connections,
      versions,
      since,
    ])
    return this.#known.get(name) ?? this.#known.set(name, await this.#count(scope, field, since))
  }

  async #count(scope: ReadScope, field: string, since: number | undefined): Promise<readonly MonthCount[]> {
    const { groups } = await this.#stores.aggregates.aggregate(scope, {
      metric: 'count',
      field: undefined,
      groupBy: [],
      time: { field, granularity: 'month', zone: 'UTC' },
      order: 'desc',
      limit: MAX_MONTHS,
      conditions: since === undefined ? [] : [{ field, operator: 'gte', value: since * 1000 }],
    })
    return withoutGaps(
      groups.flatMap(({ keys: [bucket], count }) => (bucket == null ? [] : [{ month: Number(bucket) / 1000, count }])),
    )
  }
}

/** Adds several plots, over the months of all of them. */
export function summed(parts: readonly (readonly MonthCount[])[]): readonly MonthCount[] {
  const counts = new Map<number, number>()
  for (const { month, count } of parts.flat()) counts.set(month, (counts.get(month) ?? 0) + count)
  return withoutGaps([...counts].map(([month, count]) => ({ month, count })))
}

function withoutGaps(counted: readonly MonthCount[]): readonly MonthCount[] {
  if (counted.length === 0) return []
  const counts = new Map(counted.map(({ month, count }) => [month, count]))
  const last = lastMonth([...counts.keys()])
  const first = Math.max(Math.min(...counts.keys()), monthsAfter(last, 1 - MAX_MONTHS))
  const months: MonthCount[] = []
  for (let month = first; month <= last; month = monthsAfter(month, 1))
    months.push({ month, count: counts.get(month) ?? 0 })
  return months
}

function lastMonth(months: readonly number[]): number {
  const end = furthestMonth()
  const likely = months.filter((month) => month <= end)
  return Math.max(...(likely.length === 0 ? months : likely))
}

/** Last month in which records are plausible. */
export const furthestMonth = (): number => monthsAfter(Date.now(), AHEAD_MONTHS)

/** First millisecond of the month of `at`. */
export const monthOf = (at: number): number => monthsAfter(at, 0)

export function monthsAfter(month: number, months: number): number {
  const date = new Date(month)
  return new Date(0).setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + months, 1)
}

/** The time field that decides the month of a record. */
export function timeField({ stream, usable }: Pick<ReadScope, 'stream' | 'usable'>): string | undefined {
  const kinds = declaredFields(stream)
  return [stream.consent_time_field, stream.cursor_field].find((name): name is string => {
    return name != null && includesField(usable, name) && /^date/.test(kinds.get(name) ?? '')
  })
}
