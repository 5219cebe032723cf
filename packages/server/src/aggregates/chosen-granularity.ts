import type { ReadScope } from '../grants/read-scope.ts'
import type { RequestSignal } from '../lib/request-signal.ts'
import type { ResolvedAggregate } from './aggregate.ts'
import type { AggregateQuery, AggregateReader, Metric } from './aggregate-store.ts'
import type { Granularity } from './time-buckets.ts'

/** First and last instant of the records, in microseconds. Null if no record has a time. */
export interface ChosenBy {
  readonly earliest: number | null
  readonly latest: number | null
}

const DAY = 86_400_000_000
const MAX_DAYS = 62
const MAX_MONTH_YEARS = 5

/**
 * Chooses a granularity that fits the records if the request names none. It only looks at records that match the grant
 * and the filter, so that hidden records cannot influence the choice.
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

/** Days for less than 62 days, months for less than five years, otherwise years. */
function fitting({ earliest, latest }: ChosenBy): Granularity {
  if (earliest === null || latest === null || latest - earliest < MAX_DAYS * DAY) return 'day'
  const end = new Date(Math.floor(earliest / 1000))
  end.setUTCFullYear(end.getUTCFullYear() + MAX_MONTH_YEARS)
  return latest < end.getTime() * 1000 ? 'month' : 'year'
}
