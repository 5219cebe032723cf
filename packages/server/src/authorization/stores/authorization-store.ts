import type { Audience } from '../../tokens/token-store.ts'

/** One approval by the owner. All its refresh tokens form one family. */
export interface Authorization {
  readonly authorizationId: string
  readonly subjectId: string
  readonly clientId: string
  /** Stored, not derived from the ids: an approval that lost its grant must allow nothing, and not become `owner`. */
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

/** A client with full access: it may do everything that the owner may. */
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
  /** Marks a token as rotated and adds its successor, both or neither. False if it was already rotated. */
  rotate(hash: Uint8Array, successor: RefreshToken, at: number): Promise<boolean>
  /** Ends the approval with its refresh tokens and all its access tokens. False if it had already ended. */
  revoke(authorizationId: string, at: number): Promise<boolean>
  /** Ends all approvals of a client. Keeps tokens of grants, so that the client learns what happened to its grant. */
  revokeByClient(subjectId: string, clientId: string, at: number): Promise<number>
  /** Clients that have a valid owner token, newest first. */
  fullAccess(subjectId: string, now: number): Promise<FullAccess[]>
  /** Deletes refresh tokens expired before `before`, and access tokens of approvals that expired a month earlier. */
  sweep(before: number, limit: number): Promise<number>
}
