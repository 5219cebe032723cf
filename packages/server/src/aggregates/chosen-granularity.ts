import type { ReadScope } from '../grants/read-scope.ts'
import type { RequestSignal } from '../lib/request-signal.ts'
import type { ResolvedAggregate } from './aggregate.ts'
import type { AggregateQuery, AggregateReader, Metric } from './aggregate-store.ts'
import type { Granularity } from './time-buckets.ts'

/** The first and the last instant that the groups lie between, in microseconds. Null where no record has a time. */
export interface ChosenBy {
  readonly earliest: number | null
  readonly latest: number | null
}

const DAY = 86_400_000_000
const MAX_DAYS = 62
const MAX_MONTH_YEARS = 5

/**
 * Gives time groups a length where the request names none: one that the records fit. Only records that the grant and
 * the filter leave are looked at, so that nothing hidden can change the choice.
 */
export async function chooseGranularity(
  aggregates: AggregateReader,
  scope: ReadScope,
  { time, ...query }: ResolvedAggregate,
  signal?: RequestSignal,
): Promise<{ query: AggregateQuery; chosenBy?: ChosenBy }> {
  if (time === undefined) return { query: { ...query, time } }
  const { granularity } = time
  if (granularity !== undefined) return { query: { ...query, time: { ...time, granularity } } }
  const edge = async (metric: Metric) => {
    const total = { ...query, metric, field: time.field, groupBy: [], time: undefined }
    const { value } = await aggregates.aggregate(scope, total, signal)
    return value === null ? null : Number(value)
  }
  const chosenBy = { earliest: await edge('min'), latest: await edge('max') }
  return { query: { ...query, time: { ...time, granularity: fitting(chosenBy) } }, chosenBy }
}

/** Days up to two months of them, months up to five years, otherwise years. */
export function fitting({ earliest, latest }: ChosenBy): Granularity {
  if (earliest === null || latest === null || latest - earliest < MAX_DAYS * DAY) return 'day'
  const end = new Date(Math.floor(earliest / 1000))
  end.setUTCFullYear(end.getUTCFullYear() + MAX_MONTH_YEARS)
  return latest < end.getTime() * 1000 ? 'month' : 'year'
}
