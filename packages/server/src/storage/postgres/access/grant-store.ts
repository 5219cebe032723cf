import type { Grant } from '@pdpp/protocol'
import type { AccessListQuery, GrantStore, GrantWidening, StoredGrant } from '../../../grants/grant-store.ts'
import { LruCache } from '../../../lib/caches/lru-cache.ts'
import { storedJson } from '../../../lib/stored-json.ts'
import { GRANT_COLUMNS, type GrantRow, storedGrant } from '../../rows/grant-rows.ts'
import type { Database } from '../engine/database.ts'
import type { Session } from '../engine/session.ts'
import type { Owners } from '../installation/owners.ts'
import { ChangedMeanwhile, insertGrant, REVOKE, replace, widen } from './grant-changes.ts'

/** A grant's body never changes, so it is parsed once. Its state is in columns that are read every time. */
export class GrantBodies {
  readonly #known = new LruCache<string, Grant>(2000)

  /** Reads with one statement all grants whose body is not known yet. */
  async stored(session: Session, subject: number, rows: readonly GrantRow[]): Promise<StoredGrant[]> {
    const nameOf = ({ grant_key: id }: GrantRow) => `${subject} ${id}`
    const grants = new Map(rows.map((row) => [nameOf(row), this.#known.get(nameOf(row))]))
    const missing = rows.filter((row) => !grants.get(nameOf(row))).map(({ grant_key: id }) => id)
    if (missing.length > 0) {
      const sql = 'select grant_id, body from access_grant where subject = ? and grant_id = any(?)'
      for (const { grant_id: id, body } of await session.all<{ grant_id: string; body: string }>(
        sql,
        subject,
        missing,
      )) {
        const grant = storedJson<Grant>(body)
        grants.set(`${subject} ${id}`, this.#known.set(`${subject} ${id}`, grant))
      }
    }
    return rows.flatMap((row) => {
      const grant = grants.get(nameOf(row))
      return grant ? [storedGrant(row, grant)] : []
    })
  }
}

export class PostgresGrantStore implements GrantStore {
  readonly #database: Database
  readonly #owners: Owners
  readonly #bodies: GrantBodies

  constructor(database: Database, owners: Owners, bodies: GrantBodies) {
    this.#database = database
    this.#owners = owners
    this.#bodies = bodies
  }

  async create(subjectId: string, grant: Grant, at: number): Promise<void> {
    const subject = await this.#owners.require(subjectId)
    await this.#database.transaction((session) => insertGrant(session, subject, grant, at))
  }

  async find(subjectId: string, grantId: string): Promise<StoredGrant | undefined> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return
    const sql = `select ${GRANT_COLUMNS} from access_grant g where subject = ? and grant_id = ?`
    const rows = await this.#database.all<GrantRow>(sql, subject, grantId)
    return (await this.#bodies.stored(this.#database, subject, rows))[0]
  }

  async list(subjectId: string, query: AccessListQuery): Promise<StoredGrant[]> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return []
    const { limit, before = null, clientId = null, unrevoked = false } = query
    const sql = `select ${GRANT_COLUMNS} from access_grant g where g.subject = @subject
      and (@before::text is null or (g.created_at, g.grant_id) <
        (select created_at, grant_id from access_grant where subject = @subject and grant_id = @before))
      and (@clientId::text is null or g.client_id = @clientId) and (not @unrevoked::boolean or g.revoked_at is null)
      order by g.created_at desc, g.grant_id desc limit @limit`
    const rows = await this.#database.all<GrantRow>(sql, { subject, before, clientId, unrevoked, limit })
    return this.#bodies.stored(this.#database, subject, rows)
  }

  revoke(subjectId: string, grantId: string, at: number): Promise<boolean> {
    return this.#change(subjectId, REVOKE, at, grantId)
  }

  consume(subjectId: string, grantId: string, at: number): Promise<boolean> {
    const sql = 'update access_grant set consumed_at = ? where subject = ? and grant_id = ? and consumed_at is null'
    return this.#change(subjectId, sql, at, grantId)
  }

  async expire(subjectId: string, grantId: string, at: number): Promise<void> {
    const sql = 'update access_grant set expired_at = ? where subject = ? and grant_id = ? and expired_at is null'
    await this.#change(subjectId, sql, at, grantId)
  }

  pause(subjectId: string, grantId: string, at: number): Promise<boolean> {
    const sql = `update access_grant set paused_at = coalesce(paused_at, ?)
      where subject = ? and grant_id = ? and revoked_at is null`
    return this.#change(subjectId, sql, at, grantId)
  }

  resume(subjectId: string, grantId: string): Promise<boolean> {
    const sql = 'update access_grant set paused_at = ? where subject = ? and grant_id = ? and revoked_at is null'
    return this.#change(subjectId, sql, null, grantId)
  }

  async replace(subjectId: string, grantId: string, grant: Grant, at: number): Promise<boolean> {
    const subject = await this.#owners.require(subjectId)
    return this.#database.transaction((session) => replace(session, subject, grantId, grant, at))
  }

  async widen(subjectId: string, widening: GrantWidening, at: number): Promise<boolean> {
    const subject = await this.#owners.require(subjectId)
    return this.#database
      .transaction((session) => widen(session, subject, widening, at))
      .catch((error: unknown) => {
        if (error instanceof ChangedMeanwhile) return false
        throw error
      })
  }

  async #change(subjectId: string, sql: string, at: number | null, grantId: string): Promise<boolean> {
    const subject = await this.#owners.find(subjectId)
    return subject !== undefined && (await this.#database.write(sql, at, subject, grantId)) === 1
  }
}
