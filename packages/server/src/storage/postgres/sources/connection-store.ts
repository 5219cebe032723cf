import type { Connection, ConnectionStore } from '../../../sources/connections/connection-store.ts'
import { type ConnectionRow, connectionFromRow } from '../../rows/connection-row.ts'
import type { Database } from '../engine/database.ts'
import type { Session } from '../engine/session.ts'
import { noteConnection } from '../imports/import-created.ts'
import { nextEpoch, type Owners } from '../installation/owners.ts'
import type { Eraser } from '../upkeep/eraser.ts'

const SELECT =
  'select connection_id, connector_key, display_name, created_at, updated_at from connection where subject = ?'

export class PostgresConnectionStore implements ConnectionStore {
  readonly #database: Database
  readonly #owners: Owners
  readonly #eraser: Eraser

  constructor(database: Database, owners: Owners, eraser: Eraser) {
    this.#database = database
    this.#owners = owners
    this.#eraser = eraser
  }

  async create(subjectId: string, connection: Connection, importId?: string): Promise<boolean> {
    const { connectionId, connectorKey, displayName, createdAt, updatedAt } = connection
    const subject = await this.#owners.require(subjectId)
    return this.#database.transaction(async (session) => {
      const used = 'select 1 from removed_connection where subject = ? and connection_id = ?'
      if (await session.get(used, subject, connectionId)) return false
      const sql = 'insert into connection values (?, ?, ?, ?, ?, ?) on conflict do nothing'
      const values = [subject, connectionId, connectorKey, displayName ?? null, createdAt, updatedAt]
      const isNew = (await session.run(sql, ...values)) === 1
      if (isNew && importId !== undefined) await noteConnection(session, subject, importId, connectionId)
      if (isNew) await nextEpoch(session, subject)
      return isNew
    })
  }

  async find(subjectId: string, connectionId: string): Promise<Connection | undefined> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return
    const row = await this.#database.get<ConnectionRow>(`${SELECT} and connection_id = ?`, subject, connectionId)
    return row && connectionFromRow(row)
  }

  async list(subjectId: string, connectorKey?: string): Promise<readonly Connection[]> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return []
    const sql = `${SELECT} and (?::text is null or connector_key = ?) order by connector_key, connection_id`
    const rows = await this.#database.all<ConnectionRow>(sql, subject, connectorKey ?? null, connectorKey ?? null)
    return rows.map(connectionFromRow)
  }

  async rename(subjectId: string, connectionId: string, displayName: string | undefined, at: number): Promise<boolean> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return false
    return this.#database.transaction(async (session) => {
      const sql = 'update connection set display_name = ?, updated_at = ? where subject = ? and connection_id = ?'
      await nextEpoch(session, subject)
      return (await session.run(sql, displayName ?? null, at, subject, connectionId)) === 1
    })
  }

  async remove(subjectId: string, connectionId: string): Promise<boolean> {
    const subject = await this.#owners.require(subjectId)
    const removed = await this.#database.transaction((session) => removeConnection(session, subject, connectionId))
    await this.#eraser.run()
    return removed
  }
}

/** Makes the records unreachable. The eraser deletes them. */
export async function removeConnection(session: Session, subject: number, connectionId: string): Promise<boolean> {
  await nextEpoch(session, subject)
  const remove = 'delete from connection where subject = ? and connection_id = ?'
  const removed = (await session.run(remove, subject, connectionId)) === 1
  for (const sql of [
    'insert into removed_connection values (?, ?) on conflict do nothing',
    'delete from sync_state where subject = ? and connection_id = ?',
    'update feed set erased = 1 where subject = ? and connection_id = ?',
  ])
    await session.run(sql, subject, connectionId)
  return removed
}
