import { PdppError } from '@pdpp/protocol/reading'

/** `damaged`: the store found its own files broken. `full`: the disk has no room left. */
export type StoreFault = 'damaged' | 'full'

/** Says which fault of the store an error means, if any. Every store knows its own error codes. */
export interface FaultReader {
  fault(error: unknown): StoreFault | undefined
}

export const damaged = (): PdppError => new PdppError('storage_damaged', 'The data files of this server are damaged.')

export const diskFull = (): PdppError =>
  new PdppError('insufficient_storage', 'The disk of the server is full, so nothing was saved.')
