import type { Artifact, ArtifactStore } from '../stores/artifact-store.ts'

/** An `exp` (in seconds, as the engine writes it) that is in the past for any clock. */
const LONG_AGO = 1

/** True if an artifact has expired. Stores that it has, so that it stays expired if the clock is set back. */
export async function hasExpired(artifacts: ArtifactStore, artifact: Artifact, now = Date.now()): Promise<boolean> {
  const payload = JSON.parse(artifact.payload) as { exp?: number }
  if (payload.exp === LONG_AGO) return true
  if (artifact.expiresAt > now) return false
  await artifacts.put({ ...artifact, payload: JSON.stringify({ ...payload, exp: LONG_AGO }) })
  return true
}
