import type { Audience } from '../../tokens/token-store.ts'

/** A request that waits for the owner: from a browser, a device, or a command that wants to connect. */
export interface PendingRequest {
  readonly uid: string
  readonly kind: 'browser' | 'device' | 'connect'
  /** `owner`: full access, for a device of the owner. */
  readonly profile: 'grant' | 'owner'
  readonly clientId: string
  /** Name that the client sent with this request. Its registration may have a different one. */
  readonly clientName?: string | undefined
  /** The client's address for the answer; absent if the client polls for it. */
  readonly redirectUri?: string | undefined
  /** `authorization_details` as sent; absent if the client named nothing and the owner chooses. */
  readonly details?: string | undefined
  readonly audiences: readonly Audience[]
  /** The code that the owner typed. The page shows it again, to compare with the device. */
  readonly userCode?: string | undefined
  /** Address and time of the request. Absent if it came through the owner's own browser. */
  readonly asked?: { readonly from: string; readonly at: number } | undefined
  readonly expiresAt: number
}

export type Outcome = { readonly subjectId: string; readonly authorizationId: string } | { readonly denied: true }

/** The store of pending requests of one kind. */
export interface PendingRequests {
  find(origin: string, uid: string): Promise<PendingRequest | 'decided' | undefined>
  /** Claims the decision. True for the first caller only. */
  claim(uid: string): Promise<boolean>
  /** Passes the decision on. Returns where the owner's browser goes next, if anywhere. */
  settle(origin: string, uid: string, outcome: Outcome): Promise<string | undefined>
}
