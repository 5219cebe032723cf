import { setImmediate } from 'node:timers/promises'
import { PdppError } from '@pdpp/protocol'

/** After so long in one go, other requests get their turn. */
const TURN_MS = 10

/** How it is known that nobody waits any more. */
export interface AbortSource {
  isAborted(): boolean
  /** Calls once when it is so; what is answered calls it off. */
  onAbort(listener: () => void): () => void
}

/** Whoever waits for an answer, and until when. Work that may take long looks here between its parts. */
export class RequestSignal {
  readonly #abortSource: AbortSource
  readonly limitMs: number
  readonly #since = performance.now()
  #turnedAt = this.#since

  constructor(abortSource: AbortSource, limitMs: number) {
    this.#abortSource = abortSource
    this.limitMs = limitMs
  }

  get remainingMs(): number {
    return this.#since + this.limitMs - performance.now()
  }

  onAbort(listener: () => void): () => void {
    return this.#abortSource.onAbort(listener)
  }

  /** Throws where going on would be for nobody. */
  check(): void {
    if (this.#abortSource.isAborted()) throw requestAborted()
    if (this.remainingMs <= 0) throw tooLate(this.limitMs)
  }

  /** Between two parts of the work. Only when the event loop turns can it be heard that a caller hung up. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.#turnedAt > TURN_MS) {
      await setImmediate()
      this.#turnedAt = performance.now()
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

export function tooLate(ms: number): PdppError {
  return new PdppError('request_timeout', `This took longer than ${ms / 1000} seconds.`, {
    nextStep: 'Ask for less: one connection, a filter, or a shorter time.',
  })
}
