import { declaredFields } from '@pdpp/protocol'
import { includesField, type ReadScope } from '../grants/read-scope.ts'
import { LruCache } from '../lib/lru-cache.ts'
import type { RecordReader } from '../records/record-store.ts'
import type { AggregateReader } from './aggregate-store.ts'

/** The stores that this service needs. */
export interface CountStores {
  readonly aggregates: AggregateReader
  readonly records: RecordReader
}

/** Months that are counted; older ones are left out. */
const MAX_MONTHS = 120
/** Records further in the future than this are mistakes more often than plans: no plot ends with them if others are there. */
const AHEAD_MONTHS = 12

export interface MonthCount {
  /** Its first millisecond, in UTC. */
  readonly month: number
  readonly count: number
}

/** Records by month, for plots. Counted again only when records of the scope changed. */
export class ActivityService {
  readonly #stores: CountStores
  readonly #known = new LruCache<string, readonly MonthCount[]>(2000)

  constructor(storage: CountStores) {
    this.#stores = storage
  }

  /** Without gaps, oldest first, all of them or since a month; empty where the stream has no time that the scope shows. */
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

/** Several plots as one, over the months of all. */
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

/** Where a plot of these months ends. */
function lastMonth(months: readonly number[]): number {
  const end = furthestMonth()
  const likely = months.filter((month) => month <= end)
  return Math.max(...(likely.length === 0 ? months : likely))
}

/** The last month that records are likely to be of. */
export const furthestMonth = (): number => monthsAfter(Date.now(), AHEAD_MONTHS)

/** The first millisecond of a moment's month. */
export const monthOf = (at: number): number => monthsAfter(at, 0)

export function monthsAfter(month: number, months: number): number {
  const date = new Date(month)
  return new Date(0).setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + months, 1)
}

/** The time that a stream's records are placed by. */
export function timeField({ stream, usable }: Pick<ReadScope, 'stream' | 'usable'>): string | undefined {
  const kinds = declaredFields(stream)
  return [stream.consent_time_field, stream.cursor_field].find((name): name is string => {
    return name != null && includesField(usable, name) && /^date/.test(kinds.get(name) ?? '')
  })
}
