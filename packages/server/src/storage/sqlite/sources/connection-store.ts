import type { Connection, ConnectionStore } from '../../../sources/connections/connection-store.ts'
import { type ConnectionRow, connectionFromRow } from '../../rows/connection-row.ts'
import type { Handle, WriteDatabases } from '../engine/database.ts'
import { noteConnection } from '../imports/import-created.ts'
import type { Eraser } from '../upkeep/eraser.ts'

const SELECT =
  'select connection_id, connector_key, display_name, created_at, updated_at from connection where subject_id = ?'

export class SqliteConnectionStore implements ConnectionStore {
  readonly #writer: Handle
  readonly #reader: Handle
  readonly #eraser: Eraser

  constructor(databases: WriteDatabases, eraser: Eraser) {
    this.#writer = databases.writer
    this.#reader = databases.reader
    this.#eraser = eraser
  }

  async create(subjectId: string, connection: Connection, importId?: string): Promise<boolean> {
    const { connectionId, connectorKey, displayName, createdAt, updatedAt } = connection
    const used = 'select 1 from removed_connection where subject_id = ? and connection_id = ?'
    if (this.#writer.get(used, subjectId, connectionId)) return false
    const sql = 'insert into connection values (?, ?, ?, ?, ?, ?) on conflict do nothing'
    const values = [subjectId, connectionId, connectorKey, displayName ?? null, createdAt, updatedAt]
    return this.#writer.transaction(() => {
      const isNew = this.#writer.run(sql, ...values) === 1
      if (isNew && importId !== undefined) noteConnection(this.#writer, importId, connectionId)
      return isNew
    })
  }

  async find(subjectId: string, connectionId: string): Promise<Connection | undefined> {
    return this.#reader.cachedUntilWrite(JSON.stringify(['connection', subjectId, connectionId]), () => {
      const row = this.#reader.get<ConnectionRow>(`${SELECT} and connection_id = ?`, subjectId, connectionId)
      return row && connectionFromRow(row)
    })
  }

  async list(subjectId: string, connectorKey?: string): Promise<readonly Connection[]> {
    const name = JSON.stringify(['connections', subjectId, connectorKey])
    return this.#reader.cachedUntilWrite(name, () => this.#list(subjectId, connectorKey))
  }

  #list(subjectId: string, connectorKey?: string): Connection[] {
    const rows =
      connectorKey === undefined
        ? this.#reader.all<ConnectionRow>(`${SELECT} order by connector_key, connection_id`, subjectId)
        : this.#reader.all<ConnectionRow>(
            `${SELECT} and connector_key = ? order by connection_id`,
            subjectId,
            connectorKey,
          )
    return rows.map(connectionFromRow)
  }

  async rename(subjectId: string, connectionId: string, displayName: string | undefined, at: number): Promise<boolean> {
    const sql = 'update connection set display_name = ?, updated_at = ? where subject_id = ? and connection_id = ?'
    return this.#writer.run(sql, displayName ?? null, at, subjectId, connectionId) === 1
  }

  async remove(subjectId: string, connectionId: string): Promise<boolean> {
    const removed = this.#writer.transaction(() => removeConnection(this.#writer, subjectId, connectionId))
    await this.#eraser.run()
    return removed
  }
}

/** Makes the records unreachable. The eraser deletes them. */
export function removeConnection(db: Handle, subjectId: string, connectionId: string): boolean {
  db.run('insert into removed_connection values (?, ?) on conflict do nothing', subjectId, connectionId)
  for (const sql of [
    'delete from sync_state where subject_id = ? and connection_id = ?',
    'update feed set erased = 1 where subject_id = ? and connection_id = ?',
  ])
    db.run(sql, subjectId, connectionId)
  return db.run('delete from connection where subject_id = ? and connection_id = ?', subjectId, connectionId) === 1
}
