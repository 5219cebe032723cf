import { setImmediate } from 'node:timers/promises'
import { PdppError } from '@pdpp/protocol/reading'

/** Max. milliseconds of work before other requests get a turn. */
const TURN_MS = 10

/** Reports that the client has disconnected. */
export interface AbortSource {
  isAborted(): boolean
  /** Calls the listener once, on abort. The returned function removes the listener. */
  onAbort(listener: () => void): () => void
}

/** Deadline and cancellation of one request. Long work checks it between its parts. */
export class RequestSignal {
  readonly #abortSource: AbortSource
  readonly limitMs: number
  /** Identifies the client. Requests with the same key share a place in queues. */
  readonly client: string
  readonly #since = performance.now()
  #yieldedAt = this.#since

  constructor(abortSource: AbortSource, limitMs: number, client = '') {
    this.#abortSource = abortSource
    this.limitMs = limitMs
    this.client = client
  }

  get elapsedMs(): number {
    return performance.now() - this.#since
  }

  get remainingMs(): number {
    return this.#since + this.limitMs - performance.now()
  }

  onAbort(listener: () => void): () => void {
    return this.#abortSource.onAbort(listener)
  }

  /** Throws if the client has disconnected or the deadline has passed. */
  check(): void {
    if (this.#abortSource.isAborted()) throw requestAborted()
    if (this.remainingMs <= 0) throw deadlinePassed(this.limitMs)
  }

  /** Call between two parts of long work. A disconnect is only noticed when the event loop runs. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.#yieldedAt > TURN_MS) {
      await setImmediate()
      this.#yieldedAt = performance.now()
    }
    this.check()
  }
}

export function abortSourceOf(signal: AbortSignal): AbortSource {
  return {
    isAborted: () => signal.aborted,
    onAbort: (listener) => {
      signal.addEventListener('abort', listener, { once: true })
      return () => signal.removeEventListener('abort', listener)
    },
  }
}

export function requestAborted(): PdppError {
  return new PdppError('request_timeout', 'The client disconnected.')
}

export function deadlinePassed(ms: number): PdppError {
  return new PdppError('request_timeout', `This took longer than ${ms / 1000} seconds.`, {
    nextStep: 'Ask for less: one connection, a filter, or a shorter time.',
  })
}
