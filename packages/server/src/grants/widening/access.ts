import type { Grant } from '@pdpp/protocol'
import type { GrantService } from '../grant-service.ts'
import type { StoredGrant } from '../grant-store.ts'
import type { PackageService } from '../packages/package-service.ts'
import { grantStatus } from '../refusal.ts'

/** The access that an agent has with its tokens: one grant, or a package of several. */
export interface CurrentAccess {
  /** The id of the grant, or of the package. */
  readonly id: string
  readonly kind: 'grant' | 'package'
  readonly clientId: string
  readonly clientName: string | undefined
  /** The grants that were not revoked. At least one of them is active or paused. */
  readonly members: readonly StoredGrant[]
}

/**
 * Finds an access by any of its current or earlier ids. Undefined if it has ended, because then there is nothing to
 * widen.
 */
export async function currentAccess(
  services: { readonly grants: GrantService; readonly packages: PackageService },
  subjectId: string,
  accessId: string,
): Promise<CurrentAccess | undefined> {
  const alone = accessId.startsWith('pkg_') ? undefined : await services.grants.current(subjectId, accessId)
  const packageId = alone ? alone.packageId : accessId
  if (packageId !== undefined) {
    const { revokedAt, members, clientId, clientName } = await services.packages.require(subjectId, packageId)
    const unrevoked = members.filter((member) => member.revokedAt === undefined)
    if (revokedAt !== undefined || !unrevoked.some(isOpen)) return
    return { id: packageId, kind: 'package', clientId, clientName, members: unrevoked }
  }
  if (!alone || !isOpen(alone)) return
  const { client_id: clientId, client_display: display } = alone.grant.client
  return { id: alone.grant.grant_id, kind: 'grant', clientId, clientName: display?.name, members: [alone] }
}

export function isOpen(stored: StoredGrant): boolean {
  const status = grantStatus(stored, Date.now())
  return status === 'active' || status === 'paused'
}

export const grantsOf = ({ members }: CurrentAccess): Grant[] => members.filter(isOpen).map(({ grant }) => grant)

/** When the access ends, which is when its last grant ends. Undefined if a grant has no end. */
export function endOf(access: CurrentAccess): string | undefined {
  const ends = grantsOf(access).map(({ expires_at: end }) => end)
  return ends.includes(null) ? undefined : ends.reduce((last, end) => (end! > last! ? end : last))!
}
