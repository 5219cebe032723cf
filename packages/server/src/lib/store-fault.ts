import { PdppError } from '@pdpp/protocol/reading'

/**
 * `damaged`: the store found its own files broken. `full`: the disk has no room left. `unavailable`: the database does
 * not answer or accepts no writes, which may pass.
 */
export type StoreFault = 'damaged' | 'full' | 'unavailable'

const RETRY_SECONDS = 5

/** Tells which fault of the store an error means, if any. Every store has its own error codes. */
export interface FaultReader {
  fault(error: unknown): StoreFault | undefined
}

export const damaged = (): PdppError => new PdppError('storage_damaged', 'The data files of this server are damaged.')

const unavailable = (): PdppError =>
  new PdppError('storage_unavailable', 'The database of this server cannot be used at the moment.', {
    retryAfterSeconds: RETRY_SECONDS,
  })

const diskFull = (): PdppError =>
  new PdppError('insufficient_storage', 'The disk of the server is full, so nothing was saved.')

const ERRORS = { damaged, full: diskFull, unavailable } as const

/** The error that a client gets for a fault. */
export const faultError = (fault: StoreFault): PdppError => ERRORS[fault]()
