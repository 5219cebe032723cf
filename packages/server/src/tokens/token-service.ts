import { hash, randomBytes } from 'node:crypto'
import { PdppError } from '@pdpp/protocol'
import type { Authority } from '../grants/authority.ts'
import type { GrantStore } from '../grants/grant-store.ts'
import { packageAuthority } from '../grants/packages/package-authority.ts'
import { grantRefusal, grantStatus } from '../grants/refusal.ts'
import type { Audience, FoundToken, StoredToken, TokenStore } from './token-store.ts'

const OWNER_TOKEN_DAYS = 365
const EVERYWHERE: readonly Audience[] = ['mcp', 'mcp/developer', 'v1']

export interface IssuedToken {
  readonly accessToken: string
  readonly expiresAt: number | undefined
}

export interface TokenTerms {
  /** When the token itself ends; its grants may end earlier. */
  readonly expiresAt?: number | undefined
  /** Everywhere unless said otherwise: the owner made it by hand, and no client named a place. */
  readonly audience?: readonly Audience[] | undefined
}

/** Somebody known whose rights no longer hold: told why, and written down. */
export interface Refused {
  readonly refused: PdppError
  readonly subjectId: string
  readonly clientId: string | undefined
  /** The grant, or the package where it is refused as a whole. */
  readonly accessId: string
}

/** Opaque bearers: random, hashed at rest, looked up on every request together with what they stand for. */
export class TokenService {
  readonly #tokens: TokenStore
  readonly #grants: Pick<GrantStore, 'expire'>

  constructor(tokens: TokenStore, grants: Pick<GrantStore, 'expire'>) {
    this.#tokens = tokens
    this.#grants = grants
  }

  issueOwner(subjectId: string, lifetimeMs = OWNER_TOKEN_DAYS * 86_400_000): Promise<IssuedToken> {
    return this.#issue({ subjectId, kind: 'owner' }, { expiresAt: Date.now() + lifetimeMs })
  }

  issueClient(subjectId: string, clientId: string, grantId: string, terms: TokenTerms = {}): Promise<IssuedToken> {
    return this.#issue({ subjectId, kind: 'client', clientId, grantId }, terms)
  }

  issuePackage(subjectId: string, clientId: string, packageId: string, terms: TokenTerms = {}): Promise<IssuedToken> {
    return this.#issue({ subjectId, kind: 'package', clientId, packageId }, terms)
  }

  /** Keeps a bearer that the authorization server made. */
  async record(bearer: string, token: Omit<StoredToken, 'hash' | 'createdAt' | 'revokedAt'>): Promise<void> {
    await this.#tokens.create({ ...token, hash: hashToken(bearer), createdAt: Date.now(), revokedAt: undefined })
  }

  /** A token with what it stands for, whatever state it is in. */
  find(bearer: string): Promise<FoundToken | undefined> {
    return this.#tokens.find(hashToken(bearer))
  }

  /** Ends a token and leaves its grant (RFC 7009). False when there was nothing to end. */
  revoke(bearer: string): Promise<boolean> {
    return this.#tokens.revoke(hashToken(bearer), Date.now())
  }

  /** Who a bearer stands for, at the place where it was shown. */
  async authenticate(bearer: string, audience: Audience): Promise<{ authority: Authority } | Refused> {
    const found = await this.#tokens.find(hashToken(bearer))
    if (!found || wasRevoked(found.token)) throw unknownToken()
    // The owner's is told apart where it is not taken, wherever that is (000.3).
    if (found.token.kind !== 'owner' && !found.token.audience.includes(audience))
      throw wrongAudience(found.token, audience)
    const now = Date.now()
    await this.#noteExpired(found, now)
    const resolved = resolve(found, now)
    // A grant that ended is told as such, also after its token ran out: a host must not start OAuth again for it.
    if ('refused' in resolved) return resolved
    const { expiresAt, revokedAt, hash: tokenHash } = found.token
    if (expiresAt === undefined || (expiresAt > now && revokedAt === undefined)) return resolved
    // Once told, it stays so: a clock that is set back does not give the token back.
    if (revokedAt === undefined) await written(this.#tokens.revoke(tokenHash, now))
    throw unauthenticated('The bearer token has expired.')
  }

  /** The first refusal as expired is written down, so that it holds when the clock is set back. */
  async #noteExpired({ token: { subjectId }, grant, package: found }: FoundToken, now: number): Promise<void> {
    for (const stored of [...(grant ? [grant] : []), ...(found?.members ?? [])]) {
      if (stored.expiredAt === undefined && grantStatus(stored, now) === 'expired')
        await written(this.#grants.expire(subjectId, stored.grant.grant_id, now))
    }
  }

  async #issue(
    owner: Pick<StoredToken, 'subjectId' | 'kind'> & Partial<Pick<StoredToken, 'clientId' | 'grantId' | 'packageId'>>,
    { expiresAt, audience = EVERYWHERE }: TokenTerms,
  ): Promise<IssuedToken> {
    const accessToken = `pdpp_${randomBytes(32).toString('base64url')}`
    const { subjectId, kind, clientId, grantId, packageId } = owner
    await this.#tokens.create({
      hash: hashToken(accessToken),
      subjectId,
      kind,
      clientId,
      grantId,
      packageId,
      audience,
      createdAt: Date.now(),
      expiresAt,
      revokedAt: undefined,
    })
    return { accessToken, expiresAt }
  }
}

function resolve({ token, grant, package: found }: FoundToken, now: number): { authority: Authority } | Refused {
  const { subjectId, clientId } = token
  if (token.kind === 'owner') return { authority: { kind: 'owner', subjectId } }
  if (token.kind === 'package') {
    const authority = packageAuthority(subjectId, found, now)
    if (!(authority instanceof PdppError)) return { authority }
    return { refused: authority, subjectId, clientId, accessId: token.packageId! }
  }
  const refused = grantRefusal(grant, now)
  if (refused) return { refused, subjectId, clientId, accessId: token.grantId! }
  const { grant: body } = grant!
  return { authority: { kind: 'client', subjectId, clientId: body.client.client_id, grant: body } }
}

/** Where nothing can be written, as on a full disk, the refusal still stands. */
async function written(note: Promise<unknown>): Promise<void> {
  await note.catch(() => undefined)
}

/** What ended at or after its own end had expired before: that is told in another way. */
function wasRevoked({ revokedAt, expiresAt }: StoredToken): boolean {
  return revokedAt !== undefined && !(expiresAt !== undefined && revokedAt >= expiresAt)
}

const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')

/** Also of what cannot be a token of ours: a wrong one is not a missing one (RFC 6750 section 3.1). */
export const unknownToken = (): PdppError => unauthenticated('The bearer token is unknown or revoked.')

function unauthenticated(message: string, nextStep?: string): PdppError {
  return new PdppError('authentication_error', message, {
    challenge: 'invalid_token',
    ...(nextStep === undefined ? {} : { nextStep }),
  })
}

/** RFC 6750 section 3.1: a token for another place is an invalid one here. */
function wrongAudience({ audience }: StoredToken, asked: Audience): PdppError {
  const here = `/${asked}`
  const there = audience.map((place) => `/${place}`).join(' and ')
  return unauthenticated(
    `This token is for ${there}, not for ${here}.`,
    'Use it at its own address, or ask the owner for a token that works here.',
  )
}
