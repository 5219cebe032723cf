import type { Comparable, Metric } from '../../../aggregates/aggregate-store.ts'

/**
 * A metric as SQL in two steps. `inner` are the columns computed from the records of one feed, `outer` adds the feeds
 * up, and `value` computes the answer from the sums.
 */
export interface Measure {
  readonly inner: string
  readonly outer: string
  readonly value: string
}

export function measureOf(metric: Exclude<Metric, 'count_distinct'>, column: string): Measure {
  switch (metric) {
    case 'count':
      return { inner: '', outer: '', value: 'n' }
    case 'avg':
      return {
        inner: `, sum(${column}) v, count(${column}) m`,
        outer: ', sum(v) v, sum(m) m',
        value: 'cast(v as real) / m',
      }
    default:
      return { inner: `, ${metric}(${column}) v`, outer: `, ${metric}(v) v`, value: 'v' }
  }
}

/**
 * An exact sum of any size. SQLite's sum() fails if an integer sum exceeds 64 bits, and then this is used. It adds the
 * upper and the lower 32 bits in two sums, which cannot overflow, and doubles in a third sum.
 */
export function exactSumOf(column: string): Measure {
  const whole = `typeof(${column}) = 'integer'`
  const parts = [
    `sum(case when ${whole} then ${column} >> 32 end) hi`,
    `sum(case when ${whole} then ${column} & 4294967295 end) lo`,
    `sum(case when not ${whole} then ${column} end) fraction`,
    `count(${column}) m`,
  ]
  return {
    inner: `, ${parts.join(', ')}`,
    outer: ', sum(hi) hi, sum(lo) lo, sum(fraction) fraction, sum(m) m',
    value: 'null',
  }
}

export interface SumParts {
  readonly hi: bigint | null
  readonly lo: bigint | null
  readonly fraction: number | null
  readonly m: bigint
}

export function joinSum({ hi, lo, fraction, m }: SumParts, metric: Metric): Comparable {
  if (m === 0n) return null
  const whole = ((hi ?? 0n) << 32n) + (lo ?? 0n)
  const sum = fraction === null ? whole : Number(whole) + fraction
  return metric === 'avg' ? Number(sum) / Number(m) : sum
}

/** Runs the fast query, and the exact one if the sum exceeds 64 bits. */
export function withExactFallback<T>(fast: () => T, exact: () => T): T {
  try {
    return fast()
  } catch (error) {
    if (error instanceof Error && error.message === 'integer overflow') return exact()
    throw error
  }
}
