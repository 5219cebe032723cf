import type { ReadScope } from '../../../grants/read-scope.ts'
import type { SearchedStream } from '../../../search/search-store.ts'
import type { Handle } from '../engine/database.ts'
import { readDeclaration } from '../sources/declaration-reader.ts'

/** A target on its way to another thread. Declarations are large, and every thread can read them itself. */
export interface SentTarget extends Omit<SearchedStream, 'scope'> {
  readonly scope: Omit<ReadScope, 'stream' | keyof { readonly [enforced: symbol]: true }> & { readonly stream: string }
}

export function sentTargets(targets: readonly SearchedStream[]): SentTarget[] {
  return targets.map(({ scope, ...rest }) => ({ ...rest, scope: { ...scope, stream: scope.stream.name } }))
}

/** The same targets in another thread. Of a stream that is no longer declared nothing is searched. */
export function receivedTargets(handle: Handle, sent: readonly SentTarget[]): SearchedStream[] {
  return sent.map(({ scope, ...rest }) => {
    const declaration = readDeclaration(handle, scope.subjectId, scope.connectorKey)
    const stream = declaration?.streams.find(({ name }) => name === scope.stream)
    const connections = stream ? scope.connections : []
    return {
      ...rest,
      scope: { ...scope, connections, stream: stream ?? { name: scope.stream } } as unknown as ReadScope,
    }
  })
}
