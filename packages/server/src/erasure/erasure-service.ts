import { PdppError } from '@pdpp/protocol'
import type { ConnectionService } from '../connections/connection-service.ts'
import type { SourceService } from '../sources/source-service.ts'
import type { Storage } from '../storage/contract.ts'

export interface ErasureTarget {
  readonly connectionId: string
  readonly stream?: string | undefined
  readonly recordKey?: string | undefined
}

/** Removes for good: not readable the moment it begins, and not in the files once it is answered. */
export class ErasureService {
  readonly #storage: Storage
  readonly #connections: ConnectionService
  readonly #sources: SourceService

  constructor(storage: Storage, connections: ConnectionService, sources: SourceService) {
    this.#storage = storage
    this.#connections = connections
    this.#sources = sources
  }

  /** How many records went. Zero when they were gone before: then it only removes the traces. */
  async erase(subjectId: string, target: ErasureTarget): Promise<number> {
    const erased = await this.#remove(subjectId, target)
    await this.#storage.purge()
    return erased
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
    await this.#sources.requireStream(subjectId, connectorKey, stream)
    const feed = { subjectId, connectorKey, connectionId, stream }
    if (recordKey === undefined) return this.#storage.writer.wipe(feed)
    const outcome = await this.#storage.writer.erase(feed, recordKey)
    if (outcome === 'absent')
      throw new PdppError('not_found', 'There is no such record in this connection, and there was none.', {
        param: 'record_id',
        nextStep: 'Name it as reads show it: connection/stream:key.',
      })
    return outcome === 'erased' ? 1 : 0
  }
}
