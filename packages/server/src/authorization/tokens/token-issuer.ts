import type { Grant } from '@pdpp/protocol'
import type { GrantService } from '../../grants/grant-service.ts'
import type { StoredGrant } from '../../grants/grant-store.ts'
import type { PackageService } from '../../grants/packages/package-service.ts'
import { grantStatus } from '../../grants/refusal.ts'
import type { TokenService } from '../../tokens/token-service.ts'
import type { Audience, TokenKind } from '../../tokens/token-store.ts'
import { grantedDetail } from '../requests/granted-details.ts'
import { SCOPE } from '../requests/resources.ts'
import type { Authorization } from '../stores/authorization-store.ts'

/** Lifetime of an access token that can be refreshed, in milliseconds. */
const SHORT_MS = 600_000
/** Lifetime of an owner token, in milliseconds. */
const OWNER_MS = 365 * 86_400_000

/** The approval has ended, so the client must ask the owner again. */
export class ApprovalEnded extends Error {
  override readonly name = 'ApprovalEnded'
}

export interface TokenResponse {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in?: number
  readonly scope: string
  readonly refresh_token?: string
  readonly grant_id?: string
  readonly grant_package_id?: string
  readonly authorization_details?: readonly ReturnType<typeof grantedDetail>[]
}

interface ApprovedAccess {
  readonly kind: TokenKind
  readonly grantId?: string
  readonly packageId?: string
  readonly grants: readonly Grant[]
  /** When the last grant ends. Undefined if a grant has no end. */
  readonly endsAt: number | undefined
}

/** Issues the access tokens of an approval, and describes what was granted. */
export class TokenIssuer {
  readonly #grants: GrantService
  readonly #packages: PackageService
  readonly #tokens: TokenService

  constructor(services: { grants: GrantService; packages: PackageService; tokens: TokenService }) {
    this.#grants = services.grants
    this.#packages = services.packages
    this.#tokens = services.tokens
  }

  /** `lasting`: the token lives as long as its grant, for clients that cannot refresh. */
  async issue(
    bearer: string,
    authorization: Authorization,
    options: { audience: readonly Audience[]; lasting?: boolean },
  ): Promise<TokenResponse> {
    const { subjectId, clientId, authorizationId } = authorization
    const access = await this.#access(authorization)
    for (const grant of access.grants) await this.#grants.consume(subjectId, grant)
    const { kind, grantId, packageId } = access
    const expiresAt = expiry(access, authorization, options.lasting ?? false)
    const audience = kind === 'owner' ? (['v1'] as const) : options.audience
    await this.#tokens.record(bearer, {
      subjectId,
      kind,
      clientId,
      grantId,
      packageId,
      audience,
      expiresAt,
      authorizationId,
    })
    return response(bearer, access, expiresAt)
  }

  /** The response for a token that was issued before: describes what the approval allows now. */
  async describe(bearer: string, authorization: Authorization, expiresAt: number | undefined): Promise<TokenResponse> {
    return response(bearer, await this.#access(authorization), expiresAt)
  }

  /** Throws ApprovalEnded if the approval no longer allows anything. A pause does not end it. */
  async #access(authorization: Authorization): Promise<ApprovedAccess> {
    const { subjectId, kind, grantId, packageId, revokedAt } = authorization
    if (revokedAt !== undefined) throw new ApprovalEnded('The approval was ended.')
    if (kind === 'owner') return { kind, grants: [], endsAt: undefined }
    if (kind === 'package' && packageId !== undefined) {
      const found = await this.#packages.require(subjectId, packageId)
      const members = found.members.filter(isOpen)
      if (found.revokedAt !== undefined || members.length === 0) throw new ApprovalEnded('The package has ended.')
      return { kind: 'package', packageId, grants: bodies(members), endsAt: lastEnd(members) }
    }
    if (grantId === undefined) throw new ApprovalEnded('The approval has no grant.')
    const current = await this.#grants.current(subjectId, grantId)
    if (!isOpen(current)) throw new ApprovalEnded('The grant has ended.')
    return { kind: 'client', grantId: current.grant.grant_id, grants: bodies([current]), endsAt: lastEnd([current]) }
  }
}

function response(bearer: string, access: ApprovedAccess, expiresAt: number | undefined): TokenResponse {
  const { kind, grantId, packageId, grants } = access
  return {
    access_token: bearer,
    token_type: 'Bearer',
    ...(expiresAt === undefined ? {} : { expires_in: Math.max(0, Math.floor((expiresAt - Date.now()) / 1000)) }),
    scope: SCOPE,
    ...(grantId === undefined ? {} : { grant_id: grantId }),
    ...(packageId === undefined ? {} : { grant_package_id: packageId }),
    ...(kind === 'owner' ? {} : { authorization_details: grants.map(grantedDetail) }),
  }
}

function isOpen(stored: StoredGrant): boolean {
  const status = grantStatus(stored, Date.now())
  return status === 'active' || status === 'paused'
}

const bodies = (members: readonly StoredGrant[]): Grant[] => members.map(({ grant }) => grant)

function lastEnd(members: readonly StoredGrant[]): number | undefined {
  const ends = members.map(({ grant }) => grant.expires_at)
  return ends.includes(null) ? undefined : Math.max(...ends.map((end) => Date.parse(end!)))
}

function expiry({ kind, endsAt }: ApprovedAccess, { singleUse }: Authorization, lasting: boolean): number | undefined {
  const now = Date.now()
  if (kind === 'owner') return now + OWNER_MS
  if (singleUse || lasting) return endsAt
  return Math.min(now + SHORT_MS, endsAt ?? Number.POSITIVE_INFINITY)
}
