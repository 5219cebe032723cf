import type { Client, ClientStore } from '../../../clients/client-store.ts'
import { type ClientRow, clientFromRow } from '../../rows/client-row.ts'
import type { Handle, WriteDatabases } from '../engine/database.ts'

export class SqliteClientStore implements ClientStore {
  readonly #writer: Handle
  readonly #reader: Handle

  constructor(databases: WriteDatabases) {
    this.#writer = databases.writer
    this.#reader = databases.reader
  }

  async save(client: Client): Promise<void> {
    const sql = `insert into client values (?, ?, ?, ?, ?, ?) on conflict (client_id) do update set
      kind = excluded.kind, metadata = excluded.metadata, fresh_until = excluded.fresh_until`
    const { clientId, kind, metadata, createdAt, lastUsedAt, freshUntil } = client
    this.#writer.run(sql, clientId, kind, JSON.stringify(metadata), createdAt, lastUsedAt ?? null, freshUntil ?? null)
  }

  async find(clientId: string): Promise<Client | undefined> {
    const row = this.#reader.get<ClientRow>('select * from client where client_id = ?', clientId)
    return row && clientFromRow(row)
  }

  async list({ limit, before, used }: { limit: number; before?: string; used?: boolean }): Promise<Client[]> {
    const sql = `select * from client where (@before is null
      or (created_at, client_id) < (select created_at, client_id from client where client_id = @before))
      and (@used is null or (last_used_at is not null) = @used)
      order by created_at desc, client_id desc limit @limit`
    return this.#reader
      .all<ClientRow>(sql, { before: before ?? null, used: used === undefined ? null : Number(used), limit })
      .map(clientFromRow)
  }

  async touch(clientId: string, at: number): Promise<void> {
    this.#writer.run('update client set last_used_at = ? where client_id = ?', at, clientId)
  }

  async removeUnused({ createdBefore, keep }: { createdBefore: number; keep: number }): Promise<number> {
    const unused = `last_used_at is null and kind in ('dynamic', 'document', 'unverified')`
    return this.#writer.transaction(() => {
      const old = this.#writer.run(`delete from client where ${unused} and created_at < ?`, createdBefore)
      const surplus = this.#writer.run(
        `delete from client where client_id in (select client_id from client where ${unused}
          order by created_at desc, client_id desc limit -1 offset ?)`,
        keep,
      )
      return old + surplus
    })
  }
}
