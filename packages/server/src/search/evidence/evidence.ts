import { charOffset, countChars } from '@pdpp/protocol'
import type { FieldScan, Hit } from '../ranking/match-finder.ts'
import { bestHits, type Span, windowAround } from './evidence-window.ts'
import { GraphemeBorders } from './grapheme.ts'

/** Where a document matches, shown with its surroundings. Offsets count code points of the field. */
export interface EvidenceExcerpt {
  readonly field_path: string
  /**
   * The window of the field with `<mark>…</mark>` around what matched, and "…" where the field goes on. A `<` that
   * begins a mark in the field's own text is shown as `‹`: so every mark is ours, and without our marks and dots the
   * preview is as long as the window, character by character. Without highlighting the text stands as it is.
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
  readonly scan: FieldScan
}

/** What evidence needs to know of the words of the query, in the order in which they were sought. */
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
/** A text that is little longer than the budget is shown whole: the rest would cost a further call. */
const WHOLE = 1.5

/** One excerpt for each field that matches: about `budget` code points of text (marks not counted), at most half more. */
export function evidenceOf(
  fields: readonly EvidenceField[],
  words: readonly EvidenceWord[],
  budget: number,
  highlight = true,
): EvidenceExcerpt[] {
  // "the" is evidence only where nothing better was found anywhere.
  const isContent = ({ word }: Hit) => words[word]!.content
  const hasContent = fields.some(({ scan }) => scan.hits.some(isContent))
  return fields.flatMap(({ path, text, scan }) => {
    const hits = hasContent ? scan.hits.filter(isContent) : scan.hits
    return hits.length === 0 ? [] : [excerpt(path, text, hits, words, budget, highlight)]
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
  const start = charOffset(text, window.start)
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

/** Hits within the window as marks on whole graphemes; those that touch become one. */
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

function plain(text: string, { start, end }: Span): string {
  return (start > 0 ? DOTS : '') + text.slice(start, end) + (end < text.length ? DOTS : '')
}

function marked(text: string, window: Span, marks: readonly Mark[]): string {
  const shown = text.slice(window.start, window.end).replace(OWN_MARK, '‹')
  let [result, at] = [window.start > 0 ? DOTS : '', 0]
  for (const { start, end } of marks) {
    const [from, to] = [start - window.start, end - window.start]
    result += shown.slice(at, from) + OPEN + shown.slice(from, to) + CLOSE
    at = to
  }
  return result + shown.slice(at) + (window.end < text.length ? DOTS : '')
}
