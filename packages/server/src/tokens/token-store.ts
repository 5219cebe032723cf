import type { StoredGrant } from '../grants/grant-store.ts'
import type { StoredPackage } from '../grants/packages/package-store.ts'

/** Where a token is taken: the address below the origin. */
export type Audience = 'mcp' | 'mcp/developer' | 'v1'

/** What a token stands for: everything, one grant, or a package of grants. */
export type TokenKind = 'owner' | 'client' | 'package'

export interface StoredToken {
  /** SHA-256 of the token: the token itself is never stored. */
  readonly hash: Uint8Array
  readonly subjectId: string
  readonly kind: TokenKind
  readonly clientId: string | undefined
  readonly grantId: string | undefined
  readonly packageId: string | undefined
  readonly audience: readonly Audience[]
  readonly createdAt: number
  readonly expiresAt: number | undefined
  readonly revokedAt: number | undefined
  /** The approval it came from, when it came through the authorization server. */
  readonly authorizationId?: string | undefined
}

export interface FoundToken {
  readonly token: StoredToken
  readonly grant: StoredGrant | undefined
  readonly package: StoredPackage | undefined
}

export interface TokenStore {
  create(token: StoredToken): Promise<void>
  /** The token with its grant, or package of grants, as it stands now: revocation shows in the next request. */
  find(hash: Uint8Array): Promise<FoundToken | undefined>
  /** False when it is unknown or was revoked before. */
  revoke(hash: Uint8Array, at: number): Promise<boolean>
}
