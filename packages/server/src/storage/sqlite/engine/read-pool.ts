import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { PdppError } from '@pdpp/protocol/reading'
import { FairQueue, type QueueLimits } from '../../../lib/limits/fair-queue.ts'
import { deadlinePassed, type RequestSignal, requestAborted } from '../../../lib/request-signal.ts'
import { unpackError } from '../../../lib/threads/thread-error.ts'
import type { ReadLoad } from '../../contract.ts'
import { ColumnsExchange } from '../words/shared-columns.ts'
import { LANES, type Lane, laneOf, type ReadTask, type TaskResult, type WorkerStart } from './read-task.ts'

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
const LIMITS: PoolLimits = {
  threads: Math.max(1, Math.min(3, availableParallelism() - 1)),
  queue: { total: 64, perClient: 16 },
  timeoutMs: 30_000,
  idleMs: 30_000,
}

/** Little memory for short-lived objects, because answers are small and every thread has its own heap. */
const YOUNG = { maxYoungGenerationSizeMb: 4 }

/** The extension differs: TypeScript in a clone, JavaScript in a published package. */
const WORKER = new URL(`./read-worker${extname(import.meta.filename)}`, import.meta.url)

/** The share of the newest task in the average time of a lane. */
const NEWEST = 0.2
const RETRY_SECONDS = { min: 1, max: 30 }

interface Job {
  readonly task: ReadTask
  /** Tasks with the same key share a turn. */
  readonly client: string
  readonly lane: Lane
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
  startedAt: number | undefined
  isOver: boolean
}

interface Thread {
  readonly worker: Worker
  readonly stop: Int32Array
  current: Job | undefined
  idle: NodeJS.Timeout | undefined
}

/**
 * Runs reads that would block the event loop in a few threads, which start on demand. Each kind of work has its own lane
 * with threads and a fair queue, so that searches never wait for a long count.
 */
export class ReadPool {
  readonly #file: string
  readonly #limits: PoolLimits
  readonly #threads = new Set<Thread>()
  readonly #columns = new ColumnsExchange()
  readonly #queues: Readonly<Record<Lane, FairQueue<Job>>>
  readonly #averageMs: Record<Lane, number> = { search: 50, long: 500 }
  #givenUp = 0
  #keepsThreads = false

  constructor(file: string, limits: Partial<PoolLimits> = {}) {
    this.#file = file
    this.#limits = { ...LIMITS, ...limits }
    const { queue } = this.#limits
    this.#queues = { search: new FairQueue(queue), long: new FairQueue(queue) }
  }

