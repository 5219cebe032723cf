import type { StoredGrant } from '../grants/grant-store.ts'

export interface StoredToken {
  /** SHA-256 of the token: the token itself is never stored. */
  readonly hash: Uint8Array
  readonly subjectId: string
  readonly kind: 'owner' | 'client'
  readonly clientId: string | undefined
  readonly grantId: string | undefined
  readonly createdAt: number
  readonly expiresAt: number | undefined
  readonly revokedAt: number | undefined
  /** The approval it came from, when it came through the authorization server. */
  readonly authorizationId?: string | undefined
}

export interface TokenStore {
  create(token: StoredToken): Promise<void>
  /** The token with its grant as it stands now: revocation shows in the next request. */
  find(hash: Uint8Array): Promise<{ token: StoredToken; grant: StoredGrant | undefined } | undefined>
  revoke(hash: Uint8Array, at: number): Promise<boolean>
}
