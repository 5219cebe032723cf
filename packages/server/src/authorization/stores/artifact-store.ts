/** Short-lived things of a flow: codes, device codes, pushed requests, interactions, connection attempts. */
export interface Artifact {
  readonly kind: string
  /** Derived from the secret that names it; the secret itself is never stored. */
  readonly id: string
  readonly payload: string
  readonly authorizationId?: string | undefined
  /** A second name, also derived: a device's user code, a session's uid, the id of a review. */
  readonly alias?: string | undefined
  readonly expiresAt: number
  readonly consumedAt?: number | undefined
}

export interface ArtifactStore {
  /** Creates or replaces; whether it was consumed is kept. */
  put(artifact: Artifact): Promise<void>
  find(kind: string, id: string): Promise<Artifact | undefined>
  findByAlias(kind: string, alias: string): Promise<Artifact | undefined>
  /** True for exactly one caller, however many try at a time. */
  consume(kind: string, id: string, at: number): Promise<boolean>
  remove(kind: string, id: string): Promise<void>
  removeByAuthorization(kind: string, authorizationId: string): Promise<void>
  /** Removes what expired before; at most `limit` rows at a time. Returns how many went. */
  sweep(before: number, limit: number): Promise<number>
}
