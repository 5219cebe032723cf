/** Times of one subject, in microseconds. */
export interface Timing {
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly samples: number
}

type Work = () => unknown

const WARM_UP = 150
const ROUNDS = 1000
const BUDGET_MS = 1800

/**
 * Times several ways to do the same work, one after another in every round, so that whatever slows the machine for
 * a moment slows all of them. Who goes first changes from round to round.
 */
export async function compare<Name extends string>(works: Record<Name, Work>): Promise<Record<Name, Timing>> {
  const subjects = Object.entries<Work>(works).map(([name, work]) => ({ name, work, times: [] as number[] }))
  const warmUntil = performance.now() + BUDGET_MS / 4
  for (let round = 0; round < WARM_UP && performance.now() < warmUntil; round++) {
    for (const { work } of subjects) await work()
  }
  const until = performance.now() + BUDGET_MS
  for (let round = 0; round < ROUNDS && (performance.now() < until || round < 5); round++) {
    for (let turn = 0; turn < subjects.length; turn++) {
      const { work, times } = subjects[(round + turn) % subjects.length]!
      const started = performance.now()
      const pending = work()
      if (pending instanceof Promise) await pending
      times.push((performance.now() - started) * 1000)
    }
  }
  return Object.fromEntries(subjects.map(({ name, times }) => [name, timingOf(times)])) as Record<Name, Timing>
}

export function timingOf(times: readonly number[]): Timing {
  const sorted = Float64Array.from(times).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), samples: sorted.length }
}

/** A stopwatch that can leave out work that belongs to the bench, such as making the data. */
export class Stopwatch {
  #ms = 0
  #since: number | undefined

  start(): void {
    this.#since = performance.now()
  }

  stop(): void {
    if (this.#since !== undefined) this.#ms += performance.now() - this.#since
    this.#since = undefined
  }

  get seconds(): number {
    return this.#ms / 1000
  }
}
