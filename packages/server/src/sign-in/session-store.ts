export interface StoredSession {
  /** SHA-256 of the secret in the cookie: the secret itself is never stored. */
  readonly hash: Uint8Array
  /** Names the session to its owner; it opens nothing. */
  readonly sessionId: string
  readonly subjectId: string
  readonly method: 'password' | 'link'
  /** What the browser called itself, for the owner to recognise it. */
  readonly agent: string
  readonly createdAt: number
  readonly seenAt: number
  /** However busy it is, it ends then. */
  readonly expiresAt: number
}

export interface SessionStore {
  /** Keeps at most `most` sessions of a subject: those seen longest ago go first. */
  create(session: StoredSession, most: number): Promise<void>
  find(hash: Uint8Array): Promise<StoredSession | undefined>
  touch(hash: Uint8Array, at: number): Promise<void>
  /** Latest seen first. */
  list(subjectId: string): Promise<StoredSession[]>
  remove(subjectId: string, sessionId: string): Promise<boolean>
  removeAll(subjectId: string): Promise<number>
  /** Drops what has ended: past its end, or not seen since `idleSince`. */
  sweep(now: number, idleSince: number): Promise<void>
}
