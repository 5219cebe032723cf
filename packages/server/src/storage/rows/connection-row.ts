import type { Connection } from '../../sources/connections/connection-store.ts'

export interface ConnectionRow {
  connection_id: string
  connector_key: string
  display_name: string | null
  created_at: number
  updated_at: number
}

export function connectionFromRow(row: ConnectionRow): Connection {
  return {
    connectionId: row.connection_id,
    connectorKey: row.connector_key,
    displayName: row.display_name ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
