/**
 * Offsets on every surface count Unicode code points, while JavaScript strings count UTF-16 units. This file converts
 * between the two.
 */

/** A text without the first half of a pair has no pairs. One unit is found faster than two. */
const ASTRAL = /[\ud800-\udbff]/
/** Created on first use, because that takes ten milliseconds. */
let graphemes: Intl.Segmenter | undefined

export function countChars(text: string): number {
  if (!ASTRAL.test(text)) return text.length
  let count = 0
  for (let index = 0; index < text.length; count++) index += unitsAt(text, index)
  return count
}

/** Code points from `start` up to but not including `end`. */
export function sliceChars(text: string, start: number, end: number): string {
  if (!ASTRAL.test(text)) return text.slice(start, end)
  const from = unitOffset(text, start, 0)
  return text.slice(from, unitOffset(text, end - start, from))
}

/** Number of code points before a UTF-16 offset. */
export function charOffset(text: string, unit: number): number {
  return countChars(text.slice(0, unit))
}

function unitOffset(text: string, chars: number, from: number): number {
  let index = from
  for (let seen = 0; seen < chars && index < text.length; seen++) index += unitsAt(text, index)
  return index
}

function unitsAt(text: string, index: number): number {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
}

/** Max. UTF-16 units of a grapheme that is kept whole. Longer ones are stacked marks and may be split. */
const MAX_GRAPHEME_UNITS = 64

/**
 * Returns the grapheme that contains a UTF-16 offset. If the offset is between two graphemes, start and end equal the
 * offset. Only looks at nearby text, so that long texts cost no more.
 */
export function graphemeAround(text: string, unit: number): { start: number; end: number } {
  const between = { start: unit, end: unit }
  if (unit <= 0 || unit >= text.length) return between
  const from = Math.max(0, unit - MAX_GRAPHEME_UNITS)
  graphemes ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  const found = graphemes.segment(text.slice(from, unit + MAX_GRAPHEME_UNITS)).containing(unit - from)
  // A grapheme that begins where the slice begins may be longer than the slice. It is too long to keep whole.
  if (found === undefined || from + found.index === unit || (found.index === 0 && from > 0)) return between
  return { start: from + found.index, end: from + found.index + found.segment.length }
}

/** Returns at most `chars` code points and never splits a grapheme. Always returns at least one grapheme. */
export function sliceGraphemes(text: string, chars: number): string {
  const head = sliceChars(text, 0, chars)
  const { start, end } = graphemeAround(text, head.length)
  return text.slice(0, start === 0 ? end : start)
}

/** Start of a text: at most `limit` code points, never splits a grapheme, and ends in "…" if it was cut. */
export function previewChars(text: string, limit: number): string {
  if (text.length <= limit) return text
  const head = sliceChars(text, 0, limit + 64)
  if (countChars(head) <= limit) return head
  let preview = ''
  let chars = 0
  graphemes ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  for (const { segment } of graphemes.segment(head)) {
    chars += countChars(segment)
    if (chars > limit) break
    preview += segment
  }
  return `${preview}…`
}
