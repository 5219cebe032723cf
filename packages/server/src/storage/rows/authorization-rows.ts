import type { Artifact } from '../../authorization/stores/artifact-store.ts'
import type { Authorization, RefreshToken } from '../../authorization/stores/authorization-store.ts'
import type { Audience } from '../../tokens/token-store.ts'

export interface AuthorizationRow {
  authorization_id: string
  subject_id: string
  client_id: string
  kind: Authorization['kind']
  grant_id: string | null
  package_id: string | null
  audiences: string
  single_use: number
  created_at: number
  expires_at: number | null
  revoked_at: number | null
}

export interface RefreshTokenRow {
  hash: Uint8Array
  authorization_id: string
  created_at: number
  expires_at: number
  rotated_at: number | null
}

export function authorizationFromRow(row: AuthorizationRow): Authorization {
  return {
    authorizationId: row.authorization_id,
    subjectId: row.subject_id,
    clientId: row.client_id,
    kind: row.kind,
    grantId: row.grant_id ?? undefined,
    packageId: row.package_id ?? undefined,
    audiences: row.audiences.split(' ') as Audience[],
    singleUse: row.single_use === 1,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
  }
}

export function refreshTokenFromRow(row: RefreshTokenRow): RefreshToken {
  return {
    hash: row.hash,
    authorizationId: row.authorization_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    rotatedAt: row.rotated_at ?? undefined,
  }
}

/** Expired tokens are kept this long, so that their clients still learn why their grant ended. */
export const EXPIRED_TOKEN_MS = 30 * 86_400_000

export interface ArtifactRow {
  kind: string
  id: string
  payload: string
  authorization_id: string | null
  alias: string | null
  expires_at: number
  consumed_at: number | null
}

export function artifactFromRow(row: ArtifactRow): Artifact {
  return {
    kind: row.kind,
    id: row.id,
    payload: row.payload,
    authorizationId: row.authorization_id ?? undefined,
    alias: row.alias ?? undefined,
    expiresAt: row.expires_at,
    consumedAt: row.consumed_at ?? undefined,
  }
}
