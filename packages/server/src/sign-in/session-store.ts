export interface StoredSession {
  /** SHA-256 of the secret in the cookie. The secret itself is never stored. */
  readonly hash: Uint8Array
  /** Public id, to list and end the session. It does not sign anybody in. */
  readonly sessionId: string
  readonly subjectId: string
  readonly method: 'password' | 'link'
  /** The browser's User-Agent, so that the owner recognises the session. */
  readonly agent: string
  readonly createdAt: number
  readonly seenAt: number
  /** The session ends then, even if it is in use. */
  readonly expiresAt: number
}

export interface SessionStore {
  /** Keeps at most `max` sessions of a subject and deletes those not seen for the longest time. */
  create(session: StoredSession, max: number): Promise<void>
  find(hash: Uint8Array): Promise<StoredSession | undefined>
  touch(hash: Uint8Array, at: number): Promise<void>
  /** Last seen first. */
  list(subjectId: string): Promise<StoredSession[]>
  remove(subjectId: string, sessionId: string): Promise<boolean>
  removeAll(subjectId: string): Promise<number>
  /** Deletes sessions that have expired or were not seen since `idleSince`. */
  sweep(now: number, idleSince: number): Promise<void>
}
