import { PdppError } from '@pdpp/protocol'
import type { SettingStore } from '../lib/setting-store.ts'
import type { RecordWriter } from '../records/record-store.ts'
import type { ConnectionService } from '../sources/connections/connection-service.ts'
import type { SourceService } from '../sources/declarations/source-service.ts'

/** Erased data is gone from the `files`, or only from the `tables` of a database that keeps its own copies. */
export type PurgeReach = 'files' | 'tables'

export interface Erased {
  readonly records: number
  readonly reach: PurgeReach
}

export interface ErasureStores extends SettingStore {
  readonly writer: RecordWriter
  /** Removes the remains of deleted data, and reports how far that reaches. */
  purge(): Promise<PurgeReach>
}

const UNFINISHED = 'erasure_unfinished'

export interface ErasureTarget {
  readonly connectionId: string
  readonly stream?: string | undefined
  readonly recordKey?: string | undefined
}

/** Deletes the uploaded files and the problems of imports into a connection, because they contain the same data. */
type Forget = (subjectId: string, connectionId: string) => Promise<void>

/** Erases data for good: it is unreadable as soon as the erasure begins, and absent from the store when it is done. */
export class ErasureService {
  readonly #stores: ErasureStores
  readonly #connections: ConnectionService
  readonly #sources: SourceService
  readonly #forget: Forget

  constructor(storage: ErasureStores, connections: ConnectionService, sources: SourceService, forget: Forget) {
    this.#stores = storage
    this.#connections = connections
    this.#sources = sources
    this.#forget = forget
  }

  /** Counts the erased records. Zero if they were deleted earlier; then only their traces are removed. */
  async erase(subjectId: string, target: ErasureTarget): Promise<Erased> {
    await this.#check(subjectId, target)
    // Saved first, so that the next start finishes an erasure that a crash interrupted.
    await this.#stores.saveSetting(subjectId, UNFINISHED, 'yes')
    await this.#forget(subjectId, target.connectionId)
    const records = await this.#remove(subjectId, target)
    return { records, reach: await this.#finish(subjectId) }
  }

  /** Finishes an interrupted erasure. Call at start, before any read. */
  async resume(subjectId: string): Promise<void> {
    if ((await this.#stores.setting(subjectId, UNFINISHED)) !== undefined) await this.#finish(subjectId)
  }

  async #finish(subjectId: string): Promise<PurgeReach> {
    const reach = await this.#stores.purge()
    await this.#stores.saveSetting(subjectId, UNFINISHED, undefined)
    return reach
  }

  async #check(subjectId: string, { connectionId, stream }: ErasureTarget): Promise<void> {
    const { connectorKey } = await this.#connections.require(subjectId, connectionId)
    if (stream !== undefined) await this.#sources.requireStream(subjectId, connectorKey, stream)
  }

  async #remove(subjectId: string, { connectionId, stream, recordKey }: ErasureTarget): Promise<number> {
    const { connectorKey } = await this.#connections.require(subjectId, connectionId)
    if (stream === undefined) {
      const { streams } = await this.#sources.requireDeclaration(subjectId, connectorKey)
      let count = 0
      for (const { name } of streams)
        count += await this.#stores.writer.wipe({ subjectId, connectorKey, connectionId, stream: name })
      await this.#connections.remove(subjectId, connectionId)
      return count
    }
    const feed = { subjectId, connectorKey, connectionId, stream }
    if (recordKey === undefined) return this.#stores.writer.wipe(feed)
    const outcome = await this.#stores.writer.erase(feed, recordKey)
    if (outcome === 'absent') {
      await this.#stores.saveSetting(subjectId, UNFINISHED, undefined)
      throw new PdppError('not_found', 'This connection has no such record, and never had one.', {
        param: 'record_id',
        nextStep: 'Name the record as reads show it: connection/stream:key.',
      })
    }
    return outcome === 'erased' ? 1 : 0
  }
}
