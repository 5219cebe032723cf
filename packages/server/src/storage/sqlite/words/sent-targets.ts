import { deserialize, serialize } from 'node:v8'
import { receivedScope, type SentScope, sentScope } from '../../../grants/enforce.ts'
import { RecentCache } from '../../../lib/caches/recent-cache.ts'
import type { SearchedStream } from '../../../search/search-store.ts'
import type { Handle } from '../engine/database.ts'
import { readDeclaration } from '../sources/declaration-reader.ts'

/** A target on its way to another thread. */
interface SentTarget extends Omit<SearchedStream, 'scope'> {
  readonly scope: SentScope
}

/** Lists of targets that a thread keeps, if they are no longer than this. */
const MAX_KEPT = 64
const MAX_KEPT_BYTES = 32 * 1024

/** Targets are often the same list, because a client searches many times. */
const sent = new WeakMap<readonly SearchedStream[], string>()

/** All targets as one text, because a thread recognises what it got before. It keeps every kind of value exactly. */
export function sentTargets(targets: readonly SearchedStream[]): string {
  const known = sent.get(targets)
  if (known !== undefined) return known
  const list: SentTarget[] = targets.map(({ scope, fields, conditions }) => ({
    ...{ scope: sentScope(scope), fields, conditions },
  }))
  const text = serialize(list).toString('latin1')
  sent.set(targets, text)
  return text
}

/** The same targets in another thread. The same list for the same text until anything is written. */
export function receivedTargets(handle: Handle, text: string): readonly SearchedStream[] {
  if (text.length > MAX_KEPT_BYTES) return readTargets(handle, text)
  const kept = handle.cachedUntilWrite(
    'search targets',
    () => new RecentCache<string, readonly SearchedStream[]>(MAX_KEPT),
  )
  return kept.get(text) ?? kept.set(text, readTargets(handle, text))
}

function readTargets(handle: Handle, text: string): SearchedStream[] {
  const list = deserialize(Buffer.from(text, 'latin1')) as readonly SentTarget[]
  return list.map(({ scope, fields, conditions }) => {
    const declaration = readDeclaration(handle, scope.subjectId, scope.connectorKey)
    const declared = declaration?.streams.find(({ name }) => name === scope.streamName)
    return { scope: receivedScope(scope, declared), fields, conditions }
  })
}
