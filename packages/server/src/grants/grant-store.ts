import type { Grant } from '@pdpp/protocol'

export interface StoredGrant {
  readonly grant: Grant
  readonly createdAt: number
  readonly revokedAt: number | undefined
  /** When the only token of a single-use grant was issued. */
  readonly consumedAt: number | undefined
  /** When the owner paused it; undefined if it is not paused. */
  readonly pausedAt: number | undefined
  /** The package that contains it, if any. */
  readonly packageId: string | undefined
  /** The narrower or wider grant that replaced it, if any. */
  readonly replacedBy: string | undefined
  /** When it was first refused as expired. From then on it stays expired, even if the clock is set back. */
  readonly expiredAt: number | undefined
}

/** A change of an access that keeps its tokens: the grants that replace others, and the grants that are added. */
export interface GrantWidening {
  /** The single grant or the package that is widened. */
  readonly of: { readonly grantId: string } | { readonly packageId: string }
  /** The grants that the access had when the owner saw the page. */
  readonly had: readonly string[]
  readonly replaced: readonly { readonly grantId: string; readonly grant: Grant }[]
  readonly added: readonly Grant[]
  /** The package that a single grant becomes when other grants are added. */
  readonly becomes?:
    | { readonly packageId: string; readonly clientId: string; readonly clientName: string | undefined }
    | undefined
}

/** A page of grants or packages. `before` is the last id of the previous page. */
export interface AccessListQuery {
  readonly limit: number
  readonly before?: string | undefined
  readonly clientId?: string | undefined
  /** True leaves out those that are revoked. */
  readonly unrevoked?: boolean
}

export interface GrantStore {
  create(subjectId: string, grant: Grant, at: number): Promise<void>
  find(subjectId: string, grantId: string): Promise<StoredGrant | undefined>
  /** Newest first. */
  list(subjectId: string, query: AccessListQuery): Promise<StoredGrant[]>
  /** Marks it as revoked; the row stays. False if it was already revoked. */
  revoke(subjectId: string, grantId: string, at: number): Promise<boolean>
  /** Marks a single-use grant as used. False if it was already used, because it yields one token only. */
  consume(subjectId: string, grantId: string, at: number): Promise<boolean>
  /** Records that it was refused as expired. Later calls keep the first time. */
  expire(subjectId: string, grantId: string, at: number): Promise<void>
  /** Pauses it. Pausing again keeps the first time. False if it is revoked or absent. */
  pause(subjectId: string, grantId: string, at: number): Promise<boolean>
  resume(subjectId: string, grantId: string): Promise<boolean>
  /**
   * Replaces a grant with another in one transaction: the tokens, the package membership and the pause move to the new
   * grant, and the old one is revoked. False if the old one was already revoked.
   */
  replace(subjectId: string, grantId: string, grant: Grant, at: number): Promise<boolean>
  /**
   * Widens an access in one transaction. Replaced grants are treated as in `replace`; added grants are paused and
   * consumed like those of the access. If a single grant becomes a package, its tokens, refresh tokens and approvals
   * move to the package. Returns false and changes nothing if the access was revoked or changed meanwhile.
   */
  widen(subjectId: string, widening: GrantWidening, at: number): Promise<boolean>
}

/** Stores when each grant was last used. */
export interface UseStore {
  /** Copies the last use of a grant to its replacement. */
  passUse(subjectId: string, from: string, to: string): Promise<void>
}
