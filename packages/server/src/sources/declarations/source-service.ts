import {
  acceptDeclaration,
  type DeclarationWarning,
  PdppError,
  type SourceDeclaration,
  type StreamDeclaration,
} from '@pdpp/protocol'
import type { ReadAuthority } from '../../grants/authority.ts'
import type { DeclaredSource } from '../../grants/enforce.ts'
import type { Storage } from '../../storage/contract.ts'
import type { Connection } from '../connections/connection-store.ts'

export interface StreamChoice {
  readonly stream: string
  readonly connectionId?: string | undefined
  readonly connectorKey?: string | undefined
}

/** A source, and whose rights it is seen with. */
export interface VisibleSource extends DeclaredSource {
  readonly authority: ReadAuthority
  readonly named: readonly Connection[]
}

/** Finds the source that a request means. A client's grant names it; an owner may have to. */
export class SourceService {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  /** Stores a declaration. What had to be read otherwise than it stands there is kept beside it, for the owner. */
  async declare(subjectId: string, input: unknown, importId?: string) {
    const { declaration, warnings } = acceptDeclaration(input)
    const { connector_key: connectorKey } = declaration
    const outcome = await this.#storage.sources.declare(subjectId, declaration, importId)
    const kept = warnings.length === 0 ? undefined : JSON.stringify(warnings)
    await this.#storage.saveSetting(subjectId, warningsName(connectorKey), kept)
    return { connectorKey, outcome, warnings }
  }

  async warnings(subjectId: string, connector: string): Promise<readonly DeclarationWarning[]> {
    const { connector_key: connectorKey } = await this.requireDeclaration(subjectId, connector)
    const kept = await this.#storage.setting(subjectId, warningsName(connectorKey))
    return kept === undefined ? [] : JSON.parse(kept)
  }

  /** Every source of which something was smoothed. */
  async smoothed(subjectId: string): Promise<{ name: string; warnings: readonly DeclarationWarning[] }[]> {
    const declarations = await this.#storage.sources.list(subjectId)
    const all = await Promise.all(
      declarations.map(async ({ connector_key: key, display }) => ({
        name: display.name,
        warnings: await this.warnings(subjectId, key),
      })),
    )
    return all.filter(({ warnings }) => warnings.length > 0)
  }

  async forStream(authority: ReadAuthority, choice: StreamChoice): Promise<DeclaredSource> {
    if (authority.kind === 'client') return this.#require(authority.subjectId, authority.grant.source.connector_key)
    if (choice.connectionId !== undefined) return this.#ofConnection(authority.subjectId, choice.connectionId)
    if (choice.connectorKey !== undefined) return this.#require(authority.subjectId, choice.connectorKey)
    return this.#withStream(authority.subjectId, choice.stream)
  }

  /** Every source that each of these can see, with its connections; all are of one owner. */
  async visible(authorities: readonly ReadAuthority[]): Promise<VisibleSource[]> {
    const subjectId = authorities[0]!.subjectId
    const declarations = await this.#storage.sources.list(subjectId)
    const connections = await this.#storage.connections.list(subjectId)
    return authorities.flatMap((authority) => {
      const key = authority.kind === 'client' ? authority.grant.source.connector_key : undefined
      return declarations
        .filter((declaration) => key === undefined || declaration.connector_key === key)
        .map((declaration) => {
          const named = connections.filter((connection) => connection.connectorKey === declaration.connector_key)
          return { authority, declaration, connections: named.map((connection) => connection.connectionId), named }
        })
    })
  }

  /** Accepts the slug or the source's own URI. */
  async requireDeclaration(subjectId: string, connector: string): Promise<SourceDeclaration> {
    const found =
      (await this.#storage.sources.find(subjectId, connector)) ??
      (await this.#storage.sources.list(subjectId)).find((declaration) => declaration.source.id === connector)
    if (found) return found
    throw new PdppError('connector_not_found', 'No source of that name is declared.', { param: 'connector_id' })
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

  async #require(subjectId: string, connectorKey: string): Promise<DeclaredSource> {
    const declaration = await this.requireDeclaration(subjectId, connectorKey)
    const connections = await this.#storage.connections.list(subjectId, declaration.connector_key)
    return { declaration, connections: connections.map((connection) => connection.connectionId) }
  }

  async #ofConnection(subjectId: string, connectionId: string): Promise<DeclaredSource> {
    const connection = await this.#storage.connections.find(subjectId, connectionId)
    if (connection) return this.#require(subjectId, connection.connectorKey)
    throw new PdppError('connection_not_found', 'There is no such connection for this token.', {
      param: 'connection_id',
    })
  }

  async #withStream(subjectId: string, stream: string): Promise<DeclaredSource> {
    const sources = await this.#storage.sources.list(subjectId)
    const having = sources.filter((source) => source.streams.some((candidate) => candidate.name === stream))
    if (having.length === 1) return this.#require(subjectId, having[0]!.connector_key)
    if (having.length === 0) throw new PdppError('not_found', 'There is no such stream.', { param: 'stream' })
    const keys = new Set(having.map((source) => source.connector_key))
    const connections = (await this.#storage.connections.list(subjectId)).filter(({ connectorKey }) =>
      keys.has(connectorKey),
    )
    throw new PdppError('ambiguous_connection', `${having.length} sources have a stream "${stream}".`, {
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
