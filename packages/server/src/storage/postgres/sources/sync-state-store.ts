import { storedJson } from '../../../lib/stored-json.ts'
import type { SyncStateKey, SyncStateStore } from '../../../sources/connections/sync-state-store.ts'
import type { Database } from '../engine/database.ts'
import type { Session } from '../engine/session.ts'
import type { Owners } from '../installation/owners.ts'

export class PostgresSyncStateStore implements SyncStateStore {
  readonly #database: Database
  readonly #owners: Owners

  constructor(database: Database, owners: Owners) {
    this.#database = database
    this.#owners = owners
  }

  async read(key: SyncStateKey): Promise<Record<string, unknown>> {
    const subject = await this.#owners.find(key.subjectId)
    return subject === undefined ? {} : read(this.#database, subject, key)
  }

  async merge(key: SyncStateKey, state: Record<string, unknown>): Promise<Record<string, unknown>> {
    const subject = await this.#owners.require(key.subjectId)
    return this.#database.transaction(async (session) => {
      const create = `insert into sync_state values (?, ?, ?, '{}', ?) on conflict do nothing`
      await session.run(create, subject, key.connectorKey, key.connectionId, Date.now())
      const merged = { ...(await read(session, subject, key, 'for update')), ...state }
      const kept = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
      const sql = `update sync_state set state = ?, updated_at = ?
        where subject = ? and connector_key = ? and connection_id = ?`
      await session.run(sql, JSON.stringify(kept), Date.now(), subject, key.connectorKey, key.connectionId)
      return kept
    })
  }
}

async function read(session: Session, subject: number, key: SyncStateKey, lock = ''): Promise<Record<string, unknown>> {
  const sql = `select state from sync_state where subject = ? and connector_key = ? and connection_id = ? ${lock}`
  const [state] = await session.column<string>(sql, subject, key.connectorKey, key.connectionId)
  return state === undefined ? {} : storedJson(state)
}
