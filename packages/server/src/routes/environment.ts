import type { Context as HonoContext } from 'hono'
import type { Authority, ClientAuthority, PackageAuthority } from '../grants/authority.ts'
import type { TransportEnvironment } from '../http/environment.ts'
import type { RequestSignal } from '../lib/request-signal.ts'
import type { Disclosure } from '../receipts/receipt-store.ts'
import type { PageSession } from '../sign-in/page-session.ts'

/** The hosted MCP endpoints, by the names that receipts use. */
export type McpSurface = 'mcp' | 'mcp-developer'

/** The values that middleware passes to routes. */
export interface HttpEnvironment extends TransportEnvironment {
  /** Set by callers inside this process. Nothing in a request can set it. */
  Bindings: TransportEnvironment['Bindings'] & {
    /** The surface that the request really came from. */
    pdppSurface?: McpSurface
    /** The authority that the outer request proved, so that its token is not checked again. */
    pdppAuthority?: ClientAuthority | PackageAuthority
    /** The name of the calling tool, for the receipt. */
    pdppOperation?: string
  }
  Variables: TransportEnvironment['Variables'] & {
    authority: Authority
    /** Set on reads: the deadline, and whether the client has disconnected. */
    signal: RequestSignal
    /** Set by reads with a package's token: the ids of the grants that were read. */
    grantsRead: readonly string[] | undefined
    /** Set on pages: the browser's session, signed in or not. */
    pageSession: PageSession
    /** Set by reads: the records and fields in the answer, one entry per stream. */
    disclosures: readonly Disclosure[] | undefined
    /** Set by some reads: the value of the body. An in-process caller uses it instead of parsing the body. */
    bodyValue: object | undefined
    /** Set by some reads: whether the body has nothing that an adapter escapes. */
    isPlainBody: boolean | undefined
    /** Set by reads: the size of the answer, and the body that was measured. */
    bytes: number | undefined
    measuredBody: string | undefined
    /** Set by reads whose answer shows nothing of the owner's data. They leave no receipt. */
    isUnreceipted: boolean | undefined
  }
}

/** A request on its way through middleware and routes. */
export type Http = HonoContext<HttpEnvironment>
