import type { Audience } from '../../tokens/token-store.ts'

/** One approval: what its tokens stand for. Its refresh tokens are one family. */
export interface Authorization {
  readonly authorizationId: string
  readonly subjectId: string
  readonly clientId: string
  /** Said, never concluded: an approval whose grant is missing allows nothing. */
  readonly kind: 'grant' | 'package' | 'owner'
  readonly grantId: string | undefined
  readonly packageId: string | undefined
  readonly audiences: readonly Audience[]
  readonly singleUse: boolean
  readonly createdAt: number
  readonly expiresAt: number | undefined
  readonly revokedAt: number | undefined
}

export interface RefreshToken {
  readonly hash: Uint8Array
  readonly authorizationId: string
  readonly createdAt: number
  readonly expiresAt: number
  /** When its successor was issued. */
  readonly rotatedAt: number | undefined
}

/** A client that acts as the owner: the owner gave it full access. */
export interface FullAccess {
  readonly clientId: string
  readonly since: number
  readonly until: number
}

export interface AuthorizationStore {
  create(authorization: Authorization): Promise<void>
  find(authorizationId: string): Promise<Authorization | undefined>
  createRefreshToken(token: RefreshToken): Promise<void>
  findRefreshToken(hash: Uint8Array): Promise<RefreshToken | undefined>
  /** Marks a token as rotated and adds its successor, both or neither. False when it was rotated before. */
  rotate(hash: Uint8Array, successor: RefreshToken, at: number): Promise<boolean>
  /** Ends the approval: its refresh tokens and every access token that came from it. False when it had ended. */
  revoke(authorizationId: string, at: number): Promise<boolean>
  /** Ends all approvals of a client. Tokens of grants are left: what became of the grant is what they are told. */
  revokeByClient(subjectId: string, clientId: string, at: number): Promise<number>
  /** Clients that hold a token of the owner's own kind which still opens everything, newest first. */
  fullAccess(subjectId: string, now: number): Promise<FullAccess[]>
  /** Removes refresh tokens that expired before, and access tokens of approvals that expired a month earlier. */
  sweep(before: number, limit: number): Promise<number>
}
