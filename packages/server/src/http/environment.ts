import type { ServerResponse } from 'node:http'
import type { Context as HonoContext, Next } from 'hono'
import type { RequestOrigin } from './request/request-origin.ts'

/** The members that every request has. Routes add their own in routes/environment.ts. */
export interface TransportEnvironment {
  /** Set by callers inside this process. Nothing in a request can set it. */
  Bindings: {
    /** The origin of the outer request, if this one is an in-process call. */
    pdppRequestOrigin?: RequestOrigin
    /** Aborts when the client of the outer request disconnects. */
    pdppSignal?: AbortSignal | undefined
    /** Node's response to the outer request. It reports a disconnect without an AbortSignal. */
    pdppResponse?: ServerResponse | undefined
  }
  Variables: {
    requestId: string
    requestOrigin: RequestOrigin
  }
}

type Variables = TransportEnvironment['Variables']

/** A request as `http` sees it: headers, body and transport, but no values that routes add. */
export interface Transport
  extends Pick<HonoContext<TransportEnvironment>, 'req' | 'res' | 'env' | 'header' | 'json' | 'body'> {
  get<Name extends keyof Variables>(name: Name): Variables[Name]
  set<Name extends keyof Variables>(name: Name, value: Variables[Name]): void
}

export type TransportGuard = (c: Transport, next: Next) => Promise<void>
