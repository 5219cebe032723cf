import type { StoredGrant } from '../../grants/grant-store.ts'
import type { StoredPackage } from '../../grants/packages/package-store.ts'

export interface PackageRow {
  package_id: string
  client_id: string
  client_name: string | null
  created_at: number
  revoked_at: number | null
}

export const PACKAGE_COLUMNS = 'p.package_id, p.client_id, p.client_name, p.created_at, p.revoked_at'

export function storedPackage(row: PackageRow, members: readonly StoredGrant[]): StoredPackage {
  return {
    packageId: row.package_id,
    clientId: row.client_id,
    clientName: row.client_name ?? undefined,
    createdAt: row.created_at,
    revokedAt: row.revoked_at ?? undefined,
    members,
  }
}
