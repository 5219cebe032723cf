import type { SessionStore, StoredSession } from '../../../sign-in/session-store.ts'
import { type SessionRow, sessionFromRow } from '../../rows/session-row.ts'
import type { Database } from '../engine/database.ts'
import type { Owners } from '../installation/owners.ts'

const SELECT = 'select s.*, o.subject_id from session s join owner o using (subject)'

export class PostgresSessionStore implements SessionStore {
  readonly #database: Database
  readonly #owners: Owners

  constructor(database: Database, owners: Owners) {
    this.#database = database
    this.#owners = owners
  }

  async create(session: StoredSession, maxSessions: number): Promise<void> {
    const { hash, sessionId, subjectId, method, agent, createdAt, seenAt, expiresAt } = session
    const subject = await this.#owners.require(subjectId)
    await this.#database.transaction(async (transaction) => {
      const sql = 'insert into session values (?, ?, ?, ?, ?, ?, ?, ?)'
      await transaction.run(sql, hash, sessionId, subject, method, agent, createdAt, seenAt, expiresAt)
      const surplus = `delete from session where subject = @subject and session_id in (select session_id from session
        where subject = @subject and session_id <> @sessionId order by seen_at desc offset @kept)`
      await transaction.run(surplus, { subject, sessionId, kept: maxSessions - 1 })
    })
  }

  async find(hash: Uint8Array): Promise<StoredSession | undefined> {
    const row = await this.#database.get<SessionRow>(`${SELECT} where s.hash = ?`, hash)
    return row && sessionFromRow(row)
  }

  async touch(hash: Uint8Array, at: number): Promise<void> {
    await this.#database.write('update session set seen_at = greatest(seen_at, ?) where hash = ?', at, hash)
  }

  async list(subjectId: string): Promise<StoredSession[]> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return []
    const sql = `${SELECT} where s.subject = ? order by s.seen_at desc, s.session_id`
    return (await this.#database.all<SessionRow>(sql, subject)).map(sessionFromRow)
  }

  async remove(subjectId: string, sessionId: string): Promise<boolean> {
    const subject = await this.#owners.find(subjectId)
    const sql = 'delete from session where subject = ? and session_id = ?'
    return subject !== undefined && (await this.#database.write(sql, subject, sessionId)) === 1
  }

  async removeAll(subjectId: string): Promise<number> {
    const subject = await this.#owners.find(subjectId)
    return subject === undefined ? 0 : this.#database.write('delete from session where subject = ?', subject)
  }

  async sweep(now: number, idleSince: number): Promise<void> {
    await this.#database.write('delete from session where expires_at <= ? or seen_at <= ?', now, idleSince)
  }
}
