// Compares aggregates of the largest stream over five connections with hand-written SQL for each of them.
import { type AggregateRequest, resolveAggregate } from '../../packages/server/src/aggregates/aggregate.ts'
import type { AggregateResult } from '../../packages/server/src/aggregates/aggregate-store.ts'
import { chooseGranularity } from '../../packages/server/src/aggregates/chosen-granularity.ts'
import { rawAggregates } from '../baseline/baseline-aggregates.ts'
import { BIG_STREAM } from '../data/source.ts'
import { compare, type Timing } from '../report/measure.ts'
import type { ReadSetup } from './read-setup.ts'
import { type Reading, request } from './reads.ts'

export interface AggregateTiming {
  readonly name: string
  readonly raw: Timing
  readonly store: Timing
  readonly http: Timing
}

const NONE: AggregateRequest = {
  metric: 'count',
  field: undefined,
  groupBy: [],
  groupByTime: undefined,
  granularity: undefined,
  timeZone: undefined,
  order: undefined,
  limit: undefined,
  filters: [],
}
const filter = (field: string, value: string, operator = 'eq') => ({ field, operator, value, param: 'filter' })
const byTime = (granularity: 'day' | 'month') =>
  ({ groupByTime: 'sent_at', granularity, timeZone: 'Europe/Berlin', order: 'asc', limit: 100 }) as const

/** In the order of the report. baseline-aggregates.ts has the SQL under the same names. */
const REQUESTS = {
  count: {},
  'count where channel is letter': { filters: [filter('channel', 'letter')] },
  'count where amount_cents >= 100,000': { filters: [filter('amount_cents', '100000', 'gte')] },
  'group_by channel': { groupBy: ['channel'] },
  'group_by author': { groupBy: ['author'] },
  'group_by_time day, Europe/Berlin': byTime('day'),
  'group_by_time month, Europe/Berlin': byTime('month'),
  'sum of amount_cents': { metric: 'sum', field: 'amount_cents' },
  'group_by channel and month': { ...byTime('month'), groupBy: ['channel'] },
  'sum of amount_cents by channel': { metric: 'sum', field: 'amount_cents', groupBy: ['channel'] },
  'count_distinct of author': { metric: 'count_distinct', field: 'author' },
} satisfies Record<string, Partial<AggregateRequest>>

export async function measureAggregates(
  { server, baseline }: Reading,
  setup: Pick<ReadSetup, 'token' | 'raw' | 'scopes'>,
): Promise<AggregateTiming[]> {
  const scope = setup.scopes.merged
  const raw = rawAggregates(baseline, setup.raw.all)
  const results: AggregateTiming[] = []
  for (const [name, part] of Object.entries(REQUESTS)) {
    const aggregateRequest: AggregateRequest = { ...NONE, ...part }
    const { aggregates } = server.context.storage
    const { query } = await chooseGranularity(aggregates, scope, resolveAggregate(scope, aggregateRequest, []))
    const store = () => aggregates.aggregate(scope, query)
    const byHand = raw[name as keyof typeof REQUESTS]
    requireSame(name, await store(), byHand())
    const path = `/v1/streams/${BIG_STREAM}/aggregate?${parameters(aggregateRequest)}`
    results.push({ name, ...(await compare({ raw: byHand, store, http: () => request(server, path, setup.token) })) })
  }
  return results
}

function parameters({
  metric,
  field,
  groupBy,
  groupByTime,
  granularity,
  timeZone,
  order,
  limit,
  filters,
}: AggregateRequest) {
  const query = {
    metric,
    field,
    group_by: groupBy.length > 0 ? groupBy.join(',') : undefined,
    group_by_time: groupByTime,
    granularity,
    time_zone: timeZone,
    order,
    limit,
  }
  const list = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]))
  const conditions = filters.map(({ field: name, operator, value }) =>
    operator === 'eq' ? [`filter[${name}]`, value] : [`filter[${name}][${operator}]`, value],
  )
  return new URLSearchParams([...list, ...conditions] as [string, string][]).toString()
}

/** A comparison only counts if both sides return the same numbers. */
function requireSame(name: string, { value, groups }: AggregateResult, raw: number | readonly number[]): void {
  const actual = Array.isArray(raw) ? groups.map((group) => Number(group.value)) : [Number(value)]
  const expected = Array.isArray(raw) ? raw.slice(0, actual.length) : [raw]
  if (actual.length === 0 || actual.join() !== expected.join())
    throw new Error(`The two sides of "${name}" differ: ${actual.slice(0, 5)} and ${expected.slice(0, 5)}`)
}
