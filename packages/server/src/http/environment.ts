import type { Context as HonoContext } from 'hono'
import type { Authority } from '../grants/authority.ts'
import type { RequestSignal } from '../lib/request-signal.ts'
import type { Disclosure } from '../receipts/disclosure.ts'
import type { PageSession } from '../sign-in/page-session.ts'
import type { RequestOrigin } from './request/request-origin.ts'

/** Where tools are called in this process, as receipts name it. */
export type McpSurface = 'mcp' | 'mcp-developer'

/** What middleware hands to routes. */
export interface HttpEnvironment {
  /** Given by who calls the app in this process; nothing in a request can set it. */
  Bindings: {
    /** The surface that a reader stands at, when it is not this one. */
    pdppSurface?: McpSurface
    /** The tool that reads. */
    pdppOperation?: string
    /** How the request came in there. */
    pdppRequestOrigin?: RequestOrigin
    /** Aborted when whoever asked there has gone. */
    pdppSignal?: AbortSignal | undefined
  }
  Variables: {
    requestId: string
    requestOrigin: RequestOrigin
    authority: Authority
    /** Set on reads: who waits for the answer. */
    signal: RequestSignal
    /** Set by reads with a package: the grants that were read. */
    grantsRead: readonly string[] | undefined
    /** Set on pages: who looks at them. */
    pageSession: PageSession
    /** Set by reads: what the answer shows, one for each stream. */
    disclosures: readonly Disclosure[] | undefined
    /** Set by reads: how large the answer is. */
    bytes: number | undefined
  }
}

/** A request on its way through middleware and routes. */
export type Http = HonoContext<HttpEnvironment>
