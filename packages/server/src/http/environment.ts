import type { Authority } from '../grants/authority.ts'
import type { Disclosure } from '../receipts/disclosure.ts'

/** What middleware hands to routes. */
export interface HttpEnvironment {
  Variables: {
    requestId: string
    authority: Authority
    /** Set by reads: what the answer shows, one for each stream. */
    disclosures: readonly Disclosure[] | undefined
    /** Set by reads: how large the answer is. */
    bytes: number | undefined
  }
}
