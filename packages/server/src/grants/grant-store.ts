import type { Grant } from '@pdpp/protocol'

export interface StoredGrant {
  readonly grant: Grant
  readonly createdAt: number
  readonly revokedAt: number | undefined
  /** When the only token of a single-use grant was issued. */
  readonly consumedAt: number | undefined
  /** Since when the owner has it rest; undefined while it works. */
  readonly pausedAt: number | undefined
  /** The package it is a member of. */
  readonly packageId: string | undefined
  /** The narrower grant that took its place when it was revoked. */
  readonly replacedBy: string | undefined
  /** When it was first refused as expired; from then on it is, whatever a clock says. */
  readonly expiredAt: number | undefined
}

export interface GrantStore {
  create(subjectId: string, grant: Grant, at: number): Promise<void>
  find(subjectId: string, grantId: string): Promise<StoredGrant | undefined>
  /** Newest first. */
  list(
    subjectId: string,
    options: { limit: number; before?: string | undefined; clientId?: string | undefined; unrevoked?: boolean },
  ): Promise<StoredGrant[]>
  /** A tombstone, never a deletion. False when it was revoked before. */
  revoke(subjectId: string, grantId: string, at: number): Promise<boolean>
  /** False when it was consumed before: a single-use grant yields one token. */
  consume(subjectId: string, grantId: string, at: number): Promise<boolean>
  /** Writes down that it was refused as expired; keeps the first time. */
  expire(subjectId: string, grantId: string, at: number): Promise<void>
  /** Keeps the first pause's time. False when it is revoked or absent. */
  pause(subjectId: string, grantId: string, at: number): Promise<boolean>
  resume(subjectId: string, grantId: string): Promise<boolean>
  /**
   * Puts a grant in the place of another, in one step: its tokens, its membership and its pause pass over, and the
   * old one is revoked. False when the old one was revoked before.
   */
  replace(subjectId: string, grantId: string, grant: Grant, at: number): Promise<boolean>
}
