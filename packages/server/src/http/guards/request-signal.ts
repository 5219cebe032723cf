import type { ServerResponse } from 'node:http'

import { type AbortSource, abortSourceOf, RequestSignal } from '../../lib/request-signal.ts'
import type { Transport, TransportEnvironment } from '../environment.ts'

/** Somebody whose leaving cannot be seen: a call in this process without a signal. */
const NEVER_ABORTED: AbortSource = { isAborted: () => false, onAbort: () => () => {} }

/**
 * Who waits for this answer. Costs nothing until work asks: the response says itself that its connection has ended,
 * while the signal of the request would have to be made first.
 */
export function requestSignalOf(c: Transport, limitMs: number): RequestSignal {
  const { outgoing, pdppSignal } = (c.env ?? {}) as TransportEnvironment['Bindings'] & { outgoing?: ServerResponse }
  return new RequestSignal(
    pdppSignal ? abortSourceOf(pdppSignal) : outgoing ? byResponse(outgoing) : NEVER_ABORTED,
    limitMs,
  )
}

/** The same as a signal, for those who need one. */
export function abortSignalOf(c: Transport): AbortSignal {
  const controller = new AbortController()
  const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse }
  if (outgoing) byResponse(outgoing).onAbort(() => controller.abort())
  return controller.signal
}

function byResponse(outgoing: ServerResponse): AbortSource {
  const isAborted = () => outgoing.destroyed && !outgoing.writableFinished
  return {
    isAborted,
    onAbort: (listener) => {
      const closed = () => {
        if (isAborted()) listener()
      }
      outgoing.once('close', closed)
      return () => outgoing.off('close', closed)
    },
  }
}
