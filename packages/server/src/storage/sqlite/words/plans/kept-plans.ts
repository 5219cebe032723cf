import { RecentCache } from '../../../../lib/caches/recent-cache.ts'
import type { SearchedStream } from '../../../../search/search-store.ts'
import type { Handle } from '../../engine/database.ts'
import type { SearchPlan } from '../search-plan.ts'

/** Max. lists of targets that a thread caches. */
const MAX_TARGETS = 64

/** A thread's results of earlier searches that writes of records do not change. */
interface KeptPlans {
  readonly version: number | undefined
  readonly plans: WeakMap<readonly SearchedStream[], SearchPlan>
  /** By name. See `receivedTargets`. */
  readonly targets: RecentCache<string, readonly SearchedStream[]>
  /** The owner's names of connections, by owner and connection. */
  readonly connectionNames: Map<string, Map<string, string | undefined>>
}

const known = new WeakMap<Handle, KeptPlans>()

/** Most writes are records. So these caches are valid longer than `cachedUntilWrite`: until `plan_version` changes. */
export function keptPlans(handle: Handle): KeptPlans {
  const version = handle.cachedUntilWrite(
    'plan version',
    () => handle.column<number>('select version from plan_version')[0],
  )
  const kept = known.get(handle)
  if (kept && kept.version === version) return kept
  const empty: KeptPlans = {
    version,
    plans: new WeakMap(),
    targets: new RecentCache(MAX_TARGETS),
    connectionNames: new Map(),
  }
  // A connection that writes sees versions that are never committed, and then count something else.
  if (handle.db.readonly) known.set(handle, empty)
  return empty
}
