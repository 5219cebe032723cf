import { PdppError } from '@pdpp/protocol'
import type { ConnectionService } from '../sources/connections/connection-service.ts'
import type { SourceService } from '../sources/declarations/source-service.ts'
import type { Storage } from '../storage/contract.ts'

const UNFINISHED = 'erasure_unfinished'

export interface ErasureTarget {
  readonly connectionId: string
  readonly stream?: string | undefined
  readonly recordKey?: string | undefined
}

/** Removes what is kept beside the store of what was written to a connection. */
type Forget = (subjectId: string, connectionId: string) => Promise<void>

/** Removes for good: not readable the moment it begins, and not in the files once it is answered. */
export class ErasureService {
  readonly #storage: Storage
  readonly #connections: ConnectionService
  readonly #sources: SourceService
  readonly #forget: Forget

  constructor(storage: Storage, connections: ConnectionService, sources: SourceService, forget: Forget) {
    this.#storage = storage
    this.#connections = connections
    this.#sources = sources
    this.#forget = forget
  }

  /** How many records went. Zero when they were gone before: then it only removes the traces. */
  async erase(subjectId: string, target: ErasureTarget): Promise<number> {
    await this.#check(subjectId, target)
    // Noted before anything goes: what a crash interrupts is finished at the next start.
    await this.#storage.saveSetting(subjectId, UNFINISHED, 'yes')
    await this.#forget(subjectId, target.connectionId)
    const erased = await this.#remove(subjectId, target)
    await this.#finish(subjectId)
    return erased
  }

  /** At the start, before anybody reads. */
  async resume(subjectId: string): Promise<void> {
    if ((await this.#storage.setting(subjectId, UNFINISHED)) !== undefined) await this.#finish(subjectId)
  }

  async #finish(subjectId: string): Promise<void> {
    await this.#storage.purge()
    await this.#storage.saveSetting(subjectId, UNFINISHED, undefined)
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
        count += await this.#storage.writer.wipe({ subjectId, connectorKey, connectionId, stream: name })
      await this.#connections.remove(subjectId, connectionId)
      return count
    }
    const feed = { subjectId, connectorKey, connectionId, stream }
    if (recordKey === undefined) return this.#storage.writer.wipe(feed)
    const outcome = await this.#storage.writer.erase(feed, recordKey)
    if (outcome === 'absent') {
      await this.#storage.saveSetting(subjectId, UNFINISHED, undefined)
      throw new PdppError('not_found', 'This connection has no such record, and never had one.', {
        param: 'record_id',
        nextStep: 'Name the record as reads show it: connection/stream:key.',
      })
    }
    return outcome === 'erased' ? 1 : 0
  }
}
