/** Where each connector left off, stored exactly as it was sent: one JSON object per stream. */
export interface StateStore {
  read(key: StateKey): Promise<Record<string, unknown>>
  /** Streams that are not named keep their state. Null deletes the state of a stream. */
  merge(key: StateKey, state: Record<string, unknown>): Promise<Record<string, unknown>>
}

export interface StateKey {
  readonly subjectId: string
  readonly connectorKey: string
  readonly connectionId: string
}
