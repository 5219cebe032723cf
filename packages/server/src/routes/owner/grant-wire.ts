import type { StoredGrant } from '../../grants/grant-store.ts'
import { grantStatus } from '../../grants/refusal.ts'

export const time = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString())

/** A grant as the owner's API shows it. `lastUsed` maps the ids of used grants to times. */
export function grantToWire(stored: StoredGrant, lastUsed: ReadonlyMap<string, number>) {
  const { grant, packageId, replacedBy } = stored
  return {
    object: 'owner_grant',
    grant_id: grant.grant_id,
    status: grantStatus(stored, Date.now()),
    revoked_at: time(stored.revokedAt),
    paused_at: time(stored.pausedAt),
    consumed_at: time(stored.consumedAt),
    last_used_at: time(lastUsed.get(grant.grant_id)),
    package_id: packageId ?? null,
    replaced_by: replacedBy ?? null,
    grant,
  }
}
