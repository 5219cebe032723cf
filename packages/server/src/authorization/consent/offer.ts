import { requiredFields, type SourceDeclaration, type StreamDeclaration, type StreamGrant } from '@pdpp/protocol'
import { resolveSelection } from '../../grants/selection.ts'
import type { Connection, ConnectionStore } from '../../sources/connections/connection-store.ts'
import type { SourceStore } from '../../sources/declarations/source-store.ts'
import type { RequestedAccess } from '../requests/requested-access.ts'

/** More than these are not offered, which the page then says; what is asked for by name is always found. */
export const MAX_SOURCES = 2000

/** One stream as far as it can be given: the whole of it, or what was asked for. */
export interface OfferedStream {
  readonly declaration: StreamDeclaration
  readonly most: StreamGrant
  /** Fields that go with any grant of it (point 17). */
  readonly required: readonly string[]
  readonly sensitive: boolean
}

export interface OfferedSource {
  /** Names the source in the form. */
  readonly key: string
  readonly declaration: SourceDeclaration
  readonly connections: readonly Connection[]
  readonly streams: readonly OfferedStream[]
  readonly sensitive: boolean
  /** What the client says about it; undefined where the owner is to choose. */
  readonly asked: RequestedAccess | undefined
}

/** What the owner can give: exactly what was asked for, or everything there is when nothing was named. */
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
    streams: streams.map((most) => {
      const stream = declaration.streams.find(({ name }) => name === most.name)!
      // Where the source gives all fields or none (`selection`), none of them can be unticked.
      const required = stream.selection?.fields === false ? most.fields : requiredFields(stream)
      return { declaration: stream, most, required, sensitive: sensitive || stream.sensitivity === 'sensitive' }
    }),
  }
}
