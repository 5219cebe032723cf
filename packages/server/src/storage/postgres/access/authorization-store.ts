import type {
  Authorization,
  AuthorizationStore,
  FullAccess,
  RefreshToken,
} from '../../../authorization/stores/authorization-store.ts'
import {
  type AuthorizationRow,
  authorizationFromRow,
  EXPIRED_TOKEN_MS,
  type RefreshTokenRow,
  refreshTokenFromRow,
} from '../../rows/authorization-rows.ts'
import type { Database } from '../engine/database.ts'
import type { Session } from '../engine/session.ts'
import type { Owners } from '../installation/owners.ts'

export class PostgresAuthorizationStore implements AuthorizationStore {
  readonly #database: Database
  readonly #owners: Owners

  constructor(database: Database, owners: Owners) {
    this.#database = database
    this.#owners = owners
  }

  async create(one: Authorization): Promise<void> {
    await this.#database.write(
      'insert into "authorization" values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, null)',
      one.authorizationId,
      await this.#owners.require(one.subjectId),
      one.clientId,
      one.kind,
      one.grantId ?? null,
      one.packageId ?? null,
      one.audiences.join(' '),
      one.singleUse ? 1 : 0,
      one.createdAt,
      one.expiresAt ?? null,
    )
  }

  async find(authorizationId: string): Promise<Authorization | undefined> {
    const sql =
      'select a.*, o.subject_id from "authorization" a join owner o using (subject) where authorization_id = ?'
    const row = await this.#database.get<AuthorizationRow>(sql, authorizationId)
    return row && authorizationFromRow(row)
  }

  async createRefreshToken(token: RefreshToken): Promise<void> {
    await this.#database.transaction((session) => insert(session, token))
  }

  async findRefreshToken(hash: Uint8Array): Promise<RefreshToken | undefined> {
    const row = await this.#database.get<RefreshTokenRow>('select * from refresh_token where hash = ?', hash)
    return row && refreshTokenFromRow(row)
  }

  async rotate(hash: Uint8Array, successor: RefreshToken, at: number): Promise<boolean> {
    return this.#database.transaction(async (session) => {
      const sql = 'update refresh_token set rotated_at = ? where hash = ? and rotated_at is null'
      if ((await session.run(sql, at, hash)) !== 1) return false
      await insert(session, successor)
      return true
    })
  }

  async revoke(authorizationId: string, at: number): Promise<boolean> {
    return this.#database.transaction(async (session) => {
      const sql = 'update "authorization" set revoked_at = ? where authorization_id = ? and revoked_at is null'
      const ended = (await session.run(sql, at, authorizationId)) === 1
      await revokeTokens(session, 'authorization_id = ?', at, authorizationId)
      return ended
    })
  }

  async revokeByClient(subjectId: string, clientId: string, at: number): Promise<number> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return 0
    return this.#database.transaction(async (session) => {
      const where = 'subject = ? and client_id = ? and revoked_at is null'
      const full = `grant_id is null and package_id is null and authorization_id in
        (select authorization_id from "authorization" where subject = ? and client_id = ?)`
      await revokeTokens(session, full, at, subject, clientId)
      return session.run(`update "authorization" set revoked_at = ? where ${where}`, at, subject, clientId)
    })
  }

  async fullAccess(subjectId: string, now: number): Promise<FullAccess[]> {
    const sql = `select a.client_id "clientId", min(t.created_at) since, max(t.expires_at) until
      from "authorization" a join token t on t.authorization_id = a.authorization_id
      where a.subject = ? and a.kind = 'owner' and a.revoked_at is null and t.revoked_at is null and t.expires_at > ?
      group by a.client_id order by since desc`
    const subject = await this.#owners.find(subjectId)
    return subject === undefined ? [] : this.#database.all<FullAccess>(sql, subject, now)
  }

  async sweep(before: number, limit: number): Promise<number> {
    const refresh = `delete from refresh_token where hash in
      (select hash from refresh_token where expires_at < ? order by expires_at limit ?)`
    const access = `delete from token where hash in (select hash from token
      where authorization_id is not null and expires_at < ? order by expires_at limit ?)`
    const swept = await this.#database.write(refresh, before, limit)
    return swept + (await this.#database.write(access, before - EXPIRED_TOKEN_MS, limit))
  }
}

async function insert(session: Session, token: RefreshToken): Promise<void> {
  const sql = 'insert into refresh_token values (?, ?, ?, ?, null)'
  await session.run(sql, token.hash, token.authorizationId, token.createdAt, token.expiresAt)
}

async function revokeTokens(session: Session, where: string, at: number, ...values: unknown[]): Promise<void> {
  await session.run(`update token set revoked_at = ? where revoked_at is null and ${where}`, at, ...values)
}
