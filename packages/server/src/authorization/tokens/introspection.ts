import { PdppError } from '@pdpp/protocol'
import { packageAuthority } from '../../grants/packages/package-authority.ts'
import { grantRefusal } from '../../grants/refusal.ts'
import type { FoundToken } from '../../tokens/token-store.ts'
import { grantedDetail } from '../requests/granted-details.ts'
import { resourceOf, SCOPE } from '../requests/resources.ts'

/** Describes what a token allows now (RFC 7662). An inactive token has a reason if we know one. */
export function introspection(found: FoundToken | undefined, origin: string, now: number) {
  if (!found || found.token.revokedAt !== undefined) return { active: false }
  const { token, grant, package: bundle } = found
  if (token.kind === 'client') {
    const refusal = grantRefusal(grant, now)
    if (refusal) return inactive(found, refusal.code)
  }
  const members = token.kind === 'package' ? packageAuthority(token.subjectId, bundle, now) : undefined
  if (members instanceof PdppError) return inactive(found, members.code)
  if (token.expiresAt !== undefined && token.expiresAt <= now) return inactive(found, 'context.expired')
  const common = { active: true, ...idsOf(found), ...terms(found, origin) }
  if (token.kind === 'owner') return { ...common, pdpp_token_kind: 'owner' }
  if (token.kind === 'client') return { ...common, pdpp_token_kind: 'client', ...grantFacts(found) }
  return {
    ...common,
    pdpp_token_kind: 'mcp_package',
    authorization_details: members!.members.map((member) => grantedDetail(member.grant)),
    package: {
      package_id: token.packageId,
      client: { client_id: token.clientId },
      subject: { id: token.subjectId },
      approved_source_count: members!.members.length,
      source_bounded_child_grants: true,
    },
  }
}

function inactive(found: FoundToken, reason: string) {
  return { active: false, inactive_reason: reason, ...idsOf(found) }
}

function idsOf({ token: { subjectId, clientId, grantId, packageId } }: FoundToken) {
  return {
    subject_id: subjectId,
    ...(clientId === undefined ? {} : { client_id: clientId }),
    ...(grantId === undefined ? {} : { grant_id: grantId }),
    ...(packageId === undefined ? {} : { grant_package_id: packageId }),
  }
}

function terms({ token: { audience, createdAt, expiresAt, subjectId } }: FoundToken, origin: string) {
  return {
    token_type: 'Bearer',
    scope: SCOPE,
    sub: subjectId,
    iat: Math.floor(createdAt / 1000),
    ...(expiresAt === undefined ? {} : { exp: Math.floor(expiresAt / 1000) }),
    iss: origin,
    aud: audience.map((one) => resourceOf(origin, one)),
  }
}

function grantFacts({ grant: stored }: FoundToken) {
  const { grant } = stored!
  const { kind, id } = grant.source
  return {
    authorization_details: [grantedDetail(grant)],
    pdpp: {
      context_kind: 'oauth_rar_0_1',
      client_id: grant.client.client_id,
      grant_id: grant.grant_id,
      subject_id: grant.subject.id,
      issued_at: grant.issued_at,
      source: { kind, id },
      source_declaration: grant.source_declaration,
    },
    grant_storage_binding: { connector_id: grant.source.connector_key },
  }
}
