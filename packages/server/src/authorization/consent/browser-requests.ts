import type { Engine } from '../engine/engine.ts'
import type { ArtifactStore } from '../stores/artifact-store.ts'
import { storedName } from '../tokens/secrets.ts'
import type { PendingRequests } from './pending-request.ts'

/**
 * Artifact kind that marks a request as decided. The engine forgets a request once its answer was fetched, but a form
 * that is sent again must still get the answer that the request was decided.
 */
const DECIDED = 'Decided'
const DECIDED_TTL_MS = 3_600_000

/** Authorization requests that arrived through the owner's browser. The engine stores them until the decision. */
export function browserRequests(engine: Engine, artifacts: ArtifactStore): PendingRequests {
  return {
    find: async (origin, uid) => {
      const found = await engine.interaction(origin, uid)
      if (!found) return (await artifacts.find(DECIDED, storedName(DECIDED, uid))) ? 'decided' : undefined
      if (found.expiresAt <= Date.now()) return
      const artifact = await artifacts.find('Interaction', storedName('Interaction', uid))
      if (artifact?.consumedAt !== undefined) return 'decided'
      return { uid, kind: 'browser', profile: 'grant', ...found }
    },
    claim: async (uid) => {
      const first = await artifacts.consume('Interaction', storedName('Interaction', uid), Date.now())
      const expiresAt = Date.now() + DECIDED_TTL_MS
      if (first) await artifacts.put({ kind: DECIDED, id: storedName(DECIDED, uid), payload: '{}', expiresAt })
      return first
    },
    settle: (origin, uid, outcome) =>
      engine.finish(
        origin,
        uid,
        'denied' in outcome ? { error: 'access_denied', error_description: 'The owner denied the request.' } : outcome,
      ),
  }
}
