import { hash } from 'node:crypto'
import { type OwnerReferences, tokenText } from '../../tokens/owner-references.ts'
import type { Authorization, AuthorizationStore, RefreshToken } from '../stores/authorization-store.ts'
import { derivedSecret } from './secrets.ts'
import { ApprovalEnded } from './token-issuer.ts'

const LIFETIME_MS = 90 * 86_400_000
/**
 * For these milliseconds a used token returns its successor again, because hosts share one credential between processes
 * and retry.
 */
const GRACE_MS = 45_000
/** Max. successors to follow from a used token to the newest one. */
const MAX_WALK = 64

/** The refresh token does not exist or belongs to another client. */
export class RefreshRefused extends Error {
  override readonly name = 'RefreshRefused'
}

/**
 * Refresh tokens, rotated with each use (RFC 9700 section 4.14). A successor is derived from its predecessor with our
 * key, so concurrent requests get the same one although only hashes are stored. A used token that is sent again after
 * the grace period was copied by somebody, so the whole family ends.
 */
export class RefreshService {
  readonly #store: AuthorizationStore
  readonly #references: OwnerReferences
  readonly #key: Uint8Array
  readonly #log: (line: string) => void

  constructor(options: {
    store: AuthorizationStore
    references: OwnerReferences
    key: Uint8Array
    log: (line: string) => void
  }) {
    this.#store = options.store
    this.#references = options.references
    this.#key = options.key
    this.#log = options.log
  }

  async start(token: string, authorization: Authorization): Promise<void> {
    await this.#store.createRefreshToken(this.#row(token, authorization))
  }

  /** `check` throws if the request cannot be answered. It runs first, so that a refused client keeps its only token. */
  async rotate(
    token: string,
    clientId: string,
    check: (authorization: Authorization) => void,
  ): Promise<{ authorization: Authorization; refreshToken: string }> {
    const { row, authorization } = await this.#find(token, clientId)
    check(authorization)
    if (row.rotatedAt === undefined) {
      const successor = await this.#successor(token, authorization)
      if (await this.#store.rotate(row.hash, this.#row(successor, authorization), Date.now()))
        return { authorization, refreshToken: successor }
    } else if (Date.now() - row.rotatedAt > GRACE_MS) {
      await this.#store.revoke(authorization.authorizationId, Date.now())
      this.#log(`client ${clientId} sent a used refresh token again; its tokens were ended`)
      throw new ApprovalEnded('The refresh token was used before.')
    }
    return { authorization, refreshToken: await this.#head(token, authorization) }
  }

  /** Ends the approval that a refresh token belongs to (RFC 7009). False if the token is not this client's. */
  async revoke(token: string, clientId: string): Promise<boolean> {
    const row = await this.#store.findRefreshToken(hashOf(token))
    const authorization = row && (await this.#store.find(row.authorizationId))
    if (authorization?.clientId !== clientId) return false
    await this.#store.revoke(authorization.authorizationId, Date.now())
    return true
  }

  /** The client of a refresh token, even if the token has expired or was revoked. */
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
      // The newest token has no successor, so the approval ends with it, even if the clock is set back later.
      if (row.rotatedAt === undefined) await this.#store.revoke(authorization.authorizationId, Date.now())
      throw new ApprovalEnded('The refresh token has expired.')
    }
    return { row, authorization }
  }

  /** The newest token of the family. */
  async #head(token: string, authorization: Authorization): Promise<string> {
    let next = await this.#successor(token, authorization)
    for (let steps = 0; steps < MAX_WALK; steps++) {
      const row = await this.#store.findRefreshToken(hashOf(next))
      if (!row) break
      if (row.rotatedAt === undefined) return next
      next = await this.#successor(next, authorization)
    }
    throw new RefreshRefused('The refresh token has no successor.')
  }

  async #successor(token: string, { subjectId }: Authorization): Promise<string> {
    return tokenText(await this.#references.of(subjectId), derivedSecret(this.#key, 'refresh', token))
  }

  #row(token: string, { authorizationId, expiresAt }: Authorization): RefreshToken {
    const now = Date.now()
    const end = Math.min(now + LIFETIME_MS, expiresAt ?? Number.POSITIVE_INFINITY)
    return { hash: hashOf(token), authorizationId, createdAt: now, expiresAt: end, rotatedAt: undefined }
  }
}

const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')
