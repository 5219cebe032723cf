import { storedJson } from '../../../lib/stored-json.ts'
import type { SyncStateKey, SyncStateStore } from '../../../sources/connections/sync-state-store.ts'
import type { Handle, WriteDatabases } from '../engine/database.ts'

export class SqliteSyncStateStore implements SyncStateStore {
  readonly #writer: Handle

  constructor(databases: WriteDatabases) {
    this.#writer = databases.writer
  }

  async read(key: SyncStateKey): Promise<Record<string, unknown>> {
    const sql = 'select state from sync_state where subject_id = ? and connector_key = ? and connection_id = ?'
    const row = this.#writer.get<{ state: string }>(sql, key.subjectId, key.connectorKey, key.connectionId)
    return row ? storedJson(row.state) : {}
  }

  async merge(key: SyncStateKey, state: Record<string, unknown>): Promise<Record<string, unknown>> {
    const merged = { ...(await this.read(key)), ...state }
    const kept = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
    const sql = `insert into sync_state values (?, ?, ?, ?, ?)
      on conflict (subject_id, connector_key, connection_id) do update set state = excluded.state, updated_at = excluded.updated_at`
    this.#writer.run(sql, key.subjectId, key.connectorKey, key.connectionId, JSON.stringify(kept), Date.now())
    return kept
  }
}
