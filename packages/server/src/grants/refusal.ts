import { PdppError } from '@pdpp/protocol'
import type { StoredGrant } from './grant-store.ts'

export type GrantStatus = 'active' | 'paused' | 'expired' | 'revoked'

export function grantStatus({ grant, revokedAt, pausedAt, expiredAt }: StoredGrant, now: number): GrantStatus {
  if (revokedAt !== undefined) return 'revoked'
  if (expiredAt !== undefined) return 'expired'
  if (grant.expires_at !== null && Date.parse(grant.expires_at) <= now) return 'expired'
  return pausedAt === undefined ? 'active' : 'paused'
}

/** The reason why a grant cannot be used, or undefined if it can. A missing grant is always refused. */
export function grantRefusal(stored: StoredGrant | undefined, now: number): PdppError | undefined {
  if (!stored) return new PdppError('grant_invalid', 'The grant of this token does not exist.')
  switch (grantStatus(stored, now)) {
    case 'revoked':
      return new PdppError('grant_revoked', 'The owner has revoked this grant.')
    case 'expired':
      return new PdppError('grant_expired', `This grant expired at ${stored.grant.expires_at}.`)
    case 'paused':
      return new PdppError('grant_paused', 'The owner has paused this grant.')
    case 'active':
      return
  }
}
