import { createRequire } from 'node:module'

type StringWidth = typeof import('string-width').default

const require = createRequire(import.meta.url)
let stringWidth: StringWidth | undefined
let segmenter: Intl.Segmenter | undefined

/** Number of terminal columns that a text takes: two for East Asian characters and emoji, none for combining marks. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  // Loading the library takes longer than starting a small command, and most texts are ASCII.
  stringWidth ??= (require('string-width') as { default: StringWidth }).default
  return stringWidth(text)
}

/** Shortens a text to `columns` columns. A cut text ends in "…", and no character is split. */
export function cutToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  let width = 0
  let start = ''
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  for (const { segment } of segmenter.segment(text)) {
    width += displayWidth(segment)
    if (width > columns - 1) break
    start += segment
  }
  return `${start.trimEnd()}…`
}

export function padToWidth(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)))
}

/** Breaks a text into lines of at most `columns` columns, between words. A longer word stays whole. */
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
