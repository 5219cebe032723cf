import { formatResultId, isoTime, previewChars } from '@pdpp/protocol'
import { madeTitle } from '@pdpp/protocol/reading'
import type { RecordUrls } from '../../records/record-url.ts'
import type { Connection } from '../../sources/connections/connection-store.ts'
import type { EvidenceExcerpt } from '../evidence/evidence.ts'
import type { Label } from '../evidence/label.ts'
import type { Preview } from '../evidence/preview.ts'
import type { FoundRecord, SearchedStream } from '../search-store.ts'
import type { HitSize } from './hit-size.ts'

const BARE_TITLE_CHARS = 30

export interface HitOptions {
  readonly targets: readonly SearchedStream[]
  readonly names: ReadonlyMap<string, Connection>
  readonly urls: RecordUrls
  /** Set for packages, where each hit names the grant it was read under (003.16.1). */
  readonly attributed: boolean
  /** If false, a title that only repeats other members of the hit is left out. */
  readonly madeTitles: boolean
}

/** Describes how to read on after an excerpt: the parameters, and the member of the hit or excerpt that each takes. */
export const READ_ON = {
  method: 'GET',
  route: '/v1/streams/{stream}/records/{record_key}/field-window',
  parameters: { field: 'field_path', connection_id: 'connection_id', offset_chars: 'offset_chars' },
}

/**
 * Renders one hit: who, when, where, and an excerpt for each field with a proven match. Facts that all hits share are
 * in `meta`. A hit without a match in its own texts has a preview instead of excerpts (point 41).
 */
export function renderHit(found: FoundRecord, options: HitOptions, size: HitSize = 'full'): Record<string, unknown> {
  const { connectionId, key, label } = found
  const { targets, names, urls, attributed, madeTitles } = options
  const { scope } = targets[found.target]!
  const displayName = names.get(connectionId)?.displayName
  const excerpts = size === 'full' ? found.excerpts : size === 'small' ? found.shortExcerpts : []
  const bare = size === 'bare'
  const isTitleLeftOut = !madeTitles && isMade(label, displayName ?? scope.connectorKey, scope.stream.name)
  // Members without a value are not sent.
  return {
    id: formatResultId({ connectionId, stream: scope.stream.name, recordKey: key }),
    stream: scope.stream.name,
    record_key: key,
    connection_id: connectionId,
    connector_key: scope.connectorKey,
    grant_id: attributed ? scope.accessId : undefined,
    display_name: bare ? undefined : displayName,
    emitted_at: isoTime(found.emittedAt),
    title: bare ? previewChars(label.title, BARE_TITLE_CHARS) : isTitleLeftOut ? undefined : label.title,
    authored_at: label.authoredAt,
    actor: bare ? undefined : label.actor,
    place: bare ? undefined : label.container,
    amount: bare ? undefined : label.amount,
    attachments: label.attachments,
    match: found.match === 'context' ? 'context' : MATCHES[found.tier],
    url: urls.shown ? urls.of(connectionId, scope.stream.name, key) : undefined,
    evidence_excerpts: excerpts.map(wireExcerpt),
    begins: bare || !found.begins ? undefined : wirePreview(found.begins),
    context: bare ? undefined : contextOf(found, scope.stream.name),
  }
}

/** True if the title only repeats other members of the hit. */
const isMade = ({ title, actor, container, authoredAt }: Label, source: string, stream: string): boolean =>
  title === madeTitle({ actor, source, place: container ?? stream, time: authoredAt })

const MATCHES = ['some_words', 'all_content_words', 'all_words'] as const

/** The neighbour by which a hit was found. Its id leads to the whole neighbour. */
function contextOf({ connectionId, context }: FoundRecord, stream: string) {
  if (!context) return
  const { key: recordKey, actor, authoredAt, preview } = context
  return {
    id: formatResultId({ connectionId, stream, recordKey }),
    ...(preview ? { authored_at: authoredAt, actor, ...wirePreview(preview) } : {}),
  }
}

/** A preview that does not begin at the start of the field includes its offset. */
function wirePreview({ path, text, start, end, total }: Preview) {
  const position = { field_path: path, preview_text: text, ...(start > 0 ? { offset_chars: start } : {}) }
  return start === 0 && end === total ? position : { ...position, truncated: true, end_chars: end, total_chars: total }
}

/** The end and the total length are included only if the field is longer than the excerpt. */
function wireExcerpt(excerpt: EvidenceExcerpt) {
  const { field_path, preview_text, truncated, window_start_chars, window_end_chars, total_chars } = excerpt
  const position = { field_path, preview_text, offset_chars: window_start_chars }
  return truncated ? { ...position, truncated, end_chars: window_end_chars, total_chars } : position
}
