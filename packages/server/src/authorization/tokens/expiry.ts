import type { Artifact, ArtifactStore } from '../stores/artifact-store.ts'

/** As the engine writes ends, in seconds: before any clock of ours. */
const LONG_AGO = 1

/** Whether something of a flow has ended. What was found to have ended stays so when the clock is set back. */
export async function hasExpired(artifacts: ArtifactStore, artifact: Artifact, now = Date.now()): Promise<boolean> {
  const payload = JSON.parse(artifact.payload) as { exp?: number }
  if (payload.exp === LONG_AGO) return true
  if (artifact.expiresAt > now) return false
  await artifacts.put({ ...artifact, payload: JSON.stringify({ ...payload, exp: LONG_AGO }) })
  return true
}
