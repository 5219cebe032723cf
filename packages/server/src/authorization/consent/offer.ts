import { requiredFields, type SourceDeclaration, type StreamDeclaration, type StreamGrant } from '@pdpp/protocol'
import { resolveSelection } from '../../grants/selection.ts'
import type { Connection, ConnectionStore } from '../../sources/connections/connection-store.ts'
import type { SourceStore } from '../../sources/declarations/source-store.ts'
import type { RequestedAccess } from '../requests/requested-access.ts'

/** Max. sources to choose from; the page says if there are more. Sources that a client names are always found. */
export const MAX_SOURCES = 2000

/** A stream that the owner can share. */
export interface OfferedStream {
  readonly declaration: StreamDeclaration
  /** The largest possible grant: the whole stream, or the part that the client asked for. */
  readonly maxGrant: StreamGrant
  /** Fields that every grant of this stream includes (point 17). */
  readonly required: readonly string[]
  readonly sensitive: boolean
}

export interface OfferedSource {
  /** Identifies the source in the names of form fields. */
  readonly key: string
  readonly declaration: SourceDeclaration
  readonly connections: readonly Connection[]
  readonly streams: readonly OfferedStream[]
  readonly sensitive: boolean
  /** The client's request for this source; undefined if the client named nothing and the owner chooses. */
  readonly asked: RequestedAccess | undefined
}

/** Everything the owner can share: exactly what the client asked for, or all sources if it named none. */
export async function readOffer(
  stores: { readonly sources: SourceStore; readonly connections: ConnectionStore },
  subjectId: string,
  requested: readonly RequestedAccess[] | undefined,
): Promise<OfferedSource[]> {
  const connections = await stores.connections.list(subjectId)
  const named = (ids: readonly string[]) => connections.filter(({ connectionId }) => ids.includes(connectionId))
  if (requested)
    return requested.map((asked, index) => {
      const streams = resolveSelection(asked.declaration, asked.selection)
      return offered(`asked-${index}`, asked.declaration, named(asked.selection.connections), streams, asked)
    })
  const declarations = await stores.sources.list(subjectId)
  const bySource = Map.groupBy(connections, ({ connectorKey }) => connectorKey)
  return declarations.slice(0, MAX_SOURCES).flatMap((declaration) => {
    const own = bySource.get(declaration.connector_key)
    if (!own) return []
    const all = { connections: own.map(({ connectionId }) => connectionId) }
    return [offered(declaration.connector_key, declaration, own, resolveSelection(declaration, all), undefined)]
  })
}

function offered(
  key: string,
  declaration: SourceDeclaration,
  connections: readonly Connection[],
  streams: readonly StreamGrant[],
  asked: RequestedAccess | undefined,
): OfferedSource {
  const sensitive = declaration.sensitivity === 'sensitive'
  return {
    key,
    declaration,
    connections,
    sensitive,
    asked,
    streams: streams.map((maxGrant) => {
      const stream = declaration.streams.find(({ name }) => name === maxGrant.name)!
      // If the source does not allow a choice of fields (`selection`), all of them are required.
      const required = stream.selection?.fields === false ? maxGrant.fields : requiredFields(stream)
      return { declaration: stream, maxGrant, required, sensitive: sensitive || stream.sensitivity === 'sensitive' }
    }),
  }
}
