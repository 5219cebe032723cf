import type { StoredGrant } from '../grant-store.ts'

export interface StoredPackage {
  readonly packageId: string
  readonly clientId: string
  readonly clientName: string | undefined
  readonly createdAt: number
  readonly revokedAt: number | undefined
  /** Its grants as they stand now, in the order they were given. */
  readonly members: readonly StoredGrant[]
}

export interface PackageStore {
  /** False, and nothing made, when one of the grants is absent, revoked, or in another package. */
  create(
    subjectId: string,
    made: { packageId: string; clientId: string; clientName: string | undefined; grantIds: readonly string[] },
    at: number,
  ): Promise<boolean>
  find(subjectId: string, packageId: string): Promise<StoredPackage | undefined>
  /** Newest first. */
  list(
    subjectId: string,
    options: { limit: number; before?: string | undefined; clientId?: string | undefined; unrevoked?: boolean },
  ): Promise<StoredPackage[]>
  /** Revokes it and its members in one step: the grants that this ended. Undefined when it was revoked before. */
  revoke(subjectId: string, packageId: string, at: number): Promise<string[] | undefined>
}
