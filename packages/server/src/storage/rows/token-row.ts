import type { Audience, StoredToken, TokenKind } from '../../tokens/token-store.ts'
import type { GrantRow } from './grant-row.ts'

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
