/** Short-lived data of a flow: a code, a device code, a pushed request, an interaction or a connection attempt. */
export interface Artifact {
  readonly kind: string
  /** Hash of the secret that opens the artifact. The secret itself is never stored. */
  readonly id: string
  readonly payload: string
  readonly authorizationId?: string | undefined
  /** Hash of a second name: a device's user code or a session's uid. */
  readonly alias?: string | undefined
  readonly expiresAt: number
  readonly consumedAt?: number | undefined
}

export interface ArtifactStore {
  /** Creates or replaces the artifact, but keeps `consumedAt`. */
  put(artifact: Artifact): Promise<void>
  find(kind: string, id: string): Promise<Artifact | undefined>
  findByAlias(kind: string, alias: string): Promise<Artifact | undefined>
  /** Atomic: returns true for exactly one of several concurrent callers. */
  consume(kind: string, id: string, at: number): Promise<boolean>
  remove(kind: string, id: string): Promise<void>
  removeByAuthorization(kind: string, authorizationId: string): Promise<void>
  /** Deletes at most `limit` artifacts that expired before `before`. Returns how many it deleted. */
  sweep(before: number, limit: number): Promise<number>
}
