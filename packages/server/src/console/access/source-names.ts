import type { Context } from '../../context.ts'
import type { SourceNames } from './access-text.ts'

/** The owner's names of all sources, by connection id. */
export async function sourceNames(context: Context, subjectId: string): Promise<SourceNames> {
  const [connections, declarations] = await Promise.all([
    context.storage.connections.list(subjectId),
    context.storage.sources.list(subjectId),
  ])
  const services = new Map(declarations.map(({ connector_key: key, display }) => [key, display?.name ?? key]))
  const ofKey = Map.groupBy(connections, ({ connectorKey }) => connectorKey)
  return new Map(
    connections.map(({ connectionId, displayName, connectorKey }) => {
      // Two unnamed sources of the same service need different names.
      const isOnly = ofKey.get(connectorKey)?.length === 1
      return [connectionId, displayName ?? (isOnly ? services.get(connectorKey) : undefined) ?? connectionId]
    }),
  )
}
