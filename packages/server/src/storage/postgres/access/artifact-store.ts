import type { Artifact, ArtifactStore } from '../../../authorization/stores/artifact-store.ts'
import { type ArtifactRow, artifactFromRow } from '../../rows/authorization-rows.ts'
import type { Database } from '../engine/database.ts'

export class PostgresArtifactStore implements ArtifactStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async put({ kind, id, payload, authorizationId, alias, expiresAt }: Artifact): Promise<void> {
    const sql = `insert into artifact values (?, ?, ?, ?, ?, ?, null) on conflict (kind, id) do update set
      payload = excluded.payload, authorization_id = excluded.authorization_id, alias = excluded.alias,
      expires_at = excluded.expires_at`
    await this.#database.write(sql, kind, id, payload, authorizationId ?? null, alias ?? null, expiresAt)
  }

  async find(kind: string, id: string): Promise<Artifact | undefined> {
    const sql = 'select * from artifact where kind = ? and id = ?'
    const row = await this.#database.get<ArtifactRow>(sql, kind, id)
    return row && artifactFromRow(row)
  }

  async findByAlias(kind: string, alias: string): Promise<Artifact | undefined> {
    const sql = 'select * from artifact where kind = ? and alias = ?'
    const row = await this.#database.get<ArtifactRow>(sql, kind, alias)
    return row && artifactFromRow(row)
  }

  async consume(kind: string, id: string, at: number): Promise<boolean> {
    const sql = 'update artifact set consumed_at = ? where kind = ? and id = ? and consumed_at is null'
    return (await this.#database.write(sql, at, kind, id)) === 1
  }

  async remove(kind: string, id: string): Promise<void> {
    await this.#database.write('delete from artifact where kind = ? and id = ?', kind, id)
  }

  async removeByAuthorization(kind: string, authorizationId: string): Promise<void> {
    await this.#database.write('delete from artifact where authorization_id = ? and kind = ?', authorizationId, kind)
  }

  async sweep(before: number, limit: number): Promise<number> {
    const sql = `delete from artifact where (kind, id) in
      (select kind, id from artifact where expires_at < ? order by expires_at limit ?)`
    return this.#database.write(sql, before, limit)
  }
}
