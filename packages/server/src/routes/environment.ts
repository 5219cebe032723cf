import type { Context as HonoContext } from 'hono'
import type { Authority, ClientAuthority, PackageAuthority } from '../grants/authority.ts'
import type { TransportEnvironment } from '../http/environment.ts'
import type { RequestSignal } from '../lib/request-signal.ts'
import type { Disclosure } from '../receipts/disclosure.ts'
import type { PageSession } from '../sign-in/page-session.ts'

/** Where tools are called in this process, as receipts name it. */
export type McpSurface = 'mcp' | 'mcp-developer'

/** What middleware hands to routes. */
export interface HttpEnvironment extends TransportEnvironment {
  /** Set by callers inside this process. Nothing in a request can set it. */
  Bindings: TransportEnvironment['Bindings'] & {
    /** The surface that the request really came from. */
    pdppSurface?: McpSurface
    /** The authority that the outer request proved. The token is checked once, at the outer door. */
    pdppAuthority?: ClientAuthority | PackageAuthority
    /** The tool that reads. */
    pdppOperation?: string
  }
  Variables: TransportEnvironment['Variables'] & {
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
    /** Set by reads whose answer shows nothing of the owner's data. They leave no receipt. */
    isUnreceipted: boolean | undefined
  }
}

/** A request on its way through middleware and routes. */
export type Http = HonoContext<HttpEnvironment>
