import type { CredentialStore, SignInLink } from '../../../sign-in/credential-store.ts'
import { type LinkRow, linkFromRow } from '../../rows/link-row.ts'
import type { Handle, WriteDatabases } from '../engine/database.ts'

export class SqliteCredentialStore implements CredentialStore {
  readonly #writer: Handle

  /** Uses the writer for reads too, because they are rare, and a command next to the server must see its own writes. */
  constructor({ writer }: WriteDatabases) {
    this.#writer = writer
  }

  async passwordHash(subjectId: string): Promise<string | undefined> {
    return this.#writer.get<{ hash: string }>('select hash from owner_password where subject_id = ?', subjectId)?.hash
  }

  async savePasswordHash(subjectId: string, hash: string, at: number): Promise<void> {
    const sql = `insert into owner_password values (?, ?, ?)
      on conflict (subject_id) do update set hash = excluded.hash, updated_at = excluded.updated_at`
    this.#writer.run(sql, subjectId, hash, at)
  }

  async createLink({ hash, subjectId, createdAt, expiresAt }: SignInLink, maxLinks: number): Promise<void> {
    this.#writer.transaction(() => {
      this.#writer.run('delete from sign_in_link where expires_at <= ?', createdAt)
      this.#writer.run(
        `delete from sign_in_link where hash in
          (select hash from sign_in_link where subject_id = ? order by created_at desc limit -1 offset ?)`,
        subjectId,
        maxLinks - 1,
      )
      this.#writer.run('insert into sign_in_link values (?, ?, ?, ?)', hash, subjectId, createdAt, expiresAt)
    })
  }

  async findLink(hash: Uint8Array, now: number): Promise<SignInLink | undefined> {
    this.#dropExpired(hash, now)
    const row = this.#writer.get<LinkRow>('select * from sign_in_link where hash = ?', hash)
    return row && linkFromRow(row)
  }

  async takeLink(hash: Uint8Array, now: number): Promise<SignInLink | undefined> {
    this.#dropExpired(hash, now)
    const row = this.#writer.get<LinkRow>('delete from sign_in_link where hash = ? returning *', hash)
    return row && linkFromRow(row)
  }

  /** Deletes an expired link, so that setting the clock back does not make it valid again. */
  #dropExpired(hash: Uint8Array, now: number): void {
    this.#writer.run('delete from sign_in_link where hash = ? and expires_at <= ?', hash, now)
  }

  async removeLinks(subjectId: string): Promise<void> {
    this.#writer.run('delete from sign_in_link where subject_id = ?', subjectId)
  }
}
