import type { GrantStatus } from '../refusal.ts'

const DAY_MS = 86_400_000
/** After this time without use, the console marks access as unused. The owner can revoke it and grant it again. */
const UNUSED_MS = 30 * DAY_MS
const SOON_MS = 7 * DAY_MS

export interface WatchedGrant {
  readonly id: string
  readonly status: GrantStatus
  readonly createdAt: number
  readonly expiresAt: number | undefined
  readonly lastUsedAt: number | undefined
}

export function isUnused({ status, createdAt, lastUsedAt }: WatchedGrant, now: number): boolean {
  return status === 'active' && now - (lastUsedAt ?? createdAt) >= UNUSED_MS
}

export function endsSoon({ status, expiresAt }: WatchedGrant, now: number): boolean {
  return status === 'active' && expiresAt !== undefined && expiresAt - now < SOON_MS
}
