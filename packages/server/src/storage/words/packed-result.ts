import type { EvidenceExcerpt } from '../../search/evidence/evidence.ts'
import type { FoundRecord, SearchOutcome } from '../../search/search-store.ts'

/** The result of a search in a thread. The freshness may be added later. */
type SearchResult = Omit<SearchOutcome, 'indexedThrough'>

/**
 * A result in the form in which a thread sends it. The members of the hits follow each other in one list, because
 * threads copy a list of plain values in a third of the time that objects take.
 */
export type PackedResult<Result extends SearchResult = SearchResult> = Omit<Result, 'found'> & {
  readonly hits: readonly unknown[]
}

/** Values of one hit, and of one excerpt. */
const HIT_VALUES = 22
const EXCERPT_VALUES = 8

export function packResult<Result extends SearchResult>({ found, ...rest }: Result): PackedResult<Result> {
  const hits: unknown[] = []
  for (const hit of found) {
    const { label, position } = hit
    hits.push(hit.target, hit.number, hit.connectionId, hit.key, hit.emittedAt, hit.tier, hit.match)
    hits.push(label.title, label.actor, label.authoredAt, label.container, label.amount, label.attachments)
    hits.push(hit.context, packExcerpts(hit.excerpts), packExcerpts(hit.shortExcerpts), hit.begins)
    // All hits of a page share their statistics, which are copied once.
    hits.push(position.grains, position.time, position.feed, position.isHead, position.statistics)
  }
  return { ...rest, hits }
}

export function unpackResult<Result extends SearchResult>({ hits, ...rest }: PackedResult<Result>): Result {
  const found: FoundRecord[] = []
  for (let from = 0; from < hits.length; from += HIT_VALUES) found.push(unpackHit(hits, from))
  return { ...rest, found } as unknown as Result
}

function unpackHit(hits: readonly unknown[], from: number): FoundRecord {
  const value = (at: number) => hits[from + at] as never
  const number: number = value(1)
  return {
    target: value(0),
    number,
    connectionId: value(2),
    key: value(3),
    emittedAt: value(4),
    tier: value(5),
    match: value(6),
    label: {
      title: value(7),
      actor: value(8),
      authoredAt: value(9),
      container: value(10),
      amount: value(11),
      attachments: value(12),
    },
    context: value(13),
    excerpts: unpackExcerpts(value(14)),
    shortExcerpts: unpackExcerpts(value(15)),
    begins: value(16),
    position: { grains: value(17), time: value(18), feed: value(19), number, isHead: value(20), statistics: value(21) },
  }
}

function packExcerpts(excerpts: readonly EvidenceExcerpt[]): unknown[] | undefined {
  if (excerpts.length === 0) return
  const values: unknown[] = []
  for (const excerpt of excerpts) {
    values.push(excerpt.field_path, excerpt.preview_text, excerpt.truncated, excerpt.match_start_chars)
    values.push(excerpt.match_end_chars, excerpt.window_start_chars, excerpt.window_end_chars, excerpt.total_chars)
  }
  return values
}

function unpackExcerpts(values: readonly unknown[] | undefined): EvidenceExcerpt[] {
  const excerpts: EvidenceExcerpt[] = []
  for (let from = 0; values && from < values.length; from += EXCERPT_VALUES) {
    const value = (at: number) => values[from + at] as never
    excerpts.push({
      field_path: value(0),
      preview_text: value(1),
      truncated: value(2),
      match_start_chars: value(3),
      match_end_chars: value(4),
      window_start_chars: value(5),
      window_end_chars: value(6),
      total_chars: value(7),
    })
  }
  return excerpts
}
