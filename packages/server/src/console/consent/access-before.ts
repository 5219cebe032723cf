import type { HeldAccess } from '../../authorization/consent/shared-presets.ts'
import type { Context } from '../../context.ts'
import { grantedConnections } from '../../grants/authority.ts'
import type { StoredGrant } from '../../grants/grant-store.ts'
import { currentAccess } from '../../grants/summary/agent-access.ts'
import { agentName } from '../access/access-text.ts'
import { sourceNames } from '../access/source-names.ts'
import type { EarlierAccess, NamedAccess } from './quick-choices.ts'

/** Max. other agents that get a quick choice. */
const MAX_OTHERS = 2
const MAX_GRANTS = 60

export interface KnownAccess {
  readonly held: readonly HeldAccess[]
  readonly others: readonly NamedAccess[]
  readonly earlier: EarlierAccess | undefined
}

/**
 * Finds the access that this client had before, and the access that other agents have now. The page offers to choose
 * the same again.
 */
export async function knownAccess(context: Context, subjectId: string, clientId: string): Promise<KnownAccess> {
  const before = await lastAccess(context, subjectId, clientId)
  const { accesses } = await currentAccess(context.storage, subjectId)
  const others = accesses
    .filter((access) => access.clientId !== clientId && access.status === 'active')
    .toSorted((a, b) => (b.lastUsedAt ?? b.createdAt) - (a.lastUsedAt ?? a.createdAt))
    .slice(0, MAX_OTHERS)
  return {
    held: [
      ...(before ? [{ id: before.earlier.id, grants: before.grants.map(({ grant }) => grant) }] : []),
      ...others.map(({ id, grants }) => ({ id, grants: grants.map(({ grant }) => grant) })),
    ],
    others: others.map((access) => ({ id: access.id, agent: agentName(access) })),
    earlier: before?.earlier,
  }
}

/** The grants of the last decision for this client. If a grant was narrowed, the narrower one is returned. */
async function lastAccess(context: Context, subjectId: string, clientId: string) {
  const stored = await context.storage.grants.list(subjectId, { limit: MAX_GRANTS, clientId })
  const kept = stored.filter(({ replacedBy }) => replacedBy === undefined)
  const [newest] = kept
  if (!newest) return
  const { packageId } = newest
  const grants = packageId === undefined ? [newest] : kept.filter((one) => one.packageId === packageId)
  const names = await sourceNames(context, subjectId)
  const ids = new Set(grants.flatMap(({ grant }) => grantedConnections(grant)))
  const sources = [...ids].flatMap((id) => names.get(id) ?? []).toSorted()
  if (sources.length === 0) return
  return { grants, earlier: { id: packageId ?? newest.grant.grant_id, sources, endedAt: endOf(grants) } }
}

/** When the last of the grants ended. Undefined while one of them is active. */
function endOf(grants: readonly StoredGrant[]): number | undefined {
  const now = Date.now()
  const ends = grants.map(({ grant, revokedAt, expiredAt }) => {
    const expires = grant.expires_at === null ? undefined : Date.parse(grant.expires_at)
    return revokedAt ?? expiredAt ?? (expires !== undefined && expires <= now ? expires : undefined)
  })
  return ends.includes(undefined) ? undefined : Math.max(...(ends as number[]))
}
