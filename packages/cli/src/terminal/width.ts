import { stripVTControlCharacters } from 'node:util'

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff00-\uff60\u3000-\u303f]/u
const NOTHING = /^[\p{Mn}\p{Me}\p{Cf}]$/u
let segmenter: Intl.Segmenter | undefined

/** Made when it is needed: that takes longer than loading the rest of a small command, and most text is plain. */
function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text)
}

/** How many columns a text takes on a terminal: East Asian characters and pictures take two. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes(stripVTControlCharacters(text))) width += widthOf(segment)
  return width
}

const widthOf = (grapheme: string): number => (WIDE.test(grapheme) ? 2 : NOTHING.test(grapheme) ? 0 : 1)

/** At most so many columns, cut where it can be seen and never inside a character. */
export function cutToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  let width = 0
  let kept = ''
  for (const { segment } of graphemes(text)) {
    width += widthOf(segment)
    if (width > columns - 1) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

export function padToWidth(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)))
}

/** Lines of at most so many columns, broken between words where there are any. */
export function wrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => {
    const lines: string[] = []
    let current = ''
    for (const word of line.split(/(?<=\s)/)) {
      if (displayWidth(current + word.trimEnd()) > columns && current.trim() !== '') {
        lines.push(current.trimEnd())
        current = ''
      }
      current += word
    }
    return [...lines, current.trimEnd()]
  })
}
