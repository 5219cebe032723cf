import { hash, randomBytes } from 'node:crypto'
import { PdppError } from '@pdpp/protocol'
import { addressKey, RateLimit } from '../lib/limits/rate-limit.ts'
import type { CredentialStore, SignInLink } from './credential-store.ts'
import { checkPassword, hashPassword, verifyPassword } from './password.ts'
import type { SessionService } from './session-service.ts'
import type { StoredSession } from './session-store.ts'

const MINUTE = 60_000
const LINK_MS = 10 * MINUTE
const MAX_LINKS = 20
/** Without a password, an owner who signed in within this time counts as proved. */
const RECENT_MS = 15 * MINUTE
const PASSWORD_ATTEMPTS = { count: 10, countForAll: 100, windowMs: 15 * MINUTE }
/** Links cannot be guessed, so this limit is high. It is separate, so that links work while passwords are blocked. */
const LINK_ATTEMPTS = { count: 60, countForAll: 10_000, windowMs: 15 * MINUTE }

export interface IssuedLink {
  /** The path of the link, without the origin. */
  readonly path: string
  readonly expiresAt: number
}

/** Signs the owner in, by password or by a link that only a user of this machine can make. */
export class SignInService {
  readonly #credentials: CredentialStore
  readonly #sessions: SessionService
  readonly #managed: boolean
  readonly #passwords = new RateLimit(PASSWORD_ATTEMPTS)
  readonly #links = new RateLimit(LINK_ATTEMPTS)

  /** `managed`: the password comes from PDPP_OWNER_PASSWORD and is changed there. */
  constructor(credentials: CredentialStore, sessions: SessionService, managed: boolean) {
    this.#credentials = credentials
    this.#sessions = sessions
    this.#managed = managed
  }

  get managed(): boolean {
    return this.#managed
  }

  async hasPassword(subjectId: string): Promise<boolean> {
    return (await this.#credentials.passwordHash(subjectId)) !== undefined
  }

  /** Answers alike and takes the same time, whether the password is wrong or none is set. */
  async isPassword(subjectId: string, password: string, address: string): Promise<boolean> {
    const key = addressKey(address)
    refuseAfter(this.#passwords.take(key))
    const right = await verifyPassword(password, await this.#credentials.passwordHash(subjectId))
    if (right) this.#passwords.forgive(key)
    return right
  }

  /**
   * True if the owner has proved to be present, so that nobody else can use an unlocked screen. The proof is the
   * password, or a recent sign-in if no password is set.
   */
  async isProved(
    subjectId: string,
    { password, address, session }: { password: string; address: string; session: StoredSession },
  ): Promise<boolean> {
    return (await this.hasPassword(subjectId)) ? this.isPassword(subjectId, password, address) : this.isRecent(session)
  }

  isRecent({ createdAt }: StoredSession, now = Date.now()): boolean {
    // If the clock was set back, an old session must not look recent.
    return now - createdAt < RECENT_MS && createdAt - now < MINUTE
  }

  /** Changes the password and ends every session and link, so that nobody stays signed in with the old password. */
  async setPassword(subjectId: string, password: string): Promise<void> {
    if (this.#managed)
      throw new PdppError('permission_error', 'The password comes from PDPP_OWNER_PASSWORD.', {
        nextStep: 'Change the variable and start the server again.',
      })
    await this.#save(subjectId, password)
  }

  /** Called at start with the password from the environment. */
  async adoptPassword(subjectId: string, password: string): Promise<void> {
    const stored = await this.#credentials.passwordHash(subjectId)
    if (stored !== undefined && (await verifyPassword(password, stored))) return
    await this.#save(subjectId, password)
  }

  async issueLink(subjectId: string, now = Date.now()): Promise<IssuedLink> {
    const secret = randomBytes(32).toString('base64url')
    const link = { hash: hashOf(secret), subjectId, createdAt: now, expiresAt: now + LINK_MS }
    await this.#credentials.createLink(link, MAX_LINKS)
    return { path: `/owner/sign-in/link/${secret}`, expiresAt: link.expiresAt }
  }

  /** Checks a link without using it up, because mail and chat programs fetch links ahead of the owner. */
  async linkWorks(secret: string, address: string, now = Date.now()): Promise<boolean> {
    refuseAfter(this.#links.take(addressKey(address)))
    return (await this.#credentials.findLink(hashOf(secret), now)) !== undefined
  }

  async useLink(secret: string, address: string, now = Date.now()): Promise<SignInLink | undefined> {
    refuseAfter(this.#links.take(addressKey(address)))
    return this.#credentials.takeLink(hashOf(secret), now)
  }

  async #save(subjectId: string, password: string): Promise<void> {
    const hashed = await hashPassword(checkPassword(password))
    await this.#credentials.savePasswordHash(subjectId, hashed, Date.now())
    await this.#credentials.removeLinks(subjectId)
    await this.#sessions.endAll(subjectId)
  }
}

function refuseAfter(seconds: number | undefined): void {
  if (seconds === undefined) return
  throw new PdppError('rate_limit_exceeded', 'Too many attempts to sign in.', {
    retryAfterSeconds: seconds,
    nextStep: 'Wait, or sign in with a link: `pdpp owner login` on the machine that runs the server prints one.',
  })
}

const hashOf = (secret: string): Buffer => hash('sha256', secret, 'buffer')
