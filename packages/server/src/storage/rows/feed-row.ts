/** One stream of one connection. */
export interface Feed {
  readonly feed: number
  readonly connectionId: string
  readonly version: number
  readonly recordCount: number
  readonly capturedAt: number | undefined
  readonly attemptedAt: number | undefined
}

export interface FeedRow {
  feed: number
  connection_id: string
  version: number
  record_count: number
  captured_at: number | null
  attempted_at: number | null
}

export function feedFromRow(row: FeedRow): Feed {
  return {
    feed: row.feed,
    connectionId: row.connection_id,
    version: row.version,
    recordCount: row.record_count,
    capturedAt: row.captured_at ?? undefined,
    attemptedAt: row.attempted_at ?? undefined,
  }
}
