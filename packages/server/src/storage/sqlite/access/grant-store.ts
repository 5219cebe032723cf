import type { Grant } from '@pdpp/protocol'
import type { AccessListQuery, GrantStore, GrantWidening, StoredGrant } from '../../../grants/grant-store.ts'
import { storedJson } from '../../../lib/stored-json.ts'
import { GRANT_COLUMNS, type GrantRow, storedGrant } from '../../rows/grant-rows.ts'
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

interface FirstRow {
  grant_id: string
  package_id: string | null
}

/** Undoes the transaction of a widening. */
class ChangedMeanwhile extends Error {}

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

  async list(subjectId: string, query: AccessListQuery): Promise<StoredGrant[]> {
    const { limit, before, clientId, unrevoked = false } = query
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
    return this.#writer.transaction(() => this.#replace(subjectId, grantId, grant, at))
  }

  async widen(subjectId: string, widening: GrantWidening, at: number): Promise<boolean> {
    const { of, had, replaced, added, becomes } = widening
    try {
      return this.#writer.transaction(() => {
        this.#requireUnchanged(subjectId, of, had)
        for (const { grantId, grant } of replaced)
          if (!this.#replace(subjectId, grantId, grant, at)) throw new ChangedMeanwhile()
        const first = this.#firstOf(subjectId, of, replaced)
        if (added.length === 0) return true
        if ('grantId' in of) {
          if (!becomes || first.package_id !== null) throw new ChangedMeanwhile()
          this.#becomePackage(subjectId, first.grant_id, becomes, at)
        }
        for (const grant of added) this.#join(subjectId, grant, first.grant_id, at)
        return true
      })
    } catch (error) {
      if (error instanceof ChangedMeanwhile) return false
      throw error
    }
  }

  /** Without this check, two decisions at the same time could give a package two grants for one connection. */
  #requireUnchanged(subjectId: string, of: GrantWidening['of'], had: readonly string[]): void {
    const sql = `select g.grant_id from access_grant g left join package p
        on p.subject_id = g.subject_id and p.package_id = g.package_id
      where g.subject_id = ? and g.revoked_at is null and p.revoked_at is null`
    const ids =
      'grantId' in of
        ? this.#writer.column<string>(`${sql} and g.grant_id = ? and g.package_id is null`, subjectId, of.grantId)
        : this.#writer.column<string>(`${sql} and g.package_id = ?`, subjectId, of.packageId)
    if (ids.length !== had.length || !had.every((id) => ids.includes(id))) throw new ChangedMeanwhile()
  }

  /** The grant whose state the added grants get: the only one, or the first of the package. */
  #firstOf(subjectId: string, of: GrantWidening['of'], replaced: GrantWidening['replaced']) {
    const columns = 'select grant_id, package_id from access_grant where subject_id = ? and revoked_at is null'
    const current = 'grantId' in of ? replaced.find(({ grantId }) => grantId === of.grantId)?.grant.grant_id : undefined
    const row =
      'grantId' in of
        ? this.#writer.get<FirstRow>(`${columns} and grant_id = ?`, subjectId, current ?? of.grantId)
        : this.#writer.get<FirstRow>(
            `${columns} and package_id = ? order by package_order limit 1`,
            ...[subjectId, of.packageId],
          )
    if (!row) throw new ChangedMeanwhile()
    return row
  }

  /**
   * Makes the single grant the first member of a package. Tokens and approvals of the grant then belong to the package.
   */
  #becomePackage(subjectId: string, grantId: string, made: NonNullable<GrantWidening['becomes']>, at: number): void {
    const { packageId, clientId, clientName } = made
    this.#writer.run(
      'insert into package values (?, ?, ?, ?, ?, null)',
      subjectId,
      packageId,
      clientId,
      clientName ?? null,
      at,
    )
    const join = 'update access_grant set package_id = ?, package_order = 0 where subject_id = ? and grant_id = ?'
    this.#writer.run(join, packageId, subjectId, grantId)
    const token = `update token set kind = 'package', package_id = ?, grant_id = null where subject_id = ? and grant_id = ?`
    this.#writer.run(token, packageId, subjectId, grantId)
    // An approval keeps the id of the grant that it gave, which may have been replaced several times since.
    const approval = `with recursive was (id) as (values (@grantId) union
        select grant_id from access_grant join was on replaced_by = was.id where subject_id = @subjectId)
      update authorization set kind = 'package', package_id = @packageId, grant_id = null
        where subject_id = @subjectId and kind = 'grant' and grant_id in (select id from was)`
    this.#writer.run(approval, { subjectId, grantId, packageId })
  }

  #join(subjectId: string, grant: Grant, like: string, at: number): void {
    this.#insert(subjectId, grant, at)
    const join = `update access_grant set (consumed_at, paused_at, package_id, package_order) =
      (select f.consumed_at, f.paused_at, f.package_id, (select max(package_order) + 1 from access_grant o
        where o.subject_id = f.subject_id and o.package_id = f.package_id)
        from access_grant f where f.subject_id = @subjectId and f.grant_id = @like)
      where subject_id = @subjectId and grant_id = @added`
    this.#writer.run(join, { subjectId, like, added: grant.grant_id })
  }

  /** Call inside a transaction. */
  #replace(subjectId: string, grantId: string, grant: Grant, at: number): boolean {
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
  }

  #insert(subjectId: string, grant: Grant, at: number): void {
    this.#writer.run(INSERT, subjectId, grant.grant_id, grant.client.client_id, JSON.stringify(grant), at)
  }
}
