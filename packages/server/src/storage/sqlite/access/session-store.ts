import type { SessionStore, StoredSession } from '../../../sign-in/session-store.ts'
import { type SessionRow, sessionFromRow } from '../../rows/session-row.ts'
import type { Handle, WriteDatabases } from '../engine/database.ts'

export class SqliteSessionStore implements SessionStore {
  readonly #writer: Handle
  readonly #reader: Handle

  constructor(databases: WriteDatabases) {
    this.#writer = databases.writer
    this.#reader = databases.reader
  }

  async create(session: StoredSession, maxSessions: number): Promise<void> {
    const { hash, sessionId, subjectId, method, agent, createdAt, seenAt, expiresAt } = session
    this.#writer.transaction(() => {
      const sql = 'insert into session values (?, ?, ?, ?, ?, ?, ?, ?)'
      this.#writer.run(sql, hash, sessionId, subjectId, method, agent, createdAt, seenAt, expiresAt)
      this.#writer.run(
        `delete from session where session_id in (select session_id from session where subject_id = ?
          and session_id <> ? order by seen_at desc limit -1 offset ?)`,
        subjectId,
        sessionId,
        maxSessions - 1,
      )
    })
  }

  async find(hash: Uint8Array): Promise<StoredSession | undefined> {
    const row = this.#reader.get<SessionRow>('select * from session where hash = ?', hash)
    return row && sessionFromRow(row)
  }

  async touch(hash: Uint8Array, at: number): Promise<void> {
    this.#writer.run('update session set seen_at = max(seen_at, ?) where hash = ?', at, hash)
  }

  async list(subjectId: string): Promise<StoredSession[]> {
    const sql = 'select * from session where subject_id = ? order by seen_at desc, session_id'
    return this.#reader.all<SessionRow>(sql, subjectId).map(sessionFromRow)
  }

  async remove(subjectId: string, sessionId: string): Promise<boolean> {
    return this.#writer.run('delete from session where subject_id = ? and session_id = ?', subjectId, sessionId) === 1
  }

  async removeAll(subjectId: string): Promise<number> {
    return this.#writer.run('delete from session where subject_id = ?', subjectId)
  }

  async sweep(now: number, idleSince: number): Promise<void> {
    this.#writer.run('delete from session where expires_at <= ? or seen_at <= ?', now, idleSince)
  }
}
