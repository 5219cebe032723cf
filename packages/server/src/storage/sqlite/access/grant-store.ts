import type { Grant } from '@pdpp/protocol'
import type { GrantStore, StoredGrant } from '../../../grants/grant-store.ts'
import { storedJson } from '../../../lib/stored-json.ts'
import { GRANT_COLUMNS, type GrantRow, storedGrant } from '../../rows/grant-row.ts'
import type { Handle, WriteDatabases } from '../engine/database.ts'

/** A grant's body never changes, so it is parsed once. Its state is in columns that are read every time. */
export function grantFromRow(handle: Handle, subjectId: string, row: GrantRow): StoredGrant {
  const grant = handle.cachedForever(JSON.stringify(['grant', subjectId, row.grant_key]), () => {
    const sql = 'select body from access_grant where subject_id = ? and grant_id = ?'
    return storedJson<Grant>(handle.get<{ body: string }>(sql, subjectId, row.grant_key)!.body)
  })
  return storedGrant(row, grant)
}

const INSERT = 'insert into access_grant (subject_id, grant_id, client_id, body, created_at) values (?, ?, ?, ?, ?)'
const REVOKE = 'update access_grant set revoked_at = ? where subject_id = ? and grant_id = ? and revoked_at is null'

export class SqliteGrantStore implements GrantStore {
  readonly #writer: Handle
  readonly #reader: Handle

  constructor(databases: WriteDatabases) {
    this.#writer = databases.writer
    this.#reader = databases.reader
  }

  async create(subjectId: string, grant: Grant, at: number): Promise<void> {
    this.#insert(subjectId, grant, at)
  }

  async find(subjectId: string, grantId: string): Promise<StoredGrant | undefined> {
    const sql = `select ${GRANT_COLUMNS} from access_grant g where subject_id = ? and grant_id = ?`
    const row = this.#reader.get<GrantRow>(sql, subjectId, grantId)
    return row && grantFromRow(this.#reader, subjectId, row)
  }

  async list(
    subjectId: string,
    options: { limit: number; before?: string; clientId?: string; unrevoked?: boolean },
  ): Promise<StoredGrant[]> {
    const { limit, before, clientId, unrevoked = false } = options
    const sql = `select ${GRANT_COLUMNS} from access_grant g where g.subject_id = @subjectId
      and (@before is null or (g.created_at, g.grant_id) < (select created_at, grant_id from access_grant where subject_id = @subjectId and grant_id = @before))
      and (@clientId is null or g.client_id = @clientId) and (@unrevoked = 0 or g.revoked_at is null)
      order by g.created_at desc, g.grant_id desc limit @limit`
    return this.#reader
      .all<GrantRow>(sql, {
        subjectId,
        before: before ?? null,
        clientId: clientId ?? null,
        unrevoked: Number(unrevoked),
        limit,
      })
      .map((row) => grantFromRow(this.#reader, subjectId, row))
  }

  async revoke(subjectId: string, grantId: string, at: number): Promise<boolean> {
    return this.#writer.run(REVOKE, at, subjectId, grantId) === 1
  }

  async consume(subjectId: string, grantId: string, at: number): Promise<boolean> {
    const sql = 'update access_grant set consumed_at = ? where subject_id = ? and grant_id = ? and consumed_at is null'
    return this.#writer.run(sql, at, subjectId, grantId) === 1
  }

  async expire(subjectId: string, grantId: string, at: number): Promise<void> {
    const sql = 'update access_grant set expired_at = ? where subject_id = ? and grant_id = ? and expired_at is null'
    this.#writer.run(sql, at, subjectId, grantId)
  }

  async pause(subjectId: string, grantId: string, at: number): Promise<boolean> {
    const sql = `update access_grant set paused_at = coalesce(paused_at, ?)
      where subject_id = ? and grant_id = ? and revoked_at is null`
    return this.#writer.run(sql, at, subjectId, grantId) === 1
  }

  async resume(subjectId: string, grantId: string): Promise<boolean> {
    const sql = 'update access_grant set paused_at = null where subject_id = ? and grant_id = ? and revoked_at is null'
    return this.#writer.run(sql, subjectId, grantId) === 1
  }

  async replace(subjectId: string, grantId: string, grant: Grant, at: number): Promise<boolean> {
    return this.#writer.transaction(() => {
      if (this.#writer.run(REVOKE, at, subjectId, grantId) === 0) return false
      this.#insert(subjectId, grant, at)
      const pass = `update access_grant set (consumed_at, paused_at, expired_at, package_id, package_order) =
        (select consumed_at, paused_at, expired_at, package_id, package_order from access_grant where subject_id = @subjectId and grant_id = @old)
        where subject_id = @subjectId and grant_id = @new`
      this.#writer.run(pass, { subjectId, old: grantId, new: grant.grant_id })
      const leave = `update access_grant set replaced_by = ?, package_id = null, package_order = null
        where subject_id = ? and grant_id = ?`
      this.#writer.run(leave, grant.grant_id, subjectId, grantId)
      this.#writer.run(
        'update token set grant_id = ? where subject_id = ? and grant_id = ?',
        grant.grant_id,
        subjectId,
        grantId,
      )
      const follow = 'update event_subscription set grant_id = ?, moved = 1 where subject_id = ? and grant_id = ?'
      this.#writer.run(follow, grant.grant_id, subjectId, grantId)
      return true
    })
  }

  #insert(subjectId: string, grant: Grant, at: number): void {
    this.#writer.run(INSERT, subjectId, grant.grant_id, grant.client.client_id, JSON.stringify(grant), at)
  }
}
