import type { Grant } from '@pdpp/protocol'

export interface StoredGrant {
  readonly grant: Grant
  readonly createdAt: number
  readonly revokedAt: number | undefined
  /** When the only token of a single-use grant was issued. */
  readonly consumedAt: number | undefined
}

export interface GrantStore {
  create(subjectId: string, grant: Grant, at: number): Promise<void>
  find(subjectId: string, grantId: string): Promise<StoredGrant | undefined>
  /** Newest first. */
  list(
    subjectId: string,
    options: { limit: number; before?: string | undefined; clientId?: string | undefined },
  ): Promise<StoredGrant[]>
  /** A tombstone, never a deletion. False when it was revoked before. */
  revoke(subjectId: string, grantId: string, at: number): Promise<boolean>
  /** False when it was consumed before: a single-use grant yields one token. */
  consume(subjectId: string, grantId: string, at: number): Promise<boolean>
}
