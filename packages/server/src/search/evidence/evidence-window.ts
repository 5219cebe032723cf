import type { GraphemeBorders } from './grapheme.ts'
import type { Hit } from './match-finder.ts'

/** UTF-16 offsets; `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A text of at least this many units is not kept in memory for a part of it. */
const LONG_UNITS = 1024
/** Max. UTF-16 units by which a cut is moved to a word border. */
const WORD_SEARCH = 24
const SPACE = /\s/

/**
 * Finds the span of hits that fits into `budget` units and has the highest weight. Each query word counts once, so two
 * different words beat one word three times. Ties go to the shorter, then to the earlier span.
 */
export function bestHits(hits: readonly Hit[], weights: readonly number[], budget: number): Span {
  let best: Span = hits[0]!
  let bestWeight = -1
  const inside = new Map<number, number>()
  let [first, weight] = [0, 0]
  for (const hit of hits) {
    if (add(inside, hit.word, 1) === 1) weight += weights[hit.word]!
    while (first < hits.length && hits[first] !== hit && tooFar(hits[first]!, hit, budget, inside)) {
      if (add(inside, hits[first]!.word, -1) === 0) weight -= weights[hits[first]!.word]!
      first++
    }
    const span = { start: hits[first]!.start, end: hit.end }
    const gain = weight - bestWeight
    const tighter = span.end - span.start < best.end - best.start
    if (gain > 1e-9 || (gain > -1e-9 && tighter)) [best, bestWeight] = [span, weight]
  }
  return best
}

/** The first hit leaves the span if it does not fit, or if its word occurs again later. */
function tooFar(first: Hit, last: Hit, budget: number, inside: ReadonlyMap<number, number>): boolean {
  return last.end - first.start > budget || inside.get(first.word)! > 1
}

function add(counts: Map<number, number>, word: number, change: number): number {
  const count = (counts.get(word) ?? 0) + change
  counts.set(word, count)
  return count
}

/** The text of a span, as a copy: an ordinary slice would keep the whole of a long text in memory. */
export function textOf(text: string, { start, end }: Span): string {
  const part = text.slice(start, end)
  return text.length < LONG_UNITS ? part : ` ${part}`.slice(1)
}

/** Extends the span with context on both sides until the budget is used. One side gets what the other does not need. */
export function windowAround(text: string, core: Span, budget: number, borders: GraphemeBorders): Span {
  const spare = Math.max(0, budget - (core.end - core.start))
  const left = Math.min(core.start, Math.max(Math.floor(spare / 2), spare - (text.length - core.end)))
  const start = core.start - left
  // A match may be longer than the whole budget.
  const end = Math.min(text.length, core.end + spare - left, core.start + budget)
  return {
    start: cutStart(text, start, core.start, borders),
    end: cutEnd(text, end, core.end, borders),
  }
}

/** Moves the start right to the next word, or at least to a grapheme border, but never past the match. */
function cutStart(text: string, start: number, latest: number, borders: GraphemeBorders): number {
  if (start === 0) return 0
  for (let at = start; at < Math.min(latest, start + WORD_SEARCH); at++) {
    if (SPACE.test(text[at - 1]!) && !SPACE.test(text[at]!)) return borders.after(at)
  }
  return Math.min(borders.after(start), latest)
}

/** Moves the end left in the same way, but never into a match that fits. */
function cutEnd(text: string, end: number, earliest: number, borders: GraphemeBorders): number {
  if (end === text.length) return end
  for (let at = end; at >= Math.max(earliest, end - WORD_SEARCH); at--) {
    if (SPACE.test(text[at]!) && !SPACE.test(text[at - 1] ?? ' ')) return borders.before(at)
  }
  return borders.before(end)
}
