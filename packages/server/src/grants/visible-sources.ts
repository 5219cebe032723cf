import type { Connection } from '../sources/connections/connection-store.ts'
import type { DeclaredSource, SourceService } from '../sources/declarations/source-service.ts'
import type { ReadAuthority } from './authority.ts'

export interface StreamChoice {
  readonly stream: string
  readonly connectionId?: string | undefined
  readonly connectorKey?: string | undefined
}

/** A source and the authority that reads it. */
export interface VisibleSource extends DeclaredSource {
  readonly authority: ReadAuthority
  readonly named: readonly Connection[]
}

/** Finds the source that a request means. A client's grant names it; an owner may have to name it. */
export function sourceOfStream(
  sources: SourceService,
  authority: ReadAuthority,
  { stream, connectionId, connectorKey }: StreamChoice,
): Promise<DeclaredSource> {
  const { subjectId } = authority
  if (authority.kind === 'client') return sources.require(subjectId, authority.grant.source.connector_key)
  if (connectionId !== undefined) return sources.ofConnection(subjectId, connectionId)
  if (connectorKey !== undefined) return sources.require(subjectId, connectorKey)
  return sources.withStream(subjectId, stream)
}

/** Every source that each authority can see, with its connections. All authorities belong to one owner. */
export async function visibleSources(
  sources: SourceService,
  authorities: readonly ReadAuthority[],
): Promise<VisibleSource[]> {
  const { declarations, connections } = await sources.all(authorities[0]!.subjectId)
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
