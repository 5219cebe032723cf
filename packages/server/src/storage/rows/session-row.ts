import type { StoredSession } from '../../sign-in/session-store.ts'

export interface SessionRow {
  hash: Uint8Array
  session_id: string
  subject_id: string
  method: 'password' | 'link'
  agent: string
  created_at: number
  seen_at: number
  expires_at: number
}

export function sessionFromRow(row: SessionRow): StoredSession {
  return {
    hash: row.hash,
    sessionId: row.session_id,
    subjectId: row.subject_id,
    method: row.method,
    agent: row.agent,
    createdAt: row.created_at,
    seenAt: row.seen_at,
    expiresAt: row.expires_at,
  }
}
