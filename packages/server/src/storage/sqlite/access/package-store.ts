import type { AccessListQuery } from '../../../grants/grant-store.ts'
import type { PackageStore, StoredPackage } from '../../../grants/packages/package-store.ts'
import { GRANT_COLUMNS, type GrantRow, PACKAGE_COLUMNS, type PackageRow, storedPackage } from '../../rows/grant-rows.ts'
import type { Handle, WriteDatabases } from '../engine/database.ts'
import { grantFromRow } from './grant-store.ts'

/** A package with the current state of its grants. Takes two indexed lookups. */
export function readPackage(handle: Handle, subjectId: string, packageId: string): StoredPackage | undefined {
  const sql = `select ${PACKAGE_COLUMNS} from package p where p.subject_id = ? and p.package_id = ?`
  const row = handle.get<PackageRow>(sql, subjectId, packageId)
  return row && fromRow(handle, subjectId, row)
}

function fromRow(handle: Handle, subjectId: string, row: PackageRow): StoredPackage {
  const sql = `select ${GRANT_COLUMNS} from access_grant g
    where g.subject_id = ? and g.package_id = ? order by g.package_order`
  const members = handle.all<GrantRow>(sql, subjectId, row.package_id)
  return storedPackage(
    row,
    members.map((member) => grantFromRow(handle, subjectId, member)),
  )
}

export class SqlitePackageStore implements PackageStore {
  readonly #writer: Handle
  readonly #reader: Handle

  constructor(databases: WriteDatabases) {
    this.#writer = databases.writer
    this.#reader = databases.reader
  }

  async create(
    subjectId: string,
    made: { packageId: string; clientId: string; clientName: string | undefined; grantIds: readonly string[] },
    at: number,
  ): Promise<boolean> {
    const { packageId, clientId, clientName, grantIds } = made
    const free = `select 1 from access_grant
      where subject_id = ? and grant_id = ? and package_id is null and revoked_at is null`
    const join = 'update access_grant set package_id = ?, package_order = ? where subject_id = ? and grant_id = ?'
    return this.#writer.transaction(() => {
      if (!grantIds.every((id) => this.#writer.get(free, subjectId, id))) return false
      const insert = 'insert into package values (?, ?, ?, ?, ?, null)'
      this.#writer.run(insert, subjectId, packageId, clientId, clientName ?? null, at)
      for (const [order, id] of grantIds.entries()) this.#writer.run(join, packageId, order, subjectId, id)
      return true
    })
  }

  async find(subjectId: string, packageId: string): Promise<StoredPackage | undefined> {
    return readPackage(this.#reader, subjectId, packageId)
  }

  async list(subjectId: string, query: AccessListQuery): Promise<StoredPackage[]> {
    const { limit, before, clientId, unrevoked = false } = query
    const sql = `select ${PACKAGE_COLUMNS} from package p where p.subject_id = @subjectId
      and (@before is null or (p.created_at, p.package_id) < (select created_at, package_id from package where subject_id = @subjectId and package_id = @before))
      and (@clientId is null or p.client_id = @clientId) and (@unrevoked = 0 or p.revoked_at is null)
      order by p.created_at desc, p.package_id desc limit @limit`
    return this.#reader
      .all<PackageRow>(sql, {
        subjectId,
        before: before ?? null,
        clientId: clientId ?? null,
        unrevoked: Number(unrevoked),
        limit,
      })
      .map((row) => fromRow(this.#reader, subjectId, row))
  }

  async revoke(subjectId: string, packageId: string, at: number): Promise<string[] | undefined> {
    const end = 'update package set revoked_at = ? where subject_id = ? and package_id = ? and revoked_at is null'
    const endMembers = `update access_grant set revoked_at = ?
      where subject_id = ? and package_id = ? and revoked_at is null returning grant_id`
    return this.#writer.transaction(() => {
      if (this.#writer.run(end, at, subjectId, packageId) === 0) return
      return this.#writer.all<{ grant_id: string }>(endMembers, at, subjectId, packageId).map((row) => row.grant_id)
    })
  }

  async pause(subjectId: string, packageId: string, at: number): Promise<boolean> {
    const sql = `update access_grant set paused_at = coalesce(paused_at, ?)
      where subject_id = ? and package_id = ? and revoked_at is null`
    return this.#writer.run(sql, at, subjectId, packageId) > 0
  }

  async resume(subjectId: string, packageId: string): Promise<boolean> {
    const sql =
      'update access_grant set paused_at = null where subject_id = ? and package_id = ? and revoked_at is null'
    return this.#writer.run(sql, subjectId, packageId) > 0
  }
}
