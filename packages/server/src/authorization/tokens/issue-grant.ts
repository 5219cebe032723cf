import type { Grant } from '@pdpp/protocol'
import type { GrantRequest, GrantService } from '../../grants/grant-service.ts'
import { lastEnd, type PackageRequest, type PackageService } from '../../grants/packages/package-service.ts'
import type { StoredPackage } from '../../grants/packages/package-store.ts'
import type { IssuedToken, TokenService } from '../../tokens/token-service.ts'

interface IssuerServices {
  readonly grants: GrantService
  readonly packages: PackageService
  readonly tokens: TokenService
}

/** Creates a grant or package and its token without a consent page, because the owner asked for it directly. */
export class GrantIssuer {
  readonly #services: IssuerServices

  constructor(services: IssuerServices) {
    this.#services = services
  }

  async grant(subjectId: string, request: GrantRequest): Promise<{ grant: Grant; token: IssuedToken }> {
    const { grants, tokens } = this.#services
    const grant = await grants.create(subjectId, request)
    const expiresAt = grant.expires_at === null ? undefined : Date.parse(grant.expires_at)
    await grants.consume(subjectId, grant)
    return {
      grant,
      token: await tokens.issueClient(subjectId, grant.client.client_id, grant.grant_id, { expiresAt }),
    }
  }

  /** The token of a package is valid as long as the member that ends last. */
  async package(subjectId: string, request: PackageRequest): Promise<{ package: StoredPackage; token: IssuedToken }> {
    const { grants, packages, tokens } = this.#services
    const made = await packages.create(subjectId, request)
    for (const { grant } of made.members) await grants.consume(subjectId, grant)
    const expiresAt = lastEnd(made.members)
    return {
      package: made,
      token: await tokens.issuePackage(subjectId, made.clientId, made.packageId, { expiresAt }),
    }
  }
}
