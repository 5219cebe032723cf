import { extname } from 'node:path'
import { FairLane, type LaneWork } from '../../../lib/limits/fair-lane.ts'
import type { RequestSignal } from '../../../lib/request-signal.ts'
import type { SearchOutcome } from '../../../search/search-store.ts'
import type { ExampleWords, ReadLoad } from '../../contract.ts'
import { type PoolLimits, stopping, ThreadPool } from '../../thread-pool.ts'
import { type PackedResult, unpackResult } from '../../words/packed-result.ts'
import type { DatabaseOptions } from './database.ts'
import type { ReadTask, SearchTask } from './read-task.ts'

/** The extension differs: TypeScript in a clone, JavaScript in a published package. */
const WORKER = new URL(`./read-worker${extname(import.meta.filename)}`, import.meta.url)

/**
 * Reads per lane of the main thread that may use a connection at once. The remaining connections are for all other
 * work.
 */
const AT_ONCE = 3

/**
 * Large indexes are searched in threads. Searches of small indexes and counts by the database run in the main thread,
 * because they mostly wait for the database. Each kind has its own bounded queue.
 */
export class ReadPool extends ThreadPool<ReadTask, 'search'> {
  readonly #small: FairLane
  readonly #long: FairLane

  constructor(options: DatabaseOptions, limits: Partial<PoolLimits> = {}) {
    super(WORKER, { options }, { search: ['searches', 50] }, limits)
    const { queue, timeoutMs } = this.limits
    const laneLimits = { running: AT_ONCE, queue, timeoutMs }
    this.#small = new FairLane('searches', 20, laneLimits)
    this.#long = new FairLane('long reads', 500, laneLimits)
  }

  /** Runs a search in another thread. */
  async run(task: Omit<SearchTask, 'kind' | 'limitMs'>, signal?: RequestSignal): Promise<SearchOutcome> {
    const { timeoutMs } = this.limits
    const limitMs = Math.min(timeoutMs, signal?.remainingMs ?? timeoutMs)
    const sent = { ...task, kind: 'search', limitMs } as const
    return unpackResult(await this.perform<PackedResult<SearchOutcome>>('search', sent, signal))
  }

  /** Lets a thread read the word index before the first search. Returns some indexed words. */
  loadIndex(): Promise<ExampleWords> {
    return this.perform('search', { kind: 'load_index' })
  }

  search<T>(work: LaneWork<T>, signal?: RequestSignal): Promise<T> {
    return this.#small.run(work, signal)
  }

  long<T>(work: LaneWork<T>, signal?: RequestSignal): Promise<T> {
    return this.#long.run(work, signal)
  }

  override get load(): ReadLoad {
    const all = [super.load, this.#small, this.#long]
    const sum = (of: (load: ReadLoad) => number) => all.reduce((total, load) => total + of(load), 0)
    return {
      running: sum(({ running }) => running),
      waiting: sum(({ waiting }) => waiting),
      givenUp: sum(({ givenUp }) => givenUp),
    }
  }

  override async close(): Promise<void> {
    for (const lane of [this.#small, this.#long]) lane.close(stopping())
    await super.close()
  }
}
