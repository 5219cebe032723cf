import type { Authority } from '../grants/authority.ts'
import type { Disclosure } from '../receipts/disclosure.ts'
import type { Visitor } from '../sessions/visitor.ts'
import type { Arrival } from './origin.ts'

/** What middleware hands to routes. */
export interface HttpEnvironment {
  Variables: {
    requestId: string
    arrival: Arrival
    authority: Authority
    /** Set on pages: who looks at them. */
    visitor: Visitor
    /** Set by reads: what the answer shows, one for each stream. */
    disclosures: readonly Disclosure[] | undefined
    /** Set by reads: how large the answer is. */
    bytes: number | undefined
  }
}
