import type { Artifact, ArtifactStore } from '../../../authorization/stores/artifact-store.ts'
import { type ArtifactRow, artifactFromRow } from '../../rows/authorization-rows.ts'
import type { Handle, WriteDatabases } from '../engine/database.ts'

export class SqliteArtifactStore implements ArtifactStore {
  readonly #writer: Handle
  readonly #reader: Handle

  constructor(databases: WriteDatabases) {
    this.#writer = databases.writer
    this.#reader = databases.reader
  }

  async put({ kind, id, payload, authorizationId, alias, expiresAt }: Artifact): Promise<void> {
    const sql = `insert into artifact values (?, ?, ?, ?, ?, ?, null) on conflict (kind, id) do update set
      payload = excluded.payload, authorization_id = excluded.authorization_id, alias = excluded.alias,
      expires_at = excluded.expires_at`
    this.#writer.run(sql, kind, id, payload, authorizationId ?? null, alias ?? null, expiresAt)
  }

  async find(kind: string, id: string): Promise<Artifact | undefined> {
    const row = this.#reader.get<ArtifactRow>('select * from artifact where kind = ? and id = ?', kind, id)
    return row && artifactFromRow(row)
  }

  async findByAlias(kind: string, alias: string): Promise<Artifact | undefined> {
    const row = this.#reader.get<ArtifactRow>('select * from artifact where kind = ? and alias = ?', kind, alias)
    return row && artifactFromRow(row)
  }

  async consume(kind: string, id: string, at: number): Promise<boolean> {
    const sql = 'update artifact set consumed_at = ? where kind = ? and id = ? and consumed_at is null'
    return this.#writer.run(sql, at, kind, id) === 1
  }

  async remove(kind: string, id: string): Promise<void> {
    this.#writer.run('delete from artifact where kind = ? and id = ?', kind, id)
  }

  async removeByAuthorization(kind: string, authorizationId: string): Promise<void> {
    this.#writer.run('delete from artifact where authorization_id = ? and kind = ?', authorizationId, kind)
  }

  async sweep(before: number, limit: number): Promise<number> {
    const sql = `delete from artifact where (kind, id) in
      (select kind, id from artifact where expires_at < ? order by expires_at limit ?)`
    return this.#writer.run(sql, before, limit)
  }
}
