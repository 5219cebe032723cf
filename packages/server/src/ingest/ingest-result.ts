import type { ErrorCode } from '@pdpp/protocol'

export interface Rejection {
  /** Counted from 0 among the records that were sent. */
  readonly index: number
  readonly code: ErrorCode
  readonly message: string
  readonly key?: string
}

/** The result for the records of one call. */
export interface IngestResult {
  readonly stream: string
  readonly connectionId: string
  readonly attempted: number
  /** Records that are here now as they were sent, whether or not that changed anything. */
  readonly accepted: number
  /** Accepted records that were here already. */
  readonly unchanged: number
  readonly rejected: number
  /** The first rejected records. */
  readonly rejections: readonly Rejection[]
}
