/** Where a connector left off, kept for it as it gave it: one JSON object per stream. */
export interface StateStore {
  read(key: StateKey): Promise<Record<string, unknown>>
  /** Streams not named keep what they had; null forgets one. */
  merge(key: StateKey, state: Record<string, unknown>): Promise<Record<string, unknown>>
}

export interface StateKey {
  readonly subjectId: string
  readonly connectorKey: string
  readonly connectionId: string
}
