import { PdppError } from '@pdpp/protocol/reading'
import { deadlinePassed, type RequestSignal, requestAborted } from '../request-signal.ts'
import { FairQueue, type QueueLimits } from './fair-queue.ts'

export interface LaneLimits {
  /** Max. jobs at once. */
  readonly running: number
  /** Max. jobs that wait. */
  readonly queue: QueueLimits
  /** Max. milliseconds from request to answer, waiting included. */
  readonly timeoutMs: number
}

/** Work that waits or runs. The lane calls the listener of `onStop` when the result is no longer needed. */
export type LaneWork<T> = (onStop: (listener: () => void) => void) => Promise<T>

interface Job {
  /** Jobs with the same key share a turn. */
  readonly client: string
  readonly begin: () => void
  readonly reject: (error: Error) => void
  startedAt: number | undefined
  stop: () => void
  isOver: boolean
}

/** The share of the newest job in the average time. */
const NEWEST = 0.2
const RETRY_SECONDS = { min: 1, max: 30 }
/** A refused client may return this much later than it was told, and still find a place that is held for it. */
const CLAIM_SECONDS = 2

/** Runs a few jobs at once. The others wait in a bounded queue that serves clients in turn. */
export class FairLane {
  readonly #what: string
  readonly #limits: LaneLimits
  readonly #queue: FairQueue<Job>
  readonly #running = new Set<Job>()
  #averageMs: number
  givenUp = 0

  /** `what` is part of the error when the queue is full; `averageMs` is an estimate until some jobs are done. */
  constructor(what: string, averageMs: number, limits: LaneLimits) {
    this.#what = what
    this.#averageMs = averageMs
    this.#limits = limits
    this.#queue = new FairQueue(limits.queue)
  }

  get running(): number {
    return this.#running.size
  }

  get waiting(): number {
    return this.#queue.size
  }

  /**
   * Stops the work if the client disconnects or the time is over. Does not start work whose client has disconnected.
   */
  async run<T>(work: LaneWork<T>, signal?: RequestSignal): Promise<T> {
    signal?.check()
    return new Promise<T>((resolve, reject) => {
      const over =
        <V>(settle: (value: V) => void) =>
        (value: V) => {
          job.isOver = true
          clearTimeout(timeout)
          removeListener?.()
          settle(value)
        }
      const [succeed, fail] = [over(resolve), over(reject)]
      const job: Job = {
        ...{ client: signal?.client ?? '', startedAt: undefined, isOver: false, reject: fail, stop: () => {} },
        begin: () => {
          const finish =
            <V>(settle: (value: V) => void) =>
            (value: V) => {
              if (!job.isOver) settle(value)
              this.#ended(job)
            }
          const onStop = (listener: () => void) => {
            job.stop = listener
          }
          void work(onStop).then(finish(succeed), finish(fail))
        },
      }
      if (!this.#queue.push(job)) {
        reject(this.#refused(job))
        return
      }
      const { timeoutMs } = this.#limits
      const limitMs = Math.min(timeoutMs, signal?.limitMs ?? timeoutMs)
      // Work that never started was not too large: the server was busy.
      const onTimeout = () => this.#giveUp(job, job.startedAt === undefined ? this.#busy() : deadlinePassed(limitMs))
      const timeout = setTimeout(onTimeout, Math.min(timeoutMs, signal?.remainingMs ?? timeoutMs))
      const removeListener = signal?.onAbort(() => this.#giveUp(job, requestAborted()))
      this.#next()
    })
  }

  /** Refuses waiting jobs, and stops running ones. */
  close(error: PdppError): void {
    for (const job of this.#queue.clear()) job.reject(error)
    for (const job of this.#running) this.#giveUp(job, error)
  }

  #next(): void {
    while (this.#queue.size > 0 && this.#running.size < this.#limits.running) {
      const job = this.#queue.take()!
      this.#running.add(job)
      job.startedAt = performance.now()
      job.begin()
    }
  }

  #giveUp(job: Job, error: PdppError): void {
    if (job.isOver) return
    this.#queue.remove(job)
    this.givenUp++
    // Started work keeps its place until it has really ended.
    job.stop()
    job.reject(error)
  }

  #ended(job: Job): void {
    this.#running.delete(job)
    this.#averageMs += NEWEST * (performance.now() - job.startedAt! - this.#averageMs)
    this.#next()
  }

  #refused({ client }: Job): PdppError {
    const seconds = this.#retrySeconds()
    this.#queue.claim(client, performance.now() + (seconds + CLAIM_SECONDS) * 1000)
    return this.#busy(seconds)
  }

  #busy(retryAfterSeconds = this.#retrySeconds()): PdppError {
    return new PdppError('server_busy', `Too many ${this.#what} are waiting.`, { retryAfterSeconds })
  }

  /** The waiting jobs should be done then. */
  #retrySeconds(): number {
    const seconds = (this.#averageMs * (this.#queue.size + 1)) / this.#limits.running / 1000
    const { min, max } = RETRY_SECONDS
    return Math.min(max, Math.max(min, Math.ceil(seconds)))
  }
}
