import { hash, randomBytes } from 'node:crypto'
import { PdppError } from '@pdpp/protocol'
import type { Authority } from '../grants/authority.ts'
import type { StoredGrant } from '../grants/grant-store.ts'
import type { TokenStore } from './token-store.ts'

const OWNER_TOKEN_DAYS = 365

export interface IssuedToken {
  readonly accessToken: string
  readonly expiresAt: number | undefined
}

/** Opaque bearers: random, hashed at rest, looked up on every request together with their grant. */
export class TokenService {
  readonly #tokens: TokenStore

  constructor(tokens: TokenStore) {
    this.#tokens = tokens
  }

  issueOwner(subjectId: string, lifetimeMs = OWNER_TOKEN_DAYS * 86_400_000): Promise<IssuedToken> {
    return this.#issue({ subjectId, kind: 'owner', clientId: undefined, grantId: undefined }, Date.now() + lifetimeMs)
  }

  issueClient(
    subjectId: string,
    clientId: string,
    grantId: string,
    expiresAt: number | undefined,
  ): Promise<IssuedToken> {
    return this.#issue({ subjectId, kind: 'client', clientId, grantId }, expiresAt)
  }

  /** Who a bearer stands for. `refused` tells of a known client whose grant no longer holds. */
  async authenticate(
    bearer: string,
  ): Promise<
    { authority: Authority } | { refused: PdppError; subjectId: string; clientId: string | undefined; grantId: string }
  > {
    const found = await this.#tokens.find(hashToken(bearer))
    const now = Date.now()
    if (!found || found.token.revokedAt !== undefined) throw unauthenticated('The bearer token is unknown or revoked.')
    const { token, grant } = found
    if (token.kind === 'owner') {
      if (token.expiresAt !== undefined && token.expiresAt <= now)
        throw unauthenticated('The bearer token has expired.')
      return { authority: { kind: 'owner', subjectId: token.subjectId } }
    }
    // A grant that ended is told as such, also after its token ran out: a host must not start OAuth again for it.
    const refused = grantRefusal(grant, now)
    if (refused) return { refused, subjectId: token.subjectId, clientId: token.clientId, grantId: token.grantId! }
    if (token.expiresAt !== undefined && token.expiresAt <= now) throw unauthenticated('The bearer token has expired.')
    const { grant: body } = grant!
    return { authority: { kind: 'client', subjectId: token.subjectId, clientId: body.client.client_id, grant: body } }
  }

  async #issue(
    owner: { subjectId: string; kind: 'owner' | 'client'; clientId: string | undefined; grantId: string | undefined },
    expiresAt: number | undefined,
  ): Promise<IssuedToken> {
    const accessToken = `pdpp_${randomBytes(32).toString('base64url')}`
    await this.#tokens.create({
      ...owner,
      hash: hashToken(accessToken),
      createdAt: Date.now(),
      expiresAt,
      revokedAt: undefined,
    })
    return { accessToken, expiresAt }
  }
}

/** An absent grant means no: never a default. */
function grantRefusal(grant: StoredGrant | undefined, now: number): PdppError | undefined {
  if (!grant) return new PdppError('grant_invalid', 'The grant of this token does not exist.')
  if (grant.revokedAt !== undefined) return new PdppError('grant_revoked', 'The owner has revoked this grant.')
  const { expires_at: expiresAt } = grant.grant
  if (expiresAt !== null && Date.parse(expiresAt) <= now)
    return new PdppError('grant_expired', `This grant expired at ${expiresAt}.`)
  return
}

const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')

function unauthenticated(message: string): PdppError {
  return new PdppError('authentication_error', message)
}
