import { charOffset, countChars, graphemeAround, PdppError, sliceChars, WINDOW_CHARS } from '@pdpp/protocol'

export interface WindowRequest {
  readonly offsetChars?: number | undefined
  readonly limitChars?: number | undefined
  /** Text to find, ignoring case. The window is placed around its first occurrence. */
  readonly q?: string | undefined
  readonly beforeChars?: number | undefined
  readonly afterChars?: number | undefined
}

export interface FieldWindow {
  readonly text: string
  readonly start_chars: number
  readonly end_chars: number
  readonly total_chars: number
  readonly limit_chars: number
  readonly complete: boolean
  readonly has_more: boolean
  readonly next_offset_chars: number | null
  readonly previous_offset_chars: number | null
  readonly match_start_chars: number | null
  readonly match_end_chars: number | null
}

const DEFAULT_CONTEXT = 512

/**
 * Returns a bounded part of a text. All numbers count code points, so that consecutive windows contain the whole text.
 */
export function windowOf(text: string, request: WindowRequest): FieldWindow {
  const total = countChars(text)
  const match = request.q === undefined ? undefined : findMatch(text, request.q)
  const requested = match
    ? around(match, request)
    : { start: request.offsetChars ?? 0, limit: request.limitChars ?? WINDOW_CHARS.default }
  const { limit } = requested
  if (requested.start > total)
    throw new PdppError(
      'invalid_window',
      `offset_chars ${requested.start} is beyond the end: the field has ${total} characters.`,
      { param: 'offset_chars' },
    )
  const {
    start,
    end,
    text: part,
  } = wholeGraphemes(text, requested.start, Math.min(total, requested.start + limit), match)
  return {
    text: part,
    start_chars: start,
    end_chars: end,
    total_chars: total,
    limit_chars: limit,
    complete: start === 0 && end === total,
    has_more: end < total,
    next_offset_chars: end < total ? end : null,
    previous_offset_chars: start > 0 ? Math.max(0, start - limit) : null,
    match_start_chars: match?.start ?? null,
    match_end_chars: match?.end ?? null,
  }
}

/**
 * Extends the start to before a grapheme such as 👩🏽‍🚀, and moves the end to before it. If the grapheme is all that
 * was requested, or contains the end of the match, the window ends after it.
 */
function wholeGraphemes(text: string, from: number, to: number, match: Match | undefined) {
  const first = sliceChars(text, 0, from).length
  const last = first + sliceChars(text.slice(first), 0, to - from).length
  const head = graphemeAround(text, first).start
  const grapheme = graphemeAround(text, last)
  const start = from - countChars(text.slice(head, first))
  const before = to - countChars(text.slice(grapheme.start, last))
  if (before > from && before >= (match?.end ?? 0))
    return { start, end: before, text: text.slice(head, grapheme.start) }
  return { start, end: to + countChars(text.slice(last, grapheme.end)), text: text.slice(head, grapheme.end) }
}

interface Match {
  readonly start: number
  readonly end: number
}

function findMatch(text: string, q: string): Match {
  // Match on the text itself, because offsets in a lower-case copy can differ.
  const found = new RegExp(q.replace(/[\\^$.*+?()[\]{}|/-]/g, escapeChar), 'iu').exec(text)
  if (!found) throw new PdppError('query_not_found', 'The field does not contain this text.', { param: 'q' })
  const start = charOffset(text, found.index)
  return { start, end: start + countChars(found[0]) }
}

/** Code point escape, because the `u` flag rejects needless backslashes. */
const escapeChar = (char: string): string => `\\u{${char.codePointAt(0)!.toString(16)}}`

function around(
  match: Match,
  { limitChars, beforeChars, afterChars }: WindowRequest,
): { start: number; limit: number } {
  const length = match.end - match.start
  const explicit = beforeChars !== undefined || afterChars !== undefined
  const wantedBefore = beforeChars ?? (explicit ? 0 : DEFAULT_CONTEXT)
  // A small limit reduces the context, so that the match stays inside.
  const room = Math.max(0, (limitChars ?? Number.POSITIVE_INFINITY) - length)
  const before = Math.min(wantedBefore, explicit ? room : Math.floor(room / 2))
  const start = Math.max(0, match.start - before)
  const limit = limitChars ?? (explicit ? match.start - start + length + (afterChars ?? 0) : WINDOW_CHARS.default)
  return { start, limit: Math.max(1, limit) }
}
