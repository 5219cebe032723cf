export interface SignInLink {
  /** SHA-256 of the secret in the link. */
  readonly hash: Uint8Array
  readonly subjectId: string
  readonly createdAt: number
  readonly expiresAt: number
}

/** The owner's password and sign-in links. */
export interface CredentialStore {
  /** The password's argon2id hash in PHC form. */
  passwordHash(subjectId: string): Promise<string | undefined>
  savePasswordHash(subjectId: string, hash: string, at: number): Promise<void>
  /** Deletes expired links first, and the oldest if there are more than `max`. */
  createLink(link: SignInLink, max: number): Promise<void>
  /** Deletes the link if it has expired. */
  findLink(hash: Uint8Array, now: number): Promise<SignInLink | undefined>
  /** Uses up the link. Atomic: returns it to exactly one of several concurrent callers. */
  takeLink(hash: Uint8Array, now: number): Promise<SignInLink | undefined>
  removeLinks(subjectId: string): Promise<void>
}
