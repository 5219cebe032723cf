import type { AccessListQuery } from '../../../grants/grant-store.ts'
import type { PackageStore, StoredPackage } from '../../../grants/packages/package-store.ts'
import { GRANT_COLUMNS, type GrantRow, PACKAGE_COLUMNS, type PackageRow, storedPackage } from '../../rows/grant-rows.ts'
import type { Database } from '../engine/database.ts'
import type { Session } from '../engine/session.ts'
import type { Owners } from '../installation/owners.ts'
import type { GrantBodies } from './grant-store.ts'

/** Packages with the current state of their grants. */
export async function storedPackages(
  session: Session,
  bodies: GrantBodies,
  subject: number,
  rows: readonly PackageRow[],
): Promise<StoredPackage[]> {
  if (rows.length === 0) return []
  const sql = `select ${GRANT_COLUMNS} from access_grant g
    where g.subject = ? and g.package_id = any(?) order by g.package_order`
  const ids = rows.map(({ package_id: id }) => id)
  const members = await bodies.stored(session, subject, await session.all<GrantRow>(sql, subject, ids))
  return rows.map((row) =>
    storedPackage(
      row,
      members.filter(({ packageId }) => packageId === row.package_id),
    ),
  )
}

export class PostgresPackageStore implements PackageStore {
  readonly #database: Database
  readonly #owners: Owners
  readonly #bodies: GrantBodies

  constructor(database: Database, owners: Owners, bodies: GrantBodies) {
    this.#database = database
    this.#owners = owners
    this.#bodies = bodies
  }

  async create(
    subjectId: string,
    made: { packageId: string; clientId: string; clientName: string | undefined; grantIds: readonly string[] },
    at: number,
  ): Promise<boolean> {
    const { packageId, clientId, clientName, grantIds } = made
    const subject = await this.#owners.require(subjectId)
    const free = `select grant_id from access_grant
      where subject = ? and grant_id = any(?) and package_id is null and revoked_at is null for update`
    const join = `update access_grant g set package_id = ?, package_order = x.at - 1
      from unnest(?::text[]) with ordinality x(grant_id, at) where g.subject = ? and g.grant_id = x.grant_id`
    return this.#database.transaction(async (session) => {
      const found = new Set(await session.column<string>(free, subject, grantIds))
      if (!grantIds.every((id) => found.has(id))) return false
      const insert = 'insert into package values (?, ?, ?, ?, ?, null)'
      await session.run(insert, subject, packageId, clientId, clientName ?? null, at)
      await session.run(join, packageId, grantIds, subject)
      return true
    })
  }

  async find(subjectId: string, packageId: string): Promise<StoredPackage | undefined> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return
    const sql = `select ${PACKAGE_COLUMNS} from package p where p.subject = ? and p.package_id = ?`
    const rows = await this.#database.all<PackageRow>(sql, subject, packageId)
    return (await storedPackages(this.#database, this.#bodies, subject, rows))[0]
  }

  async list(subjectId: string, query: AccessListQuery): Promise<StoredPackage[]> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return []
    const { limit, before = null, clientId = null, unrevoked = false } = query
    const sql = `select ${PACKAGE_COLUMNS} from package p where p.subject = @subject
      and (@before::text is null or (p.created_at, p.package_id) <
        (select created_at, package_id from package where subject = @subject and package_id = @before))
      and (@clientId::text is null or p.client_id = @clientId) and (not @unrevoked::boolean or p.revoked_at is null)
      order by p.created_at desc, p.package_id desc limit @limit`
    const rows = await this.#database.all<PackageRow>(sql, { subject, before, clientId, unrevoked, limit })
    return storedPackages(this.#database, this.#bodies, subject, rows)
  }

  async revoke(subjectId: string, packageId: string, at: number): Promise<string[] | undefined> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return
    const end = 'update package set revoked_at = ? where subject = ? and package_id = ? and revoked_at is null'
    const endMembers = `update access_grant set revoked_at = ?
      where subject = ? and package_id = ? and revoked_at is null returning grant_id`
    return this.#database.transaction(async (session) => {
      if ((await session.run(end, at, subject, packageId)) === 0) return
      return session.column<string>(endMembers, at, subject, packageId)
    })
  }

  async pause(subjectId: string, packageId: string, at: number): Promise<boolean> {
    const sql = `update access_grant set paused_at = coalesce(paused_at, ?)
      where subject = ? and package_id = ? and revoked_at is null`
    const subject = await this.#owners.find(subjectId)
    return subject !== undefined && (await this.#database.write(sql, at, subject, packageId)) > 0
  }

  async resume(subjectId: string, packageId: string): Promise<boolean> {
    const sql = 'update access_grant set paused_at = null where subject = ? and package_id = ? and revoked_at is null'
    const subject = await this.#owners.find(subjectId)
    return subject !== undefined && (await this.#database.write(sql, subject, packageId)) > 0
  }
}
