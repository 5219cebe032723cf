/** Times of one way to do the work, in microseconds. */
export interface Timing {
  readonly p50: number
  readonly p95: number
  readonly p99: number
  /** Mean CPU time of all threads of this process, which other work on the machine hardly increases. */
  readonly cpu: number
  readonly samples: number
}

/** One way to do the work. In the same `round`, every way must do the same task. */
type Work = (round: number) => unknown

const WARM_UP = 150
const ROUNDS = 1000
const MIN_ROUNDS = 8
const BUDGET_MS = 600
let budget = BUDGET_MS

/** Shortens all later measurements for a quick run. Their numbers are less exact. */
export function hurry(): void {
  budget = BUDGET_MS / 3
}

export const isHurried = (): boolean => budget < BUDGET_MS

/** Work that takes longer than this is run only a few times, so that enough time remains for the other ways. */
const SLOW_MS = 250
const SLOW_SAMPLES = 2

/**
 * Measures several ways to do the same work. Every round runs all of them, so that a slow moment of the machine affects
 * all of them. Each round begins with another way.
 */
export async function compare<Name extends string>(
  works: Record<Name, Work>,
  budgetMs = budget,
): Promise<Record<Name, Timing>> {
  const subjects = Object.entries<Work>(works).map(([name, work]) => ({
    name,
    work,
    times: [] as Sample[],
    slow: false,
  }))
  for (const subject of subjects) {
    // The first run opens files and fills caches, so the second run decides whether the work is slow.
    const isSuspect = (await timed(subject.work, 0)).wall > SLOW_MS * 1000
    if (!isSuspect) continue
    const second = await timed(subject.work, 0)
    subject.slow = second.wall > SLOW_MS * 1000
    if (subject.slow) subject.times.push(second)
    while (subject.slow && subject.times.length < SLOW_SAMPLES)
      subject.times.push(await timed(subject.work, subject.times.length))
  }
  const fast = subjects.filter(({ slow }) => !slow)
  const warmUntil = performance.now() + budgetMs / 4
  for (let round = 0; fast.length > 0 && round < WARM_UP && isOpen(round, warmUntil); round++) {
    for (const { work } of fast) await work(round)
  }
  const until = performance.now() + budgetMs
  for (let round = 0; fast.length > 0 && round < ROUNDS && isOpen(round, until); round++) {
    for (let turn = 0; turn < fast.length; turn++) {
      const { work, times } = fast[(round + turn) % fast.length]!
      times.push(await timed(work, round))
    }
  }
  const timings = subjects.map(({ name, times }) => {
    const [walls, cpus] = [times.map(({ wall }) => wall), times.map(({ cpu }) => cpu)]
    return [name, timingOf(walls, cpus)] as const
  })
  return Object.fromEntries(timings) as Record<Name, Timing>
}

/** On a busy machine few rounds fit into the time. At least MIN_ROUNDS run, so that every query of a case runs once. */
const isOpen = (round: number, until: number): boolean => performance.now() < until || round < MIN_ROUNDS

/** In microseconds. */
export interface Sample {
  readonly wall: number
  readonly cpu: number
}

export async function timed(work: Work, round: number): Promise<Sample> {
  const before = process.cpuUsage()
  const started = performance.now()
  const pending = work(round)
  if (pending instanceof Promise) await pending
  const wall = (performance.now() - started) * 1000
  const { user, system } = process.cpuUsage(before)
  return { wall, cpu: user + system }
}

export function timingOf(walls: readonly number[], cpus: readonly number[] = []): Timing {
  const wall = sorted(walls)
  const cpu = cpus.reduce((sum, time) => sum + time, 0) / cpus.length
  return { p50: wall(0.5), p95: wall(0.95), p99: wall(0.99), cpu, samples: walls.length }
}

function sorted(times: readonly number[]): (share: number) => number {
  const list = Float64Array.from(times).sort()
  return (share) => list[Math.min(list.length - 1, Math.floor(list.length * share))] ?? Number.NaN
}

/** Adds up the time and the CPU of several pieces of work, in seconds. */
export class Stopwatch {
  wall = 0
  cpu = 0

  async time<T>(work: () => T | Promise<T>): Promise<T> {
    const [started, before] = [performance.now(), process.cpuUsage()]
    const result = await work()
    const { user, system } = process.cpuUsage(before)
    this.wall += (performance.now() - started) / 1000
    this.cpu += (user + system) / 1e6
    return result
  }
}
