import {
  acceptDeclaration,
  type DeclarationWarning,
  PdppError,
  type SourceDeclaration,
  type StreamDeclaration,
} from '@pdpp/protocol'
import type { SettingStore } from '../../lib/setting-store.ts'
import type { Connection, ConnectionStore } from '../connections/connection-store.ts'
import type { SourceStore } from './source-store.ts'

export interface SourceStores extends SettingStore {
  readonly sources: SourceStore
  readonly connections: ConnectionStore
}

/** A source, and the authority that sees it. */
export interface DeclaredSource {
  readonly declaration: SourceDeclaration
  readonly connections: readonly string[]
}

/** Finds the source of a request. A client's grant names it; the owner may have to name it. */
export class SourceService {
  readonly #stores: SourceStores

  constructor(storage: SourceStores) {
    this.#stores = storage
  }

  /** Returns the same object until a source or connection of the owner changes. */
  moment(subjectId: string): Promise<object> {
    return this.#stores.sources.moment(subjectId)
  }

  /** Stores a declaration. Keeps warnings about adapted parts for the owner. */
  async declare(subjectId: string, input: unknown, importId?: string) {
    const { declaration, warnings } = acceptDeclaration(input)
    const { connector_key: connectorKey } = declaration
    const outcome = await this.#stores.sources.declare(subjectId, declaration, importId)
    const kept = warnings.length === 0 ? undefined : JSON.stringify(warnings)
    await this.#stores.saveSetting(subjectId, warningsName(connectorKey), kept)
    return { connectorKey, outcome, warnings }
  }

  async warnings(subjectId: string, connector: string): Promise<readonly DeclarationWarning[]> {
    const { connector_key: connectorKey } = await this.requireDeclaration(subjectId, connector)
    const kept = await this.#stores.setting(subjectId, warningsName(connectorKey))
    return kept === undefined ? [] : JSON.parse(kept)
  }

  /** Every source whose declaration has warnings. */
  async smoothed(subjectId: string): Promise<{ name: string; warnings: readonly DeclarationWarning[] }[]> {
    const declarations = await this.#stores.sources.list(subjectId)
    const all = await Promise.all(
      declarations.map(async ({ connector_key: key, display }) => ({
        name: display.name,
        warnings: await this.warnings(subjectId, key),
      })),
    )
    return all.filter(({ warnings }) => warnings.length > 0)
  }

  /** Every source that each authority can see, with its connections. All authorities must belong to one owner. */
  async all(
    subjectId: string,
  ): Promise<{ declarations: readonly SourceDeclaration[]; connections: readonly Connection[] }> {
    const declarations = await this.#stores.sources.list(subjectId)
    return { declarations, connections: await this.#stores.connections.list(subjectId) }
  }

  /** Accepts the connector key or the source's URI. */
  async requireDeclaration(subjectId: string, connector: string): Promise<SourceDeclaration> {
    const found =
      (await this.#stores.sources.find(subjectId, connector)) ??
      (await this.#stores.sources.list(subjectId)).find((declaration) => declaration.source.id === connector)
    if (found) return found
    throw new PdppError('connector_not_found', 'There is no source of that name.', { param: 'connector_id' })
  }

  async requireStream(subjectId: string, connectorKey: string, name: string): Promise<StreamDeclaration> {
    const { streams } = await this.requireDeclaration(subjectId, connectorKey)
    const stream = streams.find((candidate) => candidate.name === name)
    if (stream) return stream
    const known = streams.map((candidate) => candidate.name).join(', ')
    throw new PdppError(
      'stream_not_declared',
      `The source "${connectorKey}" declares no such stream. It has: ${known}.`,
      { param: 'stream' },
    )
  }

  async require(subjectId: string, connectorKey: string): Promise<DeclaredSource> {
    const declaration = await this.requireDeclaration(subjectId, connectorKey)
    const connections = await this.#stores.connections.list(subjectId, declaration.connector_key)
    return { declaration, connections: connections.map((connection) => connection.connectionId) }
  }

  async ofConnection(subjectId: string, connectionId: string): Promise<DeclaredSource> {
    const connection = await this.#stores.connections.find(subjectId, connectionId)
    if (connection) return this.require(subjectId, connection.connectorKey)
    throw new PdppError('connection_not_found', 'There is no such connection for this token.', {
      param: 'connection_id',
    })
  }

  /** The only source that has a stream of this name. */
  async withStream(subjectId: string, stream: string): Promise<DeclaredSource> {
    const sources = await this.#stores.sources.list(subjectId)
    const matching = sources.filter((source) => source.streams.some((candidate) => candidate.name === stream))
    if (matching.length === 1) return this.require(subjectId, matching[0]!.connector_key)
    if (matching.length === 0) throw new PdppError('not_found', 'There is no such stream.', { param: 'stream' })
    const keys = new Set(matching.map((source) => source.connector_key))
    const connections = (await this.#stores.connections.list(subjectId)).filter(({ connectorKey }) =>
      keys.has(connectorKey),
    )
    throw new PdppError('ambiguous_connection', `${matching.length} sources have a stream "${stream}".`, {
      param: 'connection_id',
      retryWith: 'connection_id',
      candidates: connections.map((connection) => candidate(connection, null)),
    })
  }
}

const warningsName = (connectorKey: string): string => `declaration_warnings.${connectorKey}`

export function candidate(connection: Connection, grantId: string | null) {
  return {
    connection_id: connection.connectionId,
    connector_key: connection.connectorKey,
    grant_id: grantId,
    ...(connection.displayName === undefined ? {} : { display_name: connection.displayName }),
  }
}
