import type { Artifact } from '../../authorization/stores/artifact-store.ts'

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
