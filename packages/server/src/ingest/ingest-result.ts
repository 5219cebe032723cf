import type { ErrorCode } from '@pdpp/protocol'

export interface Rejection {
  /** Position among the sent records, from 0. */
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
  /** Records that are now stored as sent, including unchanged ones. */
  readonly accepted: number
  /** Accepted records that were already stored with the same content. */
  readonly unchanged: number
  readonly rejected: number
  /** The first rejected records. */
  readonly rejections: readonly Rejection[]
}
