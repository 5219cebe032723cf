import type { Dispatcher } from './dispatcher.ts'
import type { PollWaiters } from './poll-waiters.ts'

export interface RunnerTimes {
  /** Changes are collected until none came for these milliseconds, so that a burst becomes one event. */
  readonly quietMs: number
  /** A burst that does not end is told after these milliseconds. */
  readonly maxBurstMs: number
}

const TIMES: RunnerTimes = { quietMs: 1_000, maxBurstMs: 5_000 }
/** The next pass waits at least this many times as long as the last one took, so that ingest keeps its rate. */
const REST_FACTOR = 20
/** Grants expire and unread events grow old without a write. */
const LOOK_EVERY_MS = 60_000

/** Tells those who send events or wait for them that there are new ones. */
export interface Deliveries {
  wake(subscriptionIds?: ReadonlySet<string>): void
}

/** Sends events while the server runs. */
interface Sender {
  start(): void
  stop(): Promise<void>
}

/** Decides when changes are turned into events: soon after writes, at start, and now and then. */
export class SubscriptionRunner {
  readonly #dispatcher: Dispatcher
  readonly #waiters: PollWaiters
  readonly #webhooks: Sender
  readonly #deliveries: Deliveries
  readonly #log: (line: string) => void
  readonly #times: RunnerTimes
  #timer: NodeJS.Timeout | undefined
  #interval: NodeJS.Timeout | undefined
  #firstWriteAt: number | undefined
  #lastWriteAt = 0
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

  /** Called very often during ingest, so it only notes the time. */
  noteWrite(): void {
    if (!this.#isStarted) return
    this.#lastWriteAt = performance.now()
    if (this.#firstWriteAt !== undefined) return
    this.#firstWriteAt = this.#lastWriteAt
    if (this.#timer === undefined && this.#running === undefined) this.#arm(this.#times.quietMs)
  }

  async stop(): Promise<void> {
    this.#isStarted = false
    clearTimeout(this.#timer)
    clearInterval(this.#interval)
    this.#waiters.stop()
    await this.#running
    await this.#webhooks.stop()
  }

  #arm(ms: number): void {
    this.#timer = setTimeout(() => this.#whenDue(), ms).unref()
  }

  #whenDue(): void {
    this.#timer = undefined
    const now = performance.now()
    const first = this.#firstWriteAt ?? now
    const quietAt = Math.min(this.#lastWriteAt + this.#times.quietMs, first + this.#times.maxBurstMs)
    const dueAt = this.#firstWriteAt === undefined ? now : Math.max(quietAt, this.#restsUntil)
    if (now < dueAt) {
      this.#arm(dueAt - now)
      return
    }
    this.#firstWriteAt = undefined
    this.#running = this.#pass().finally(() => {
      this.#running = undefined
      if (this.#isStarted && this.#firstWriteAt !== undefined && this.#timer === undefined) this.#arm(0)
    })
  }

  async #pass(): Promise<void> {
    const startedAt = performance.now()
    try {
      const heard = await this.#dispatcher.pass()
      if (heard.size > 0) {
        this.#deliveries.wake(heard)
      }
    } catch (error) {
      this.#log(`Events could not be prepared: ${(error as Error).message}`)
      this.noteWrite()
    }
    this.#restsUntil = performance.now() + (performance.now() - startedAt) * REST_FACTOR
  }
}
