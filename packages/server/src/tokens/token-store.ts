import type { StoredGrant } from '../grants/grant-store.ts'
import type { StoredPackage } from '../grants/packages/package-store.ts'

/** A part of the server that accepts a token: a path below the origin. */
export type Audience = 'mcp' | 'mcp/developer' | 'v1'

/** Whether a token gives access to everything, one grant, or a package of grants. */
export type TokenKind = 'owner' | 'client' | 'package'

export interface StoredToken {
  /** SHA-256 of the token. The token itself is never stored. */
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
  /** The approval that the token came from, if the authorization server issued it. */
  readonly authorizationId?: string | undefined
}

export interface FoundToken {
  readonly token: StoredToken
  readonly grant: StoredGrant | undefined
  readonly package: StoredPackage | undefined
}

export interface TokenStore {
  create(token: StoredToken): Promise<void>
  /**
   * The token with the current state of its grant or package, so that a revocation applies to the next request. With a
   * reference it looks only among the tokens of that owner. A hash in hexadecimal costs less to make than its bytes.
   */
  find(hash: Uint8Array | string, reference?: string): Promise<FoundToken | undefined>
  /**
   * The owner's reference. If there was none, it becomes the proposed one. Undefined if another owner has the proposed
   * one.
   */
  ownerReference(subjectId: string, proposed: string): Promise<string | undefined>
  /** Returns false if the token is unknown or already revoked. */
  revoke(hash: Uint8Array, at: number): Promise<boolean>
}
