import type { Grant } from '@pdpp/protocol'
import type { GrantStore, StoredGrant } from '../../grants/grant-store.ts'
import type { Databases, Handle } from './database.ts'

export interface GrantRow {
  grant_key: string
  grant_created_at: number
  grant_revoked_at: number | null
  consumed_at: number | null
}

export const GRANT_COLUMNS =
  'g.grant_id grant_key, g.created_at grant_created_at, g.revoked_at grant_revoked_at, g.consumed_at'

/** Grants are immutable, so a body parses once; what can change stands in columns and is read every time. */
export function grantFromRow(handle: Handle, subjectId: string, row: GrantRow): StoredGrant {
  const grant = handle.parsed(JSON.stringify(['grant', subjectId, row.grant_key]), () => {
    const sql = 'select body from access_grant where subject_id = ? and grant_id = ?'
    return JSON.parse(handle.get<{ body: string }>(sql, subjectId, row.grant_key)!.body) as Grant
  })
  return {
    grant,
    createdAt: row.grant_created_at,
    revokedAt: row.grant_revoked_at ?? undefined,
    consumedAt: row.consumed_at ?? undefined,
  }
}

export class SqliteGrantStore implements GrantStore {
  readonly #writer: Handle
  readonly #reader: Handle

  constructor(databases: Databases) {
    this.#writer = databases.writer
    this.#reader = databases.reader
  }

  async create(subjectId: string, grant: Grant, at: number): Promise<void> {
    const sql = 'insert into access_grant values (?, ?, ?, ?, ?, null, null)'
    this.#writer.run(sql, subjectId, grant.grant_id, grant.client.client_id, JSON.stringify(grant), at)
  }

  async find(subjectId: string, grantId: string): Promise<StoredGrant | undefined> {
    const sql = `select ${GRANT_COLUMNS} from access_grant g where subject_id = ? and grant_id = ?`
    const row = this.#reader.get<GrantRow>(sql, subjectId, grantId)
    return row && grantFromRow(this.#reader, subjectId, row)
  }

  async list(
    subjectId: string,
    options: { limit: number; before?: string; clientId?: string },
  ): Promise<StoredGrant[]> {
    const { limit, before, clientId } = options
    const sql = `select ${GRANT_COLUMNS} from access_grant g where g.subject_id = @subjectId
      and (@before is null or (g.created_at, g.grant_id) < (select created_at, grant_id from access_grant where subject_id = @subjectId and grant_id = @before))
      and (@clientId is null or g.client_id = @clientId)
      order by g.created_at desc, g.grant_id desc limit @limit`
    return this.#reader
      .all<GrantRow>(sql, { subjectId, before: before ?? null, clientId: clientId ?? null, limit })
      .map((row) => grantFromRow(this.#reader, subjectId, row))
  }

  async revoke(subjectId: string, grantId: string, at: number): Promise<boolean> {
    const sql = 'update access_grant set revoked_at = ? where subject_id = ? and grant_id = ? and revoked_at is null'
    return this.#writer.run(sql, at, subjectId, grantId) === 1
  }

  async consume(subjectId: string, grantId: string, at: number): Promise<boolean> {
    const sql = 'update access_grant set consumed_at = ? where subject_id = ? and grant_id = ? and consumed_at is null'
    return this.#writer.run(sql, at, subjectId, grantId) === 1
  }
}
