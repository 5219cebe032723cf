import type { Dispatcher } from './dispatcher.ts'
import type { PollWaiters } from './poll-waiters.ts'

export interface RunnerTimes {
  /**
   * Changes are turned into events at whole multiples of this many milliseconds, so that a burst becomes one event.
   * Hidden changes do not shift these moments, so the time of an event reveals nothing about them.
   */
  readonly windowMs: number
}

const TIMES: RunnerTimes = { windowMs: 1_000 }
/** The next pass waits at least this many times as long as the last one took, so that ingest keeps its rate. */
const REST_FACTOR = 20
/** The wait is never longer than this, so that events also come soon from a slow database. */
const MAX_REST_MS = 5000
/** Milliseconds before a failed pass is repeated. */
const FAILED_MS = 10_000
/** Run a pass at least this often, because grants expire and unread events grow old without a write. */
const LOOK_EVERY_MS = 60_000

/** Notifies the senders of events and the waiting requests about new events. */
export interface Deliveries {
  wake(subscriptionIds?: ReadonlySet<string>): void
}

/** Sends events while the server runs. */
interface Sender {
  start(): void
  stop(): Promise<void>
}

/** Decides when changes are turned into events: soon after writes, at start, and at regular intervals. */
export class SubscriptionRunner {
  readonly #dispatcher: Dispatcher
  readonly #waiters: PollWaiters
  readonly #webhooks: Sender
  readonly #deliveries: Deliveries
  readonly #log: (line: string) => void
  readonly #times: RunnerTimes
  #timer: NodeJS.Timeout | undefined
  #interval: NodeJS.Timeout | undefined
  #isWritten = false
  #restsUntil = 0
  #running: Promise<void> | undefined
  #isStarted = false

  constructor(options: {
    dispatcher: Dispatcher
    waiters: PollWaiters
    webhooks: Sender
    deliveries: Deliveries
    log: (line: string) => void
    times?: Partial<RunnerTimes> | undefined
  }) {
    this.#dispatcher = options.dispatcher
    this.#waiters = options.waiters
    this.#webhooks = options.webhooks
    this.#deliveries = options.deliveries
    this.#log = options.log
    this.#times = { ...TIMES, ...options.times }
  }

  /** Call in a long-running server only. */
  start(): void {
    this.#isStarted = true
    this.#interval = setInterval(() => this.noteWrite(), LOOK_EVERY_MS).unref()
    this.#arm(0)
    this.#webhooks.start()
  }

  /** Called very often during ingest, so it only notes that there was a write. */
  noteWrite(): void {
    if (this.#isWritten || !this.#isStarted) return
    this.#isWritten = true
    if (this.#timer === undefined && this.#running === undefined) this.#armNext()
  }

  async stop(): Promise<void> {
    this.#isStarted = false
    clearTimeout(this.#timer)
    clearInterval(this.#interval)
    this.#waiters.stop()
    await this.#running
    await this.#webhooks.stop()
  }

  #armNext(): void {
    const { windowMs } = this.#times
    const now = performance.now()
    this.#arm(Math.max(windowMs - (now % windowMs), this.#restsUntil - now))
  }

  #arm(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#isWritten = false
      this.#running = this.#pass().finally(() => {
        this.#running = undefined
        if (this.#isWritten && this.#isStarted) this.#armNext()
      })
    }, ms).unref()
  }

  async #pass(): Promise<void> {
    const startedAt = performance.now()
    try {
      const heard = await this.#dispatcher.pass()
      if (heard.size > 0) this.#deliveries.wake(heard)
      const now = performance.now()
      this.#restsUntil = now + Math.min((now - startedAt) * REST_FACTOR, MAX_REST_MS)
    } catch (error) {
      this.#log(`Events could not be prepared: ${(error as Error).message}`)
      this.#restsUntil = performance.now() + FAILED_MS
      this.noteWrite()
    }
  }
}
