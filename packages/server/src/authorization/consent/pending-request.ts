import type { Audience } from '../../tokens/token-store.ts'

/** Something that waits for the owner: an authorization request, a device, a command that wants to connect. */
export interface PendingRequest {
  readonly uid: string
  readonly kind: 'browser' | 'device' | 'connect'
  /** `owner`: everything, for a device of the owner's own. */
  readonly profile: 'grant' | 'owner'
  readonly clientId: string
  /** What it calls itself here, beside what its registration says. */
  readonly clientName?: string | undefined
  /** Where the answer is sent; absent where the asker fetches it. */
  readonly redirectUri?: string | undefined
  /** `authorization_details` as they came; absent where the owner is to choose. */
  readonly details?: string | undefined
  readonly audiences: readonly Audience[]
  /** Where from and when it was asked, where the owner's browser did not bring it. */
  readonly asked?: { readonly from: string; readonly at: number } | undefined
  readonly expiresAt: number
}

export type Outcome = { readonly subjectId: string; readonly authorizationId: string } | { readonly denied: true }

/** Where pending requests of one kind are kept. */
export interface PendingRequests {
  find(origin: string, uid: string): Promise<PendingRequest | undefined>
  /** True for the first who decides, and for nobody else. */
  claim(uid: string): Promise<boolean>
  /** Passes the decision on; answers where the owner's browser goes next, if anywhere. */
  settle(origin: string, uid: string, outcome: Outcome): Promise<string | undefined>
}
