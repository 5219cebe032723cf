import { hash, randomBytes } from 'node:crypto'
import { PdppError } from '@pdpp/protocol'
import { AttemptLimiter, addressKey } from '../lib/limits/attempt-limiter.ts'
import type { CredentialStore, SignInLink } from './credential-store.ts'
import { checkPassword, hashPassword, verifyPassword } from './password.ts'
import type { SessionService } from './session-service.ts'
import type { StoredSession } from './session-store.ts'

const MINUTE = 60_000
const LINK_MS = 10 * MINUTE
const MAX_LINKS = 20
/** How long after signing in somebody without a password may do what a session alone is not enough for. */
const RECENT_MS = 15 * MINUTE
const PASSWORD_ATTEMPTS = { perKey: 10, together: 100, windowMs: 15 * MINUTE }
/** A link cannot be guessed; this only keeps somebody from asking for ever. Links stay open when passwords are not. */
const LINK_ATTEMPTS = { perKey: 60, together: 10_000, windowMs: 15 * MINUTE }

export interface IssuedLink {
  /** The path of the link; the origin goes before it. */
  readonly path: string
  readonly expiresAt: number
}

/** How somebody shows that they are the owner: by password, or by a link that only this machine's user can make. */
export class SignInService {
  readonly #credentials: CredentialStore
  readonly #sessions: SessionService
  readonly #managed: boolean
  readonly #passwords = new AttemptLimiter(PASSWORD_ATTEMPTS)
  readonly #links = new AttemptLimiter(LINK_ATTEMPTS)

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

  /** The same answer, after the same time, whether the password is wrong or none is set. */
  async isPassword(subjectId: string, password: string, address: string): Promise<boolean> {
    const key = addressKey(address)
    refuseAfter(this.#passwords.attempt(key))
    const right = await verifyPassword(password, await this.#credentials.passwordHash(subjectId))
    if (right) this.#passwords.forgive(key)
    return right
  }

  /**
   * Whether it is the owner who sits there now, and not somebody at a screen that was left open: by the password, or
   * where none is set by having signed in just before.
   */
  async isProved(
    subjectId: string,
    { password, address, session }: { password: string; address: string; session: StoredSession },
  ): Promise<boolean> {
    return (await this.hasPassword(subjectId)) ? this.isPassword(subjectId, password, address) : this.isRecent(session)
  }

  isRecent({ createdAt }: StoredSession, now = Date.now()): boolean {
    // A clock that was set back makes nothing recent.
    return now - createdAt < RECENT_MS && createdAt - now < MINUTE
  }

  /** Ends every session and every open link: whoever had the old password is out. */
  async setPassword(subjectId: string, password: string): Promise<void> {
    if (this.#managed)
      throw new PdppError('permission_error', 'The password comes from PDPP_OWNER_PASSWORD.', {
        nextStep: 'Change the variable and start the server again.',
      })
    await this.#save(subjectId, password)
  }

  /** At start: what the environment says is the password. */
  async adoptPassword(subjectId: string, password: string): Promise<void> {
    if (await verifyPassword(password, await this.#credentials.passwordHash(subjectId))) return
    await this.#save(subjectId, password)
  }

  async issueLink(subjectId: string, now = Date.now()): Promise<IssuedLink> {
    const secret = randomBytes(32).toString('base64url')
    const link = { hash: hashOf(secret), subjectId, createdAt: now, expiresAt: now + LINK_MS }
    await this.#credentials.createLink(link, MAX_LINKS)
    return { path: `/owner/sign-in/link/${secret}`, expiresAt: link.expiresAt }
  }

  /** Whether a link would work, without using it up: programs that fetch links ahead must not. */
  async linkWorks(secret: string, address: string, now = Date.now()): Promise<boolean> {
    refuseAfter(this.#links.attempt(addressKey(address)))
    return (await this.#credentials.findLink(hashOf(secret), now)) !== undefined
  }

  async useLink(secret: string, address: string, now = Date.now()): Promise<SignInLink | undefined> {
    refuseAfter(this.#links.attempt(addressKey(address)))
    return this.#credentials.takeLink(hashOf(secret), now)
  }

  async #save(subjectId: string, password: string): Promise<void> {
    const hashed = await hashPassword(checkPassword(password))
    await this.#credentials.savePasswordHash(subjectId, hashed, Date.now())
    await this.#credentials.removeLinks(subjectId)
    await this.#sessions.endAll(subjectId)
  }
}

function refuseAfter(wait: number | undefined): void {
  if (wait === undefined) return
  throw new PdppError('rate_limit_exceeded', 'Too many attempts to sign in.', {
    retryAfterSeconds: Math.max(1, Math.ceil(wait / 1000)),
    nextStep: 'Wait, or sign in with a link: `pdpp owner login` on the machine that runs the server prints one.',
  })
}

const hashOf = (secret: string): Buffer => hash('sha256', secret, 'buffer')
