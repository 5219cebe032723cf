import { formatResultId } from '@pdpp/protocol'
import type { Connection } from '../connections/connection-store.ts'
import type { RecordUrls } from '../records/record-url.ts'
import { recordRoute, windowRoute } from '../records/render.ts'
import { evidenceOf } from './evidence.ts'
import { labelOf } from './label.ts'
import type { FoundRecord } from './search-store.ts'
import type { WeightedWord } from './word-weight.ts'

/** Code points of text in each excerpt (short texts are shown whole), and how many excerpts. */
export const HIT_SIZES = { full: { chars: 320, most: 3 }, small: { chars: 120, most: 1 }, bare: { chars: 0, most: 0 } }

/**
 * One hit: who, when, where, and for each field in which a match is proven the words around it, with how to read on.
 * A hit whose match stands in no text (nothing to show) carries no excerpt and says where the record is.
 */
/** How much of the evidence a hit shows. */
export type HitSize = 'full' | 'small' | 'bare'

export function renderHit(
  found: FoundRecord,
  words: readonly WeightedWord[],
  names: ReadonlyMap<string, Connection>,
  urls: RecordUrls,
  size: HitSize = 'full',
): string {
  const { target, scans, texts, connectionId, key } = found
  const { scope } = target
  const connection = names.get(connectionId)
  const label = labelOf(scope, found.members(), connection?.displayName ?? scope.connectorKey)
  const fields = target.fields.map((path, index) => ({ path, text: texts[index]!, scan: scans[index]! }))
  const { chars, most } = HIT_SIZES[size]
  const excerpts = most === 0 ? [] : evidenceOf(fields, words, chars).slice(0, most)
  const route = windowRoute(scope, key)
  return JSON.stringify({
    object: 'search_result',
    id: formatResultId({ connectionId, stream: scope.stream.name, recordKey: key }),
    stream: scope.stream.name,
    record_key: key,
    connection_id: connectionId,
    connector_key: scope.connectorKey,
    connector_id: scope.connectorKey,
    ...(connection?.displayName === undefined ? {} : { display_name: connection.displayName }),
    title: label.title,
    ...(label.actor === undefined ? {} : { actor: label.actor }),
    ...(label.place === undefined ? {} : { place: label.place }),
    ...(label.authoredAt === undefined ? {} : { authored_at: label.authoredAt }),
    emitted_at: new Date(found.emittedAt()).toISOString(),
    match: found.tier === 2 ? 'all_words' : found.tier === 1 ? 'all_content_words' : 'some_words',
    matched_fields: fields.filter(({ scan }) => scan.hits.length > 0).map(({ path }) => path),
    url: urls.of(connectionId, scope.stream.name, key),
    record_url: `${recordRoute(scope, key)}?connection_id=${encodeURIComponent(connectionId)}`,
    evidence_excerpts: excerpts.map((excerpt) => ({
      object: 'evidence_excerpt',
      ...excerpt,
      provenance: 'lexical_match',
      read: {
        object: 'field_window_read',
        method: 'GET',
        route,
        stream: scope.stream.name,
        record_id: key,
        field: excerpt.field_path,
        connection_id: connectionId,
        offset_chars: excerpt.window_start_chars,
      },
    })),
  })
}
