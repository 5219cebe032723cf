import { receivedScope, type SentScope, sentScope } from '../../../grants/enforce.ts'
import type { SearchedStream } from '../../../search/search-store.ts'
import type { Handle } from '../engine/database.ts'
import { readDeclaration } from '../sources/declaration-reader.ts'

/** A target on its way to another thread. */
export interface SentTarget extends Omit<SearchedStream, 'scope'> {
  readonly scope: SentScope
}

export function sentTargets(targets: readonly SearchedStream[]): SentTarget[] {
  return targets.map(({ scope, fields, conditions }) => ({ scope: sentScope(scope), fields, conditions }))
}

/** The same targets in another thread. */
export function receivedTargets(handle: Handle, sent: readonly SentTarget[]): SearchedStream[] {
  return sent.map(({ scope, fields, conditions }) => {
    const declaration = readDeclaration(handle, scope.subjectId, scope.connectorKey)
    const declared = declaration?.streams.find(({ name }) => name === scope.streamName)
    return { scope: receivedScope(scope, declared), fields, conditions }
  })
}
