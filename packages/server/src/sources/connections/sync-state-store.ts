/** The point from which each connector continues, stored exactly as it was sent: one JSON object per stream. */
export interface SyncStateStore {
  read(key: SyncStateKey): Promise<Record<string, unknown>>
  /** Streams that are not named keep their state. Null deletes the state of a stream. */
  merge(key: SyncStateKey, state: Record<string, unknown>): Promise<Record<string, unknown>>
}

export interface SyncStateKey {
  readonly subjectId: string
  readonly connectorKey: string
  readonly connectionId: string
}
