import type { FoundRecord, SearchedStream } from '../search-store.ts'

/** Max. sources named on one page. Further ones are counted. */
const MAX_SOURCES = 12

/** Number of hits from each connection, the largest first (000.6.1). */
export function sourceMix(shown: readonly FoundRecord[], targets: readonly SearchedStream[]) {
  const sources = [...Map.groupBy(shown, ({ connectionId }) => connectionId)]
  const sorted = sources.sort(([, a], [, b]) => b.length - a.length)
  const named = sorted.slice(0, MAX_SOURCES).map(([connectionId, found]) => {
    const { scope } = targets[found[0]!.target]!
    // The hits already contain the name and the grant.
    return {
      connection_id: connectionId,
      connector_key: scope.connectorKey,
      hits: found.length,
      // The member is named `count` as in other implementations.
      count: found.length,
    }
  })
  const others = sorted.length - named.length
  return { source_mix: named, ...(others > 0 ? { other_source_count: others } : {}) }
}
