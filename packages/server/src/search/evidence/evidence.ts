import { charOffset, countChars } from '@pdpp/protocol/reading'
import { bestHits, type Span, textOf, windowAround } from './evidence-window.ts'
import { GraphemeBorders } from './grapheme.ts'
import type { Hit } from './match-finder.ts'

/** An excerpt that shows a match in its context. Offsets count code points of the field. */
export interface EvidenceExcerpt {
  readonly field_path: string
  /**
   * The window of the field, with `<mark>…</mark>` around matches and "…" at cuts. A `<` that begins a mark in the
   * field's own text becomes `‹`, so every mark is ours. Without our marks and dots the preview has exactly the
   * characters of the window. Without highlighting the text is unchanged.
   */
  readonly preview_text: string
  readonly truncated: boolean
  readonly match_start_chars: number
  readonly match_end_chars: number
  readonly window_start_chars: number
  readonly window_end_chars: number
  readonly total_chars: number
}

export interface EvidenceField {
  readonly path: string
  readonly text: string
  /** The occurrences of query words in the text, in their order. */
  readonly hits: readonly Hit[]
}

/** Facts about a query word, in the order of the query words. */
export interface EvidenceWord {
  readonly weight: number
  readonly content: boolean
}

interface Mark extends Span {
  readonly weight: number
}

const OPEN = '<mark>'
const CLOSE = '</mark>'
const OWN_MARK = /<(?=\/?mark[\s/>])/gi
const DOTS = '…'
/**
 * A text of up to this many times the budget is shown whole. Otherwise the note about how to read on would be as long
 * as the rest of the text, and another call costs more.
 */
export const WHOLE = 1.35

/** Returns one excerpt per matching field, of about `budget` code points without marks and at most a third more. */
export function evidenceOf(
  fields: readonly EvidenceField[],
  words: readonly EvidenceWord[],
  budget: number,
  highlight = true,
): EvidenceExcerpt[] {
  // Function words such as "the" are only shown if no field matches a content word.
  const isContent = ({ word }: Hit) => words[word]!.content
  const hasContent = fields.some(({ hits }) => hits.some(isContent))
  return fields.flatMap(({ path, text, hits }) => {
    const proving = hasContent ? hits.filter(isContent) : hits
    return proving.length === 0 ? [] : [excerpt(path, text, proving, words, budget, highlight)]
  })
}

function excerpt(
  path: string,
  text: string,
  hits: readonly Hit[],
  words: readonly EvidenceWord[],
  budget: number,
  highlight: boolean,
) {
  const borders = new GraphemeBorders(text)
  const total = countChars(text)
  const window =
    total <= WHOLE * budget ? { start: 0, end: text.length } : bestWindow(text, hits, words, budget, borders)
  const marks = marksIn(window, hits, words, borders)
  const match = marks.reduce<Mark | Span>((best, mark) => (weightOf(mark) > weightOf(best) ? mark : best), {
    start: window.start,
    end: window.start,
  })
  const start = total === text.length ? window.start : charOffset(text, window.start)
  const chars = (unit: number) => start + countChars(text.slice(window.start, unit))
  return {
    field_path: path,
    preview_text: highlight ? marked(text, window, marks) : plain(text, window),
    truncated: window.start > 0 || window.end < text.length,
    match_start_chars: chars(match.start),
    match_end_chars: chars(match.end),
    window_start_chars: start,
    window_end_chars: chars(window.end),
    total_chars: total,
  }
}

function bestWindow(
  text: string,
  hits: readonly Hit[],
  words: readonly EvidenceWord[],
  budget: number,
  borders: GraphemeBorders,
): Span {
  const units = Math.max(1, budget - 2 * DOTS.length)
  const core = bestHits(
    hits,
    words.map(({ weight }) => weight),
    units,
  )
  return windowAround(text, { start: borders.before(core.start), end: borders.after(core.end) }, units, borders)
}

/** Turns the hits inside the window into marks on grapheme borders, and merges marks that touch. */
function marksIn(window: Span, hits: readonly Hit[], words: readonly EvidenceWord[], borders: GraphemeBorders): Mark[] {
  const marks: Mark[] = []
  for (const hit of hits) {
    if (hit.start >= window.end) break
    const start = Math.max(window.start, borders.before(hit.start))
    const end = Math.min(window.end, borders.after(hit.end))
    if (start >= end || hit.end <= window.start) continue
    const weight = words[hit.word]!.weight * hit.closeness
    const last = marks.at(-1)
    if (!last || start > last.end) marks.push({ start, end, weight })
    else
      marks[marks.length - 1] = {
        start: last.start,
        end: Math.max(last.end, end),
        weight: Math.max(last.weight, weight),
      }
  }
  return marks
}

const weightOf = (mark: Mark | Span): number => ('weight' in mark ? mark.weight : -1)

function plain(text: string, window: Span): string {
  return (window.start > 0 ? DOTS : '') + textOf(text, window) + (window.end < text.length ? DOTS : '')
}

function marked(text: string, window: Span, marks: readonly Mark[]): string {
  const visible = textOf(text, window).replace(OWN_MARK, '‹')
  let [result, at] = [window.start > 0 ? DOTS : '', 0]
  for (const { start, end } of marks) {
    const [from, to] = [start - window.start, end - window.start]
    result += visible.slice(at, from) + OPEN + visible.slice(from, to) + CLOSE
    at = to
  }
  return result + visible.slice(at) + (window.end < text.length ? DOTS : '')
}
