import type { PageRequest } from '../../../search/search-store.ts'
import type { ThreadStart } from '../../thread-pool.ts'
import type { DatabaseOptions } from './database.ts'

/** Work for another thread. */
export type ReadTask = SearchTask | { readonly kind: 'load_index' }

export interface SearchTask {
  readonly kind: 'search'
  readonly subject: number
  /** As written by `sentTargets`. */
  readonly targets: string
  readonly page: PageRequest
  /** Max. milliseconds of one statement. */
  readonly limitMs: number
}

/** The settings that a thread gets at its start. */
export interface WorkerStart extends ThreadStart {
  readonly options: DatabaseOptions
}
