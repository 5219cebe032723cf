import { hash, randomBytes } from 'node:crypto'
import { PdppError } from '@pdpp/protocol'
import type { Authority } from '../grants/authority.ts'
import type { GrantStore } from '../grants/grant-store.ts'
import { packageAuthority } from '../grants/packages/package-authority.ts'
import { grantRefusal, grantStatus } from '../grants/refusal.ts'
import { OwnerReferences, referenceIn, tokenText } from './owner-references.ts'
import type { Audience, FoundToken, StoredToken, TokenStore } from './token-store.ts'

const OWNER_TOKEN_DAYS = 365
const EVERYWHERE: readonly Audience[] = ['mcp', 'mcp/developer', 'v1']

export interface IssuedToken {
  readonly accessToken: string
  readonly expiresAt: number | undefined
}

export interface TokenTerms {
  /** When the token expires. Its grants may expire earlier. */
  readonly expiresAt?: number | undefined
  /** Audiences that accept the token. All by default, because the owner created it directly and named none. */
  readonly audience?: readonly Audience[] | undefined
}

/** A known client whose access has ended. It learns why, and the refusal gets a receipt. */
export interface Refused {
  readonly refused: PdppError
  readonly subjectId: string
  readonly clientId: string | undefined
  /** The grant, or the package if it is refused as a whole. */
  readonly accessId: string
}

/** Opaque bearer tokens: random, stored as hashes, looked up with their grant on every request. */
export class TokenService {
  readonly references: OwnerReferences
  readonly #tokens: TokenStore
  readonly #grants: Pick<GrantStore, 'expire'>
  /** Authorities that are valid until a time, by the store's answer for their token. */
  readonly #authorities = new WeakMap<FoundToken, { readonly authority: Authority; readonly until: number }>()

  constructor(tokens: TokenStore, grants: Pick<GrantStore, 'expire'>) {
    this.#tokens = tokens
    this.#grants = grants
    this.references = new OwnerReferences(tokens)
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

  /** Stores a token that the authorization server created. */
  async record(bearer: string, token: Omit<StoredToken, 'hash' | 'createdAt' | 'revokedAt'>): Promise<void> {
    await this.#tokens.create({ ...token, hash: hashToken(bearer), createdAt: Date.now(), revokedAt: undefined })
  }

  /** A token with its grant or package, in any state. */
  find(bearer: string): Promise<FoundToken | undefined> {
    return this.#tokens.find(hash('sha256', bearer, 'hex'), referenceIn(bearer))
  }

  /** Revokes a token but not its grant (RFC 7009). Returns false if there was nothing to revoke. */
  revoke(bearer: string): Promise<boolean> {
    return this.#tokens.revoke(hashToken(bearer), Date.now())
  }

  /** The authority of a token, at the audience where it was presented. */
  async authenticate(bearer: string, audience: Audience): Promise<{ authority: Authority } | Refused> {
    const found = await this.find(bearer)
    if (!found || wasRevoked(found.token)) throw unknownToken()
    // Routes that do not accept owner tokens refuse them themselves, with their own error (000.3).
    if (found.token.kind !== 'owner' && !found.token.audience.includes(audience))
      throw wrongAudience(found.token, audience)
    const now = Date.now()
    const known = this.#authorities.get(found)
    if (known && now < known.until) return known
    await this.#noteExpired(found, now)
    const resolved = resolve(found, now)
    // If the grant has ended, say so even after the token expired; otherwise a host would start OAuth again.
    if ('refused' in resolved) return resolved
    const { expiresAt, revokedAt, hash: tokenHash } = found.token
    if (expiresAt === undefined || (expiresAt > now && revokedAt === undefined)) {
      // The store returns another object after any write, so only the clock can end this authority.
      this.#authorities.set(found, { ...resolved, until: endOf(found) })
      return resolved
    }
    // Revoke the expired token, so that setting the clock back does not make it valid again.
    if (revokedAt === undefined) await ignoreFailure(this.#tokens.revoke(tokenHash, now))
    throw unauthenticated('The bearer token has expired.')
  }

  /** Stores the first time a grant was refused as expired, so that setting the clock back does not revive it. */
  async #noteExpired({ token: { subjectId }, grant, package: found }: FoundToken, now: number): Promise<void> {
    for (const stored of [...(grant ? [grant] : []), ...(found?.members ?? [])]) {
      if (stored.expiredAt === undefined && grantStatus(stored, now) === 'expired')
        await ignoreFailure(this.#grants.expire(subjectId, stored.grant.grant_id, now))
    }
  }

  async #issue(
    owner: Pick<StoredToken, 'subjectId' | 'kind'> & Partial<Pick<StoredToken, 'clientId' | 'grantId' | 'packageId'>>,
    { expiresAt, audience = EVERYWHERE }: TokenTerms,
  ): Promise<IssuedToken> {
    const { subjectId, kind, clientId, grantId, packageId } = owner
    const accessToken = tokenText(await this.references.of(subjectId), randomBytes(32).toString('base64url'))
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

/** The first time at which the token or one of its grants expires. */
function endOf({ token, grant, package: found }: FoundToken): number {
  const grants = [...(grant ? [grant] : []), ...(found?.members ?? [])]
  const ends = grants.map(({ grant: { expires_at: end } }) =>
    end == null ? Number.POSITIVE_INFINITY : Date.parse(end),
  )
  return Math.min(token.expiresAt ?? Number.POSITIVE_INFINITY, ...ends)
}

/** The refusal is correct even if it cannot be stored, for example because the disk is full. */
async function ignoreFailure(note: Promise<unknown>): Promise<void> {
  await note.catch(() => undefined)
}

/** A token revoked at or after its expiry counts as expired, which has its own error. */
function wasRevoked({ revokedAt, expiresAt }: StoredToken): boolean {
  return revokedAt !== undefined && !(expiresAt !== undefined && revokedAt >= expiresAt)
}

const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')

/** Used for malformed tokens too, because a wrong token is not a missing one (RFC 6750 section 3.1). */
export const unknownToken = (): PdppError => unauthenticated('The bearer token is unknown or revoked.')

function unauthenticated(message: string, nextStep?: string): PdppError {
  return new PdppError('authentication_error', message, {
    challenge: 'invalid_token',
    ...(nextStep === undefined ? {} : { nextStep }),
  })
}

/** A token for another audience is invalid here (RFC 6750 section 3.1). */
function wrongAudience({ audience }: StoredToken, requested: Audience): PdppError {
  const here = `/${requested}`
  const there = audience.map((place) => `/${place}`).join(' and ')
  return unauthenticated(
    `This token is for ${there}, not for ${here}.`,
    'Use it at its own address, or ask the owner for a token that works here.',
  )
}
