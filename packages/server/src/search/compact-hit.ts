import { formatResultId } from '@pdpp/protocol'
import type { Connection } from '../connections/connection-store.ts'
import { type EvidenceExcerpt, evidenceOf } from './evidence.ts'
import type { HitSize } from './hit.ts'
import { HIT_SIZES } from './hit.ts'
import { labelOf } from './label.ts'
import type { FoundRecord } from './search-store.ts'
import type { WeightedWord } from './word-weight.ts'

/**
 * A hit for a reader that pays for every byte: each fact once. What the id says is not said again, routes are left
 * out (the field, the id and the offset are what continues an excerpt), and the words stand as the source wrote them.
 */
export function renderCompactHit(
  found: FoundRecord,
  words: readonly WeightedWord[],
  names: ReadonlyMap<string, Connection>,
  size: HitSize = 'full',
): string {
  const { target, scans, texts, connectionId } = found
  const { scope } = target
  const displayName = names.get(connectionId)?.displayName
  const { title, actor, place, authoredAt } = labelOf(scope, found.members(), displayName ?? scope.connectorKey)
  const fields = target.fields.map((path, index) => ({ path, text: texts[index]!, scan: scans[index]! }))
  const { chars, most } = HIT_SIZES[size]
  const excerpts = most === 0 ? [] : evidenceOf(fields, words, chars).slice(0, most)
  return JSON.stringify({
    id: formatResultId({ connectionId, stream: scope.stream.name, recordKey: found.key }),
    title,
    ...(actor === undefined ? {} : { actor }),
    ...(place === undefined ? {} : { place }),
    ...(authoredAt === undefined ? {} : { authored_at: authoredAt }),
    match: found.tier === 2 ? 'all_words' : found.tier === 1 ? 'all_content_words' : 'some_words',
    evidence_excerpts: excerpts.map((excerpt) => compactExcerpt(excerpt, fields)),
  })
}

/** Once for the page: what the connections that the ids name are called, and in a package whose grant reads them. */
export function compactSources(
  rows: readonly FoundRecord[],
  names: ReadonlyMap<string, Connection>,
  attributed: boolean,
) {
  const sources = rows.map(({ target, connectionId }) => {
    const displayName = names.get(connectionId)?.displayName
    const named = displayName === undefined ? {} : { display_name: displayName }
    const grant = attributed ? { grant_id: target.scope.holder } : {}
    return [connectionId, { connector_key: target.scope.connectorKey, ...named, ...grant }] as const
  })
  return { sources: Object.fromEntries(sources) }
}

/** A text that is shown whole needs no offsets: their absence says so. */
function compactExcerpt(excerpt: EvidenceExcerpt, fields: readonly { path: string; text: string }[]) {
  const { field_path, truncated, window_start_chars, window_end_chars, total_chars } = excerpt
  if (!truncated) return { field_path, preview_text: fields.find(({ path }) => path === field_path)!.text }
  const preview_text = excerpt.preview_text.replace(/<\/?mark>/g, '')
  return { field_path, preview_text, truncated, window_start_chars, window_end_chars, total_chars }
}
