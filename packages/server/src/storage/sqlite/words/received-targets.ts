import { RecentCache } from '../../../lib/caches/recent-cache.ts'
import type { SearchedStream } from '../../../search/search-store.ts'
import { openTargets, targetsName } from '../../words/sent-targets.ts'
import type { Handle } from '../engine/database.ts'
import { readDeclaration } from '../sources/declaration-reader.ts'

/** Max. lists of targets that a thread caches. */
const MAX_KEPT = 64
const MAX_KEPT_BYTES = 32 * 1024

/** The targets that another thread sent. Returns the same list for the same text until anything is written. */
export function receivedTargets(handle: Handle, text: string): readonly SearchedStream[] {
  if (text.length > MAX_KEPT_BYTES) return readTargets(handle, text)
  const kept = handle.cachedUntilWrite(
    'search targets',
    () => new RecentCache<string, readonly SearchedStream[]>(MAX_KEPT),
  )
  const name = targetsName(text)
  return kept.get(name) ?? kept.set(name, readTargets(handle, text))
}

const readTargets = (handle: Handle, text: string): SearchedStream[] =>
  openTargets(text, ({ subjectId, connectorKey }) => readDeclaration(handle, subjectId, connectorKey))
