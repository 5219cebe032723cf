import { PdppError } from '@pdpp/protocol'
import type { ClientAuthority, PackageAuthority, UnusableMember } from '../authority.ts'
import { grantRefusal } from '../refusal.ts'
import type { StoredPackage } from './package-store.ts'

/** The current authority of a package: its usable members, and the reason why each other member is not usable. */
export function packageAuthority(
  subjectId: string,
  found: StoredPackage | undefined,
  now: number,
): PackageAuthority | PdppError {
  if (!found) return new PdppError('grant_invalid', 'The package of this token does not exist.')
  if (found.revokedAt !== undefined) return new PdppError('package_revoked', 'The owner has revoked this package.')
  const { clientId, packageId } = found
  const members: ClientAuthority[] = []
  const unusable: UnusableMember[] = []
  for (const stored of found.members) {
    const refusal = grantRefusal(stored, now)
    if (refusal) unusable.push({ grant: stored.grant, refusal })
    else members.push({ kind: 'client', subjectId, clientId, grant: stored.grant })
  }
  if (members.length === 0) return noUsableMember(unusable)
  return { kind: 'package', subjectId, clientId, packageId, members, unusable }
}

function noUsableMember(unusable: readonly UnusableMember[]): PdppError {
  const reasons = [...new Set(unusable.map(({ refusal }) => refusal.code))]
  // If a member is paused, the package works again once the owner resumes it. A client that reads "revoked" would
  // delete its token.
  const code = reasons.includes('grant_paused') ? 'grant_paused' : 'package_revoked'
  return new PdppError(code, `None of the grants in this package can be used (${reasons.join(', ') || 'it has none'}).`)
}
