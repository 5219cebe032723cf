import type { Client, ClientKind, ClientMetadata } from '../../clients/client-store.ts'
import { storedJson } from '../../lib/stored-json.ts'

export interface ClientRow {
  client_id: string
  kind: ClientKind
  metadata: string
  created_at: number
  last_used_at: number | null
  fresh_until: number | null
}

export function clientFromRow(row: ClientRow): Client {
  return {
    clientId: row.client_id,
    kind: row.kind,
    metadata: storedJson<ClientMetadata>(row.metadata),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at ?? undefined,
    freshUntil: row.fresh_until ?? undefined,
  }
}
