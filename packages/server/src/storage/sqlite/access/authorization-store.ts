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
import type { Handle, WriteDatabases } from '../engine/database.ts'

export class SqliteAuthorizationStore implements AuthorizationStore {
  readonly #writer: Handle

  constructor(databases: WriteDatabases) {
    this.#writer = databases.writer
  }

  async create(one: Authorization): Promise<void> {
    this.#writer.run(
      'insert into authorization values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, null)',
      one.authorizationId,
      one.subjectId,
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

  // Uses the writer, because a rotation must see the previous one, even in the same millisecond.
  async find(authorizationId: string): Promise<Authorization | undefined> {
    const sql = 'select * from authorization where authorization_id = ?'
    const row = this.#writer.get<AuthorizationRow>(sql, authorizationId)
    return row && authorizationFromRow(row)
  }

  async createRefreshToken(token: RefreshToken): Promise<void> {
    this.#insert(token)
  }

  async findRefreshToken(hash: Uint8Array): Promise<RefreshToken | undefined> {
    const row = this.#writer.get<RefreshTokenRow>('select * from refresh_token where hash = ?', hash)
    return row && refreshTokenFromRow(row)
  }

  async rotate(hash: Uint8Array, successor: RefreshToken, at: number): Promise<boolean> {
    return this.#writer.transaction(() => {
      const sql = 'update refresh_token set rotated_at = ? where hash = ? and rotated_at is null'
      if (this.#writer.run(sql, at, hash) !== 1) return false
      this.#insert(successor)
      return true
    })
  }

  async revoke(authorizationId: string, at: number): Promise<boolean> {
    return this.#writer.transaction(() => {
      const sql = 'update authorization set revoked_at = ? where authorization_id = ? and revoked_at is null'
      const ended = this.#writer.run(sql, at, authorizationId) === 1
      this.#revokeTokens('authorization_id = ?', at, authorizationId)
      return ended
    })
  }

  async revokeByClient(subjectId: string, clientId: string, at: number): Promise<number> {
    return this.#writer.transaction(() => {
      const where = 'subject_id = ? and client_id = ? and revoked_at is null'
      this.#revokeTokens(
        `grant_id is null and package_id is null and authorization_id in
          (select authorization_id from authorization where subject_id = ? and client_id = ?)`,
        at,
        subjectId,
        clientId,
      )
      return this.#writer.run(`update authorization set revoked_at = ? where ${where}`, at, subjectId, clientId)
    })
  }

  async fullAccess(subjectId: string, now: number): Promise<FullAccess[]> {
    const sql = `select a.client_id as clientId, min(t.created_at) as since, max(t.expires_at) as until
      from authorization a join token t on t.authorization_id = a.authorization_id
      where a.subject_id = ? and a.kind = 'owner' and a.revoked_at is null and t.revoked_at is null and t.expires_at > ?
      group by a.client_id order by since desc`
    return this.#writer.all<FullAccess>(sql, subjectId, now)
  }

  async sweep(before: number, limit: number): Promise<number> {
    const refresh = `delete from refresh_token where hash in
      (select hash from refresh_token where expires_at < ? order by expires_at limit ?)`
    const access = `delete from token where hash in (select hash from token
      where authorization_id is not null and expires_at < ? order by expires_at limit ?)`
    return this.#writer.run(refresh, before, limit) + this.#writer.run(access, before - EXPIRED_TOKEN_MS, limit)
  }

  #insert(token: RefreshToken): void {
    const sql = 'insert into refresh_token values (?, ?, ?, ?, null)'
    this.#writer.run(sql, token.hash, token.authorizationId, token.createdAt, token.expiresAt)
  }

  #revokeTokens(where: string, at: number, ...values: string[]): void {
    this.#writer.run(`update token set revoked_at = ? where revoked_at is null and ${where}`, at, ...values)
  }
}
