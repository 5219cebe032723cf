import type { Grant } from '@pdpp/protocol'
import type { StoredGrant } from '../../grants/grant-store.ts'

export interface GrantRow {
  grant_key: string
  grant_created_at: number
  grant_revoked_at: number | null
  consumed_at: number | null
  paused_at: number | null
  grant_package: string | null
  replaced_by: string | null
  expired_at: number | null
}

export const GRANT_COLUMNS = `g.grant_id grant_key, g.created_at grant_created_at, g.revoked_at grant_revoked_at, g.consumed_at,
  g.paused_at, g.package_id grant_package, g.replaced_by, g.expired_at`

export function storedGrant(row: GrantRow, grant: Grant): StoredGrant {
  return {
    grant,
    createdAt: row.grant_created_at,
    revokedAt: row.grant_revoked_at ?? undefined,
    consumedAt: row.consumed_at ?? undefined,
    pausedAt: row.paused_at ?? undefined,
    packageId: row.grant_package ?? undefined,
    replacedBy: row.replaced_by ?? undefined,
    expiredAt: row.expired_at ?? undefined,
  }
}
