import type { GrantStore, StoredGrant } from '../grant-store.ts'
import type { PackageStore, StoredPackage } from '../packages/package-store.ts'
import { type GrantStatus, grantStatus } from '../refusal.ts'
import type { WatchedGrant } from './access-warnings.ts'

interface AccessStores {
  readonly grants: GrantStore
  readonly packages: PackageStore
  readonly receipts: { lastUsed(subjectId: string, accessIds: readonly string[]): Promise<ReadonlyMap<string, number>> }
}

/** The access that an agent got by one decision of the owner: a single grant, or a package of several. */
export interface AgentAccess extends WatchedGrant {
  readonly kind: 'grant' | 'package'
  readonly clientId: string
  /** The name that the agent or the owner gave it. */
  readonly name: string | undefined
  readonly grants: readonly StoredGrant[]
}

export interface AgentAccessPage {
  readonly accesses: readonly AgentAccess[]
  /** The id to pass as `before` for the next page. */
  readonly next: string | undefined
}

const PAGE = 50
/** Max. current grants, and max. current packages, in the list. No owner has more. */
const MAX_CURRENT = 500

/** Grants outside of packages, newest first. A narrowed grant is omitted, because its replacement is listed. */
export async function listGrants(stores: AccessStores, subjectId: string, before?: string): Promise<AgentAccessPage> {
  const stored = await stores.grants.list(subjectId, { limit: PAGE + 1, before })
  const page = stored.slice(0, PAGE)
  const alone = page.filter(({ packageId, replacedBy }) => packageId === undefined && replacedBy === undefined)
  const used = await stores.receipts.lastUsed(
    subjectId,
    alone.map(({ grant }) => grant.grant_id),
  )
  const next = stored.length > PAGE ? page.at(-1)!.grant.grant_id : undefined
  return { accesses: alone.map((grant) => ofGrant(grant, used)), next }
}

export async function listPackages(stores: AccessStores, subjectId: string, before?: string): Promise<AgentAccessPage> {
  const stored = await stores.packages.list(subjectId, { limit: PAGE + 1, before })
  const page = stored.slice(0, PAGE)
  const accesses = await Promise.all(page.map((one) => packageAccess(stores, subjectId, one)))
  return { accesses, next: stored.length > PAGE ? page.at(-1)!.packageId : undefined }
}

/** All active and paused access, packages first. `more` is true if the list was cut at the limit. */
export async function currentAccess(
  stores: AccessStores,
  subjectId: string,
): Promise<{ readonly accesses: readonly AgentAccess[]; readonly more: boolean }> {
  const options = { limit: MAX_CURRENT + 1, unrevoked: true }
  const [packages, grants] = await Promise.all([
    stores.packages.list(subjectId, options),
    stores.grants.list(subjectId, options),
  ])
  const alone = grants.slice(0, MAX_CURRENT).filter(({ packageId }) => packageId === undefined)
  const used = await stores.receipts.lastUsed(
    subjectId,
    alone.map(({ grant }) => grant.grant_id),
  )
  const whole = packages.slice(0, MAX_CURRENT).map((one) => packageAccess(stores, subjectId, one))
  return {
    accesses: [...(await Promise.all(whole)), ...alone.map((one) => ofGrant(one, used))].filter(isCurrent),
    more: Math.max(packages.length, grants.length) > MAX_CURRENT,
  }
}

export async function grantAccess(stores: AccessStores, subjectId: string, stored: StoredGrant): Promise<AgentAccess> {
  return ofGrant(stored, await stores.receipts.lastUsed(subjectId, [stored.grant.grant_id]))
}

export async function packageAccess(
  stores: AccessStores,
  subjectId: string,
  found: StoredPackage,
): Promise<AgentAccess> {
  const ids = [found.packageId, ...found.members.map(({ grant }) => grant.grant_id)]
  const used = [...(await stores.receipts.lastUsed(subjectId, ids)).values()]
  const now = Date.now()
  const statuses = found.members.map((member) => grantStatus(member, now))
  // Revoked members do not count for the end, unless all members are revoked.
  const open = found.members.filter(({ revokedAt }) => revokedAt === undefined)
  const ends = (open.length === 0 ? found.members : open).map(({ grant }) => grant.expires_at)
  return {
    kind: 'package',
    id: found.packageId,
    clientId: found.clientId,
    name: found.clientName,
    status: found.revokedAt === undefined ? combinedStatus(statuses) : 'revoked',
    createdAt: found.createdAt,
    expiresAt: ends.includes(null) ? undefined : Math.max(...ends.map((end) => Date.parse(end!))),
    lastUsedAt: used.length === 0 ? undefined : Math.max(...used),
    grants: found.members,
  }
}

function ofGrant(stored: StoredGrant, used: ReadonlyMap<string, number>): AgentAccess {
  const { grant } = stored
  return {
    kind: 'grant',
    id: grant.grant_id,
    clientId: grant.client.client_id,
    name: grant.client.client_display?.name,
    status: grantStatus(stored, Date.now()),
    createdAt: stored.createdAt,
    expiresAt: grant.expires_at === null ? undefined : Date.parse(grant.expires_at),
    lastUsedAt: used.get(grant.grant_id),
    grants: [stored],
  }
}

/** The status of a package: active if one of its grants is, otherwise paused, expired or revoked, in this order. */
function combinedStatus(statuses: readonly GrantStatus[]): GrantStatus {
  return (['active', 'paused', 'expired'] as const).find((status) => statuses.includes(status)) ?? 'revoked'
}

export const isCurrent = ({ status }: WatchedGrant): boolean => status === 'active' || status === 'paused'

export const accessPath = ({ kind, id }: Pick<AgentAccess, 'kind' | 'id'>): string => `/agents/${kind}s/${id}`
