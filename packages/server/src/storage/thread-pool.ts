import { availableParallelism } from 'node:os'
import { type MessagePort, Worker } from 'node:worker_threads'
import { PdppError } from '@pdpp/protocol/reading'
import { FairLane } from '../lib/limits/fair-lane.ts'
import type { QueueLimits } from '../lib/limits/fair-queue.ts'
import type { RequestSignal } from '../lib/request-signal.ts'
import { type ThreadError, unpackError } from '../lib/threads/thread-error.ts'
import type { ReadLoad } from './contract.ts'
import { ColumnsExchange } from './words/shared-columns.ts'

export interface PoolLimits {
  /** Threads that each lane may use at once. */
  readonly threads: number
  /** Max. tasks of each lane that wait for a thread. */
  readonly queue: QueueLimits
  /** Max. milliseconds from request to answer, waiting included. */
  readonly timeoutMs: number
  /** A thread without work ends after this many milliseconds, because it holds some megabytes. */
  readonly idleMs: number
}

/** One core stays free for the main thread. */
const POOL_LIMITS: PoolLimits = {
  threads: Math.max(1, Math.min(3, availableParallelism() - 1)),
  queue: { total: 64, perClient: 16 },
  timeoutMs: 30_000,
  idleMs: 30_000,
}

/** Megabytes for short-lived objects, in halves of a third each. More would not save CPU, but is never given back. */
const YOUNG = { maxYoungGenerationSizeMb: 12 }

/** The settings that a thread gets at its start. */
export interface ThreadStart {
  /** Set to 1 to cancel the running task. */
  readonly stop: Int32Array
  /** Exchanges the documents of the word index with other threads. */
  readonly columns: MessagePort
}

export interface TaskResult {
  readonly result?: unknown
  readonly error?: ThreadError
}

/** The answer of a thread that has done an errand. */
export const ERRAND_DONE = 'errand done'

/** The task that a thread runs. It stays until the thread is done, even if nobody waits for the answer any more. */
interface Current {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

interface Thread {
  readonly worker: Worker
  readonly stop: Int32Array
  current: Current | undefined
  idle: NodeJS.Timeout | undefined
  /** Called in the order in which the errands were sent. */
  readonly errands: (() => void)[]
}

/** The name of a lane's tasks in errors, and a first guess of the milliseconds that one takes. */
export type Lanes<Lane extends string> = Readonly<Record<Lane, readonly [what: string, averageMs: number]>>

export const stopping = (): PdppError =>
  new PdppError('server_busy', 'The server is stopping.', { retryAfterSeconds: 5 })

/**
 * Runs reads that would block the event loop in a few threads, which start on demand. Each kind of work has its own
 * lane with threads and a fair queue, so that searches never wait for a long count.
 */
export class ThreadPool<Task extends object, Lane extends string> {
  readonly #worker: URL
  readonly #data: object
  readonly #threads = new Set<Thread>()
  readonly #columns = new ColumnsExchange()
  readonly #lanes: ReadonlyMap<Lane, FairLane>
  readonly limits: PoolLimits
  #keepsThreads = false

  constructor(worker: URL, data: object, lanes: Lanes<Lane>, limits: Partial<PoolLimits> = {}) {
    this.#worker = worker
    this.#data = data
    this.limits = { ...POOL_LIMITS, ...limits }
    const { threads, queue, timeoutMs } = this.limits
    const laneLimits = { running: threads, queue, timeoutMs }
    const named = Object.entries(lanes) as [Lane, Lanes<Lane>[Lane]][]
    this.#lanes = new Map(named.map(([lane, [what, ms]]) => [lane, new FairLane(what, ms, laneLimits)]))
  }

