import type { Client, ClientStore } from '../../../clients/client-store.ts'
import { type ClientRow, clientFromRow } from '../../rows/client-row.ts'
import type { Database } from '../engine/database.ts'

export class PostgresClientStore implements ClientStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async save(client: Client): Promise<void> {
    const sql = `insert into client values (?, ?, ?, ?, ?, ?) on conflict (client_id) do update set
      kind = excluded.kind, metadata = excluded.metadata, fresh_until = excluded.fresh_until`
    const { clientId, kind, metadata, createdAt, lastUsedAt, freshUntil } = client
    const values = [clientId, kind, JSON.stringify(metadata), createdAt, lastUsedAt ?? null, freshUntil ?? null]
    await this.#database.write(sql, ...values)
  }

  async find(clientId: string): Promise<Client | undefined> {
    const row = await this.#database.get<ClientRow>('select * from client where client_id = ?', clientId)
    return row && clientFromRow(row)
  }

  async list({ limit, before, used }: { limit: number; before?: string; used?: boolean }): Promise<Client[]> {
    const sql = `select * from client where (@before::text is null
      or (created_at, client_id) < (select created_at, client_id from client where client_id = @before))
      and (@used::boolean is null or (last_used_at is not null) = @used)
      order by created_at desc, client_id desc limit @limit`
    const rows = await this.#database.all<ClientRow>(sql, { before: before ?? null, used: used ?? null, limit })
    return rows.map(clientFromRow)
  }

  async touch(clientId: string, at: number): Promise<void> {
    await this.#database.write('update client set last_used_at = ? where client_id = ?', at, clientId)
  }

  async removeUnused({ createdBefore, keep }: { createdBefore: number; keep: number }): Promise<number> {
    const unused = `last_used_at is null and kind in ('dynamic', 'document', 'unverified')`
    return this.#database.transaction(async (session) => {
      const old = await session.run(`delete from client where ${unused} and created_at < ?`, createdBefore)
      const surplus = `delete from client where client_id in (select client_id from client where ${unused}
        order by created_at desc, client_id desc offset ?)`
      return old + (await session.run(surplus, keep))
    })
  }
}