  get load(): ReadLoad {
    const waiting = LANES.reduce((sum, lane) => sum + this.#queues[lane].size, 0)
    return { running: this.#running().length, waiting, givenUp: this.#givenUp }
  }

  get threads(): number {
    return this.#threads.size
  }

  /**
   * Keeps threads, because starting one takes longer than most reads. Those for searches start now and load the word
   * index; others start when a long read needs them.
   */
  keepThreads(): void {
    this.#keepsThreads = true
    while (this.#threads.size < this.#limits.threads) this.#start().worker.unref()
    // A search can load the index itself.
    this.run({ kind: 'load_index' }).catch(() => undefined)
  }

  /** Stops the work if the client disconnects or the time is over. */
  async run<T>(task: ReadTask, signal?: RequestSignal): Promise<T> {
    signal?.check()
    return new Promise<T>((resolve, reject) => {
      const settle = () => {
        job.isOver = true
        clearTimeout(timeout)
        removeListener?.()
      }
      const job: Job = {
        task,
        client: signal?.client ?? '',
        lane: laneOf(task),
        startedAt: undefined,
        isOver: false,
        resolve: (result) => {
          settle()
          resolve(result as T)
        },
        reject: (error) => {
          settle()
          reject(error)
        },
      }
      if (!this.#queues[job.lane].push(job)) {
        reject(this.#busy(job.lane))
        return
      }
      const { timeoutMs } = this.#limits
      const limitMs = Math.min(timeoutMs, signal?.limitMs ?? timeoutMs)
      // A task that never got a thread was not too large: the server was busy.
      const onTimeout = () =>
        this.#giveUp(job, job.startedAt === undefined ? this.#busy(job.lane) : deadlinePassed(limitMs))
      const timeout = setTimeout(onTimeout, Math.min(timeoutMs, signal?.remainingMs ?? timeoutMs))
      const removeListener = signal?.onAbort(() => this.#giveUp(job, requestAborted()))
      this.#next()
    })
  }

  async close(): Promise<void> {
    const error = new PdppError('server_busy', 'The server is stopping.', { retryAfterSeconds: 5 })
    for (const lane of LANES) for (const job of this.#queues[lane].clear()) job.reject(error)
    const threads = [...this.#threads]
    for (const thread of threads) {
      if (thread.current) this.#giveUp(thread.current, error)
      clearTimeout(thread.idle)
    }
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
  }

  #running(): Job[] {
    return [...this.#threads].flatMap(({ current }) => current ?? [])
  }

  /** Begins whatever may begin. */
  #next(): void {
    for (const lane of LANES) {
      const queue = this.#queues[lane]
      while (queue.size > 0 && this.#running().filter((job) => job.lane === lane).length < this.#limits.threads) {
        const thread = [...this.#threads].find(({ current }) => !current) ?? this.#start()
        this.#begin(thread, queue.take()!)
      }
    }
  }

  #begin(thread: Thread, job: Job): void {
    clearTimeout(thread.idle)
    Atomics.store(thread.stop, 0, 0)
    thread.current = job
    job.startedAt = performance.now()
    thread.worker.ref()
    thread.worker.postMessage(job.task)
  }

  #giveUp(job: Job, error: PdppError): void {
    if (job.isOver) return
    this.#queues[job.lane].remove(job)
    // The thread checks the flag before each statement, so it is free again after the current one.
    for (const thread of this.#threads) if (thread.current === job) Atomics.store(thread.stop, 0, 1)
    this.#givenUp++
    job.reject(error)
  }

  /** Tells the client to come back when the tasks that are waiting now should be done. */
  #busy(lane: Lane): PdppError {
    const seconds = (this.#averageMs[lane] * (this.#queues[lane].size + 1)) / this.#limits.threads / 1000
    const { min, max } = RETRY_SECONDS
    const what = lane === 'search' ? 'searches' : 'long reads'
    return new PdppError('server_busy', `Too many ${what} are waiting.`, {
      retryAfterSeconds: Math.min(max, Math.max(min, Math.ceil(seconds))),
    })
  }

  #start(): Thread {
    const stop = new Int32Array(new SharedArrayBuffer(4))
    const columns = this.#columns.connect()
    const workerData: WorkerStart = { file: this.#file, stop, columns }
    const worker = new Worker(WORKER, { workerData, transferList: [columns], resourceLimits: YOUNG })
    const thread: Thread = { worker, stop, current: undefined, idle: undefined }
    this.#threads.add(thread)
    worker.on('message', (result: TaskResult) => this.#finished(thread, result))
    worker.on('error', (error) => this.#ended(thread, error))
    worker.on('exit', () => this.#ended(thread, new Error('A reading thread ended.')))
    return thread
  }

  #finished(thread: Thread, { result, error }: TaskResult): void {
    const job = thread.current
    thread.current = undefined
    if (job) this.#measure(job)
    if (job && !job.isOver) {
      if (error) job.reject(unpackError(error))
      else job.resolve(result)
    }
    // An idle thread must not keep the process alive.
    thread.worker.unref()
    thread.idle = setTimeout(() => this.#retire(thread), this.#limits.idleMs).unref()
    this.#next()
  }

  #measure({ lane, startedAt = performance.now() }: Job): void {
    this.#averageMs[lane] += NEWEST * (performance.now() - startedAt - this.#averageMs[lane])
  }

  #retire(thread: Thread): void {
    if (this.#keepsThreads) return
    this.#threads.delete(thread)
    void thread.worker.terminate()
  }

  #ended(thread: Thread, error: Error): void {
    if (!this.#threads.delete(thread)) return
    clearTimeout(thread.idle)
    const { current } = thread
    if (current && !current.isOver) current.reject(error)
    this.#next()
  }
}
