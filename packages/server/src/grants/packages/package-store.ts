import type { AccessListQuery, StoredGrant } from '../grant-store.ts'

export interface StoredPackage {
  readonly packageId: string
  readonly clientId: string
  readonly clientName: string | undefined
  readonly createdAt: number
  readonly revokedAt: number | undefined
  /**
   * The current grants, in the order in which the package was created. A narrowed grant is replaced by its successor.
   */
  readonly members: readonly StoredGrant[]
}

export interface PackageStore {
  /** Returns false and creates nothing if one of the grants is absent, revoked, or in another package. */
  create(
    subjectId: string,
    made: { packageId: string; clientId: string; clientName: string | undefined; grantIds: readonly string[] },
    at: number,
  ): Promise<boolean>
  find(subjectId: string, packageId: string): Promise<StoredPackage | undefined>
  /** Newest first. */
  list(subjectId: string, query: AccessListQuery): Promise<StoredPackage[]>
  /** Revokes it and its members in one transaction. Returns the revoked grants. Undefined if it was already revoked. */
  revoke(subjectId: string, packageId: string, at: number): Promise<string[] | undefined>
  /**
   * Pauses every member that is not revoked. Members that are already paused keep their time. False if there is none.
   */
  pause(subjectId: string, packageId: string, at: number): Promise<boolean>
  resume(subjectId: string, packageId: string): Promise<boolean>
}
