import type { Grant } from '@pdpp/protocol'
import type { StoredGrant } from '../../grants/grant-store.ts'
import type { StoredPackage } from '../../grants/packages/package-store.ts'
import type { Audience, StoredToken, TokenKind } from '../../tokens/token-store.ts'

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

export interface TokenRow extends GrantRow {
  hash: Uint8Array
  subject_id: string
  kind: TokenKind
  client_id: string | null
  grant_id: string | null
  package_id: string | null
  audience: string
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  authorization_id: string | null
}

export function tokenFromRow(row: TokenRow): StoredToken {
  return {
    hash: row.hash,
    subjectId: row.subject_id,
    kind: row.kind,
    clientId: row.client_id ?? undefined,
    grantId: row.grant_id ?? undefined,
    packageId: row.package_id ?? undefined,
    audience: row.audience.split(' ') as Audience[],
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    authorizationId: row.authorization_id ?? undefined,
  }
}
