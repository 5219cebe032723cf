import { hash } from 'node:crypto'
import type { Authorization, AuthorizationStore, RefreshToken } from '../stores/authorization-store.ts'
import { derivedSecret } from './secrets.ts'
import { ApprovalEnded } from './token-issuer.ts'

const LIFETIME_MS = 90 * 86_400_000
/** Hosts share one credential between processes, and retry: for so long a used token gives its successor again. */
const GRACE_MS = 45_000
const MAX_WALK = 64

/** The refresh token is not one, or not this client's. */
export class RefreshRefused extends Error {
  override readonly name = 'RefreshRefused'
}

/**
 * Refresh tokens: rotated with each use (RFC 9700 section 4.14). A successor follows from its predecessor by our key,
 * so that those who race get the same one although only hashes are stored. A used token that comes back after the
 * grace was copied by somebody: the whole family ends.
 */
export class RefreshService {
  readonly #store: AuthorizationStore
  readonly #key: Uint8Array
  readonly #log: (line: string) => void

  constructor(options: { store: AuthorizationStore; key: Uint8Array; log: (line: string) => void }) {
    this.#store = options.store
    this.#key = options.key
    this.#log = options.log
  }

  async start(token: string, authorization: Authorization): Promise<void> {
    await this.#store.createRefreshToken(this.#row(token, authorization))
  }

  /** `check` refuses what cannot be answered before the token is used up: its holder has no other one to go on with. */
  async rotate(
    token: string,
    clientId: string,
    check: (authorization: Authorization) => void,
  ): Promise<{ authorization: Authorization; refreshToken: string }> {
    const { row, authorization } = await this.#find(token, clientId)
    check(authorization)
    if (row.rotatedAt === undefined) {
      const successor = this.#successor(token)
      if (await this.#store.rotate(row.hash, this.#row(successor, authorization), Date.now()))
        return { authorization, refreshToken: successor }
    } else if (Date.now() - row.rotatedAt > GRACE_MS) {
      await this.#store.revoke(authorization.authorizationId, Date.now())
      this.#log(`a used refresh token of client ${clientId} came back; its tokens were ended`)
      throw new ApprovalEnded('The refresh token was used before.')
    }
    return { authorization, refreshToken: await this.#head(token) }
  }

  /** Ends the approval that a refresh token belongs to (RFC 7009). False when it is none of this client's. */
  async revoke(token: string, clientId: string): Promise<boolean> {
    const row = await this.#store.findRefreshToken(hashOf(token))
    const authorization = row && (await this.#store.find(row.authorizationId))
    if (authorization?.clientId !== clientId) return false
    await this.#store.revoke(authorization.authorizationId, Date.now())
    return true
  }

  /** Whose refresh token this is, whatever state it is in. */
  async clientOf(token: string): Promise<string | undefined> {
    const row = await this.#store.findRefreshToken(hashOf(token))
    return row && (await this.#store.find(row.authorizationId))?.clientId
  }

  async #find(token: string, clientId: string): Promise<{ row: RefreshToken; authorization: Authorization }> {
    const row = await this.#store.findRefreshToken(hashOf(token))
    const authorization = row && (await this.#store.find(row.authorizationId))
    if (!authorization || authorization.clientId !== clientId)
      throw new RefreshRefused('There is no such refresh token.')
    if (authorization.revokedAt !== undefined) throw new ApprovalEnded('The approval was ended.')
    if (row.expiresAt <= Date.now()) {
      // Nothing comes after the newest one: the approval ends with it, also when the clock is set back.
      if (row.rotatedAt === undefined) await this.#store.revoke(authorization.authorizationId, Date.now())
      throw new ApprovalEnded('The refresh token has expired.')
    }
    return { row, authorization }
  }

  /** The newest of the family. */
  async #head(token: string): Promise<string> {
    let next = this.#successor(token)
    for (let steps = 0; steps < MAX_WALK; steps++) {
      const row = await this.#store.findRefreshToken(hashOf(next))
      if (!row) break
      if (row.rotatedAt === undefined) return next
      next = this.#successor(next)
    }
    throw new RefreshRefused('The refresh token has no successor.')
  }

  #successor(token: string): string {
    return `rt_${derivedSecret(this.#key, 'refresh', token)}`
  }

  #row(token: string, { authorizationId, expiresAt }: Authorization): RefreshToken {
    const now = Date.now()
    const end = Math.min(now + LIFETIME_MS, expiresAt ?? Number.POSITIVE_INFINITY)
    return { hash: hashOf(token), authorizationId, createdAt: now, expiresAt: end, rotatedAt: undefined }
  }
}

const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')
