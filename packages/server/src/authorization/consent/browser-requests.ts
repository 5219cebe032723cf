import type { ArtifactStore } from '../artifact-store.ts'
import type { Engine } from '../engine/engine.ts'
import { storedName } from '../secrets.ts'
import type { PendingRequests } from './pending-request.ts'

/** Authorization requests that came with the owner's browser and wait in the engine. */
export function browserRequests(engine: Engine, artifacts: ArtifactStore): PendingRequests {
  return {
    find: async (origin, uid) => {
      const found = await engine.interaction(origin, uid)
      if (!found || found.expiresAt <= Date.now()) return
      const artifact = await artifacts.find('Interaction', storedName('Interaction', uid))
      if (artifact?.consumedAt !== undefined) return
      return { uid, kind: 'browser', profile: 'grant', ...found }
    },
    claim: (uid) => artifacts.consume('Interaction', storedName('Interaction', uid), Date.now()),
    settle: (origin, uid, outcome) =>
      engine.finish(
        origin,
        uid,
        'denied' in outcome ? { error: 'access_denied', error_description: 'The owner denied the request.' } : outcome,
      ),
  }
}
