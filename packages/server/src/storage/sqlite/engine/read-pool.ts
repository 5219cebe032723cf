import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type ErrorCode, PdppError } from '@pdpp/protocol'
import { deadlinePassed, type RequestSignal, requestAborted } from '../../../lib/request-signal.ts'
import type { ReadLoad } from '../../contract.ts'
import { ColumnsExchange } from '../words/shared-columns.ts'
import type { ReadTask, TaskResult, WorkerStart } from './read-task.ts'

export interface PoolLimits {
  readonly workers: number
  /** Max. tasks waiting for a free thread. */
  readonly queue: number
  /** Max. milliseconds from request to answer, waiting included. */
  readonly timeoutMs: number
  /** A thread without work ends after this many milliseconds, because it holds some megabytes. */
  readonly idleMs: number
}

const LIMITS: PoolLimits = { workers: 2, queue: 32, timeoutMs: 30_000, idleMs: 30_000 }

/** Little memory for short-lived objects, because answers are small and every thread has its own heap. */
const YOUNG = { maxYoungGenerationSizeMb: 4 }

/** The extension differs: TypeScript in a clone, JavaScript in a published package. */
const WORKER = new URL(`./read-worker${extname(import.meta.filename)}`, import.meta.url)

interface Waiting {
  readonly task: ReadTask
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
  isOver: boolean
}

interface Thread {
  readonly worker: Worker
  readonly stop: Int32Array
  current: Waiting | undefined
  idle: NodeJS.Timeout | undefined
}

/** Runs reads that would block the event loop in a few threads, which start on demand. */
export class ReadPool {
  readonly #file: string
  readonly #limits: PoolLimits
  readonly #threads = new Set<Thread>()
  readonly #queue: Waiting[] = []
  readonly #columns = new ColumnsExchange()
  #givenUp = 0
  #keepsThreads = false

  constructor(file: string, limits: Partial<PoolLimits> = {}) {
    this.#file = file
    this.#limits = { ...LIMITS, ...limits }
  }

  get load(): ReadLoad {
    const running = [...this.#threads].filter(({ current }) => current).length
    return { running, waiting: this.#queue.length, givenUp: this.#givenUp }
  }

  get threads(): number {
    return this.#threads.size
  }

  /** Starts all threads now and keeps them, because starting one takes longer than most reads. */
  keepThreads(): void {
    this.#keepsThreads = true
    while (this.#threads.size < this.#limits.workers) this.#start()!.worker.unref()
  }

  /** Stops the work if the client disconnects or the time is over. */
  async run<T>(task: ReadTask, signal?: RequestSignal): Promise<T> {
    signal?.check()
    if (this.#queue.length >= this.#limits.queue)
      throw new PdppError('server_busy', 'Too many long reads are running.', { retryAfterSeconds: 5 })
    return new Promise<T>((resolve, reject) => {
      const settle = () => {
        waiting.isOver = true
        clearTimeout(timeout)
        removeListener?.()
      }
      const waiting: Waiting = {
        task,
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
      const { timeoutMs } = this.#limits
      const onTimeout = () => this.#giveUp(waiting, deadlinePassed(Math.min(timeoutMs, signal?.limitMs ?? timeoutMs)))
      const timeout = setTimeout(onTimeout, Math.min(timeoutMs, signal?.remainingMs ?? timeoutMs))
      const removeListener = signal?.onAbort(() => this.#giveUp(waiting, requestAborted()))
      this.#queue.push(waiting)
      this.#next()
    })
  }

  async close(): Promise<void> {
    const error = new PdppError('server_busy', 'The server is stopping.', { retryAfterSeconds: 5 })
    for (const waiting of this.#queue.splice(0)) waiting.reject(error)
    const threads = [...this.#threads]
    for (const thread of threads) {
      if (thread.current) this.#giveUp(thread.current, error)
      clearTimeout(thread.idle)
    }
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
  }

  #next(): void {
    const waiting = this.#queue[0]
    if (!waiting) return
    const thread = [...this.#threads].find(({ current }) => !current) ?? this.#start()
    if (!thread) return
    this.#queue.shift()
    clearTimeout(thread.idle)
    Atomics.store(thread.stop, 0, 0)
    thread.current = waiting
    thread.worker.ref()
    thread.worker.postMessage(waiting.task)
  }

  #giveUp(waiting: Waiting, error: PdppError): void {
    if (waiting.isOver) return
    const queued = this.#queue.indexOf(waiting)
    if (queued >= 0) this.#queue.splice(queued, 1)
    // The thread checks the flag before each statement, so it is free again after the current one.
    for (const thread of this.#threads) if (thread.current === waiting) Atomics.store(thread.stop, 0, 1)
    this.#givenUp++
    waiting.reject(error)
  }

  #start(): Thread | undefined {
    if (this.#threads.size >= this.#limits.workers) return
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

  #finished(thread: Thread, { result, refused, crashed }: TaskResult): void {
    const waiting = thread.current
    thread.current = undefined
    if (waiting && !waiting.isOver) {
      if (refused) waiting.reject(new PdppError(refused.code as ErrorCode, refused.message, refused.detail))
      else if (crashed !== undefined) waiting.reject(new Error(crashed))
      else waiting.resolve(result)
    }
    // An idle thread must not keep the process alive.
    thread.worker.unref()
    thread.idle = setTimeout(() => this.#retire(thread), this.#limits.idleMs).unref()
    this.#next()
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
