import type { FieldCondition, FilterOperator } from '../../records/filter.ts'
import type { MatchFilter, NumberSet } from '../../search/ranking/index-scope.ts'
import { type FeedSets, type SearchedFeed, timeColumnOf } from './searched-feed.ts'

interface FeedFilter {
  readonly times: readonly TimeCondition[]
  readonly only: NumberSet | undefined
}

interface TimeCondition {
  readonly column: 0 | 1
  readonly isMet: (time: number) => boolean
}

/**
 * The request's conditions as a filter. Conditions on indexed times use the index, and all others use the records.
 * Undefined if there are none.
 */
export function requestFilter<Feed extends SearchedFeed>(
  feeds: readonly Feed[],
  sets: FeedSets<Feed>,
): MatchFilter | undefined {
  if (feeds.every(({ stream }) => stream.conditions.length === 0)) return
  const filters = new Map(feeds.map((feed) => [feed.edition.edition, feedFilter(feed, sets)]))
  return {
    accepts: (edition, number, times) => {
      const filter = filters.get(edition)
      if (!filter) return false
      return filter.times.every(({ column, isMet }) => isMet(times[column])) && (filter.only?.has(number) ?? true)
    },
  }
}

function feedFilter<Feed extends SearchedFeed>(feed: Feed, sets: FeedSets<Feed>): FeedFilter {
  const times = feed.stream.conditions.flatMap((condition) => {
    const column = timeColumnOf(feed, condition.field)
    return column === undefined ? [] : [{ column, isMet: comparison(condition) }]
  })
  return { times, only: sets.requested(feed, (field) => timeColumnOf(feed, field) === undefined) }
}

const COMPARISONS: Record<FilterOperator, (time: number, value: number) => boolean> = {
  eq: (time, value) => time === value,
  gt: (time, value) => time > value,
  gte: (time, value) => time >= value,
  lt: (time, value) => time < value,
  lte: (time, value) => time <= value,
}

/** A record without the time does not satisfy a condition on it. */
function comparison({ operator, value }: FieldCondition): (time: number) => boolean {
  const [compare, against] = [COMPARISONS[operator], Number(value)]
  return (time) => time !== Number.NEGATIVE_INFINITY && compare(time, against)
}