  get load(): ReadLoad {
    const lanes = [...this.#lanes.values()]
    const sum = (of: (lane: FairLane) => number) => lanes.reduce((total, lane) => total + of(lane), 0)
    return {
      running: sum(({ running }) => running),
      waiting: sum(({ waiting }) => waiting),
      givenUp: sum(({ givenUp }) => givenUp),
    }
  }

  get threads(): number {
    return this.#threads.size
  }

  /** Starts threads and keeps them, because starting one takes longer than most reads. */
  keepThreads(): void {
    this.#keepsThreads = true
    while (this.#threads.size < this.limits.threads) this.#start().worker.unref()
  }

  protected perform<T>(lane: Lane, task: Task, signal?: RequestSignal): Promise<T> {
    return this.#lanes.get(lane)!.run<T>((onStop) => this.#onThread<T>(task, onStop), signal)
  }

  /**
   * Lets a thread do something between two tasks, because another thread for it would hold some megabytes. Resolves
   * when it is done, or when the thread has ended.
   */
  protected errand(errand: object): Promise<void> {
    const [first] = this.#threads
    const thread = this.#idleThread() ?? first ?? this.#start()
    return new Promise((resolve) => {
      thread.errands.push(resolve)
      thread.worker.postMessage(errand)
      if (!thread.current) thread.worker.unref()
    })
  }

  /**
   * Lets each kept thread do something if nobody waits for a read. A thread that is not kept ends soon, and work would
   * only delay that.
   */
  protected errandIfIdle(errand: object): void {
    const { running, waiting } = this.load
    if (running + waiting > 0 || !this.#isKept()) return
    for (const thread of this.#threads) {
      if (thread.current || thread.errands.length > 0) continue
      Atomics.store(thread.stop, 0, 0)
      thread.errands.push(() => {})
      thread.worker.postMessage(errand)
    }
  }

  async close(): Promise<void> {
    const error = stopping()
    for (const lane of this.#lanes.values()) lane.close(error)
    const threads = [...this.#threads]
    for (const { idle } of threads) clearTimeout(idle)
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
  }

  #onThread<T>(task: Task, onStop: (listener: () => void) => void): Promise<T> {
    const thread = this.#idleThread() ?? this.#start()
    return new Promise((resolve, reject) => {
      const current: Current = { resolve: resolve as Current['resolve'], reject }
      clearTimeout(thread.idle)
      Atomics.store(thread.stop, 0, 0)
      thread.current = current
      // The thread checks the flag before each statement, so it is free again after the current one.
      onStop(() => {
        if (thread.current === current) Atomics.store(thread.stop, 0, 1)
      })
      thread.worker.ref()
      thread.worker.postMessage(task)
    })
  }

  /** Prefers a thread without an errand, because an errand may wait for the disk. */
  #idleThread(): Thread | undefined {
    let found: Thread | undefined
    for (const thread of this.#threads) {
      if (thread.current) continue
      if (thread.errands.length === 0) return thread
      found ??= thread
    }
    return found
  }

  #start(): Thread {
    const stop = new Int32Array(new SharedArrayBuffer(4))
    const columns = this.#columns.connect()
    const workerData = { ...this.#data, stop, columns } satisfies ThreadStart
    const worker = new Worker(this.#worker, { workerData, transferList: [columns], resourceLimits: YOUNG })
    const thread: Thread = { worker, stop, current: undefined, idle: undefined, errands: [] }
    this.#threads.add(thread)
    worker.on('message', (result: TaskResult | typeof ERRAND_DONE) => {
      if (result !== ERRAND_DONE) return this.#finished(thread, result)
      thread.errands.shift()?.()
      if (!thread.current) this.#rest(thread)
    })
    worker.on('error', (error) => this.#ended(thread, error))
    worker.on('exit', () => this.#ended(thread, new Error('A reading thread ended.')))
    return thread
  }

  #finished(thread: Thread, { result, error }: TaskResult): void {
    const { current } = thread
    thread.current = undefined
    // An idle thread must not keep the process alive.
    thread.worker.unref()
    this.#rest(thread)
    if (error) current?.reject(unpackError(error))
    else current?.resolve(result)
  }

  /** A thread that started because all kept ones were busy ends too: its caches hold the same as theirs. */
  #rest(thread: Thread): void {
    clearTimeout(thread.idle)
    if (!this.#isKept()) thread.idle = setTimeout(() => this.#retire(thread), this.limits.idleMs).unref()
  }

  #isKept(): boolean {
    return this.#keepsThreads && this.#threads.size <= this.limits.threads
  }

  #retire(thread: Thread): void {
    if (this.#isKept()) return
    this.#threads.delete(thread)
    void thread.worker.terminate()
  }

  #ended(thread: Thread, error: Error): void {
    for (const done of thread.errands.splice(0)) done()
    if (!this.#threads.delete(thread)) return
    clearTimeout(thread.idle)
    thread.current?.reject(error)
  }
}
