export interface SignInLink {
  /** SHA-256 of the secret in the link. */
  readonly hash: Uint8Array
  readonly subjectId: string
  readonly createdAt: number
  readonly expiresAt: number
}

/** What proves that somebody is the owner. */
export interface CredentialStore {
  /** The password's argon2id hash in PHC form. */
  passwordHash(subjectId: string): Promise<string | undefined>
  savePasswordHash(subjectId: string, hash: string, at: number): Promise<void>
  /** Also drops links that have ended, and the oldest beyond `most`. */
  createLink(link: SignInLink, most: number): Promise<void>
  /** One that has ended is dropped when it is asked for. */
  findLink(hash: Uint8Array, now: number): Promise<SignInLink | undefined>
  /** The link, for exactly one of those who ask at the same time. */
  takeLink(hash: Uint8Array, now: number): Promise<SignInLink | undefined>
  removeLinks(subjectId: string): Promise<void>
}
