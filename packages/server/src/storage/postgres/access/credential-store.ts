import type { CredentialStore, SignInLink } from '../../../sign-in/credential-store.ts'
import { type LinkRow, linkFromRow } from '../../rows/link-row.ts'
import type { Database } from '../engine/database.ts'
import type { Owners } from '../installation/owners.ts'

const COLUMNS = `hash, (select subject_id from owner o where o.subject = sign_in_link.subject) subject_id, created_at, expires_at`

export class PostgresCredentialStore implements CredentialStore {
  readonly #database: Database
  readonly #owners: Owners

  constructor(database: Database, owners: Owners) {
    this.#database = database
    this.#owners = owners
  }

  async passwordHash(subjectId: string): Promise<string | undefined> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return
    return (await this.#database.column<string>('select hash from owner_password where subject = ?', subject))[0]
  }

  async savePasswordHash(subjectId: string, hash: string, at: number): Promise<void> {
    const sql = `insert into owner_password values (?, ?, ?)
      on conflict (subject) do update set hash = excluded.hash, updated_at = excluded.updated_at`
    await this.#database.write(sql, await this.#owners.require(subjectId), hash, at)
  }

  async createLink({ hash, subjectId, createdAt, expiresAt }: SignInLink, maxLinks: number): Promise<void> {
    const subject = await this.#owners.require(subjectId)
    await this.#database.transaction(async (session) => {
      await session.run('delete from sign_in_link where expires_at <= ?', createdAt)
      const surplus = `delete from sign_in_link where hash in
        (select hash from sign_in_link where subject = ? order by created_at desc offset ?)`
      await session.run(surplus, subject, maxLinks - 1)
      await session.run('insert into sign_in_link values (?, ?, ?, ?)', hash, subject, createdAt, expiresAt)
    })
  }

  async findLink(hash: Uint8Array, now: number): Promise<SignInLink | undefined> {
    await this.#dropExpired(hash, now)
    const row = await this.#database.get<LinkRow>(`select ${COLUMNS} from sign_in_link where hash = ?`, hash)
    return row && linkFromRow(row)
  }

  async takeLink(hash: Uint8Array, now: number): Promise<SignInLink | undefined> {
    await this.#dropExpired(hash, now)
    const row = await this.#database.get<LinkRow>(`delete from sign_in_link where hash = ? returning ${COLUMNS}`, hash)
    return row && linkFromRow(row)
  }

  /** Deletes an expired link, so that setting the clock back does not make it valid again. */
  async #dropExpired(hash: Uint8Array, now: number): Promise<void> {
    await this.#database.run('delete from sign_in_link where hash = ? and expires_at <= ?', hash, now)
  }

  async removeLinks(subjectId: string): Promise<void> {
    const subject = await this.#owners.find(subjectId)
    if (subject !== undefined) await this.#database.write('delete from sign_in_link where subject = ?', subject)
  }
}
