import type { ServerResponse } from 'node:http'

import { type AbortSource, abortSourceOf, RequestSignal } from '../../lib/request-signal.ts'
import type { Transport, TransportEnvironment } from '../environment.ts'

/** An in-process call without an abort signal: it can never be cancelled. */
const NEVER_ABORTED: AbortSource = { isAborted: () => false, onAbort: () => () => {} }

/**
 * The deadline and cancellation of a request. It watches Node's response instead of the request's AbortSignal, because
 * creating that signal costs time even if nothing uses it.
 */
export function requestSignalOf(c: Transport, limitMs: number, client: string): RequestSignal {
  const env = (c.env ?? {}) as TransportEnvironment['Bindings'] & { outgoing?: ServerResponse }
  const response = env.outgoing ?? env.pdppResponse
  const source = env.pdppSignal
    ? abortSourceOf(env.pdppSignal)
    : response
      ? new ResponseAborts(response)
      : NEVER_ABORTED
  return new RequestSignal(source, limitMs, client)
}

/** An AbortSignal that fires when the client disconnects, for code that needs the standard type. */
export function abortSignalOf(c: Transport): AbortSignal {
  const controller = new AbortController()
  const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse }
  if (outgoing) new ResponseAborts(outgoing).onAbort(() => controller.abort())
  return controller.signal
}

/** Aborts when the connection is lost before the answer was sent. */
class ResponseAborts implements AbortSource {
  readonly #outgoing: ServerResponse

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing
  }

  isAborted(): boolean {
    return this.#outgoing.destroyed && !this.#outgoing.writableFinished
  }

  onAbort(listener: () => void): () => void {
    const closed = () => {
      if (this.isAborted()) listener()
    }
    this.#outgoing.once('close', closed)
    return () => this.#outgoing.off('close', closed)
  }
}
