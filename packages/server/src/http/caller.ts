import type { ServerResponse } from 'node:http'
import type { Context as HonoContext } from 'hono'
import { Caller, type Presence, presenceOf } from '../lib/caller.ts'
import type { HttpEnvironment } from './environment.ts'

type Http = HonoContext<HttpEnvironment>

/** Somebody whose leaving cannot be seen: a call in this process without a signal. */
const STAYS: Presence = { isGone: () => false, whenGone: () => () => {} }

/**
 * Who waits for this answer. Costs nothing until work asks: the response says itself that its connection has ended,
 * while the signal of the request would have to be made first.
 */
export function callerOf(c: Http, limitMs: number): Caller {
  const { outgoing, pdppSignal } = (c.env ?? {}) as HttpEnvironment['Bindings'] & { outgoing?: ServerResponse }
  return new Caller(pdppSignal ? presenceOf(pdppSignal) : outgoing ? byResponse(outgoing) : STAYS, limitMs)
}

/** The same as a signal, for those who need one. */
export function goneSignal(c: Http): AbortSignal {
  const controller = new AbortController()
  const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse }
  if (outgoing) byResponse(outgoing).whenGone(() => controller.abort())
  return controller.signal
}

function byResponse(outgoing: ServerResponse): Presence {
  const isGone = () => outgoing.destroyed && !outgoing.writableFinished
  return {
    isGone,
    whenGone: (listener) => {
      const closed = () => {
        if (isGone()) listener()
      }
      outgoing.once('close', closed)
      return () => outgoing.off('close', closed)
    },
  }
}
