import { isName, NAME_RULE, PdppError } from '@pdpp/protocol'
import { newId } from '../../lib/ids.ts'
import type { SourceService } from '../declarations/source-service.ts'
import type { Connection, ConnectionStore } from './connection-store.ts'

export interface ConnectionStores {
  readonly connections: ConnectionStore
}

const MAX_DISPLAY_NAME = 200

export class ConnectionService {
  readonly #stores: ConnectionStores
  readonly #sources: SourceService

  constructor(storage: ConnectionStores, sources: SourceService) {
    this.#stores = storage
    this.#sources = sources
  }

  async create(
    subjectId: string,
    request: { connectorKey: string; connectionId?: string | undefined; displayName?: string | undefined },
    importId?: string,
  ): Promise<Connection> {
    const { connector_key: connectorKey } = await this.#sources.requireDeclaration(subjectId, request.connectorKey)
    const connectionId = request.connectionId ?? newId('cin')
    if (!isName(connectionId))
      throw new PdppError('invalid_argument', `connection_id must be ${NAME_RULE}.`, { param: 'connection_id' })
    const now = Date.now()
    const connection = {
      connectionId,
      connectorKey,
      displayName: checkName(request.displayName),
      createdAt: now,
      updatedAt: now,
    }
    if (await this.#stores.connections.create(subjectId, connection, importId)) return connection
    throw new PdppError('already_exists', `Another connection has, or had, the id "${connectionId}".`, {
      param: 'connection_id',
    })
  }

  async require(subjectId: string, connectionId: string): Promise<Connection> {
    const found = await this.#stores.connections.find(subjectId, connectionId)
    if (found) return found
    throw new PdppError('connection_not_found', 'There is no such connection.', {
      param: 'connection_id',
      reason: 'owned',
    })
  }

  async rename(subjectId: string, connectionId: string, displayName: string | undefined): Promise<Connection> {
    await this.require(subjectId, connectionId)
    await this.#stores.connections.rename(subjectId, connectionId, checkName(displayName), Date.now())
    return this.require(subjectId, connectionId)
  }

  async remove(subjectId: string, connectionId: string): Promise<void> {
    await this.require(subjectId, connectionId)
    await this.#stores.connections.remove(subjectId, connectionId)
  }

  /** The connection for a write: the named one, the only one, or a new one if the source has none. */
  async forWrite(subjectId: string, connectorKey: string, connectionId: string | undefined): Promise<Connection> {
    return (await this.choose(subjectId, connectorKey, connectionId)) ?? this.create(subjectId, { connectorKey })
  }

  /** The named connection of a source, or its only one. Undefined if it has none. */
  async choose(
    subjectId: string,
    connectorKey: string,
    connectionId: string | undefined,
  ): Promise<Connection | undefined> {
    if (connectionId !== undefined) {
      const connection = await this.require(subjectId, connectionId)
      if (connection.connectorKey === connectorKey) return connection
      throw new PdppError('connection_not_found', `The connection "${connectionId}" belongs to another source.`, {
        param: 'connection_id',
      })
    }
    const connections = await this.#stores.connections.list(subjectId, connectorKey)
    if (connections.length <= 1) return connections[0]
    throw new PdppError('ambiguous_connection', `The source "${connectorKey}" has ${connections.length} connections.`, {
      param: 'connection_id',
      retryWith: 'connection_id',
      candidates: connections.map((connection) => ({
        connection_id: connection.connectionId,
        connector_key: connectorKey,
        grant_id: null,
      })),
    })
  }
}

function checkName(name: string | undefined): string | undefined {
  const trimmed = name?.trim()
  if (trimmed === undefined || trimmed === '') return
  if ([...trimmed].length <= MAX_DISPLAY_NAME) return trimmed
  throw new PdppError('invalid_argument', `display_name must have at most ${MAX_DISPLAY_NAME} characters.`, {
    param: 'display_name',
  })
}
