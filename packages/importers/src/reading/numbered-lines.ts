import type { ImportInput } from '../importer.ts'
import { decodeText, encodingOf } from './text-encoding.ts'

export interface NumberedLine {
  /**
   * The line without its line break. A line that exceeds the limit is cut just beyond it, which is enough to report it.
   */
  readonly text: string
  /** Counted from 1. */
  readonly line: number
}

/** The lines of a text file of any size and encoding. */
export async function* numberedLines(input: ImportInput, maxChars: number): AsyncIterable<NumberedLine> {
  yield* linesOf(decodeText(input, await encodingOf(input)), maxChars)
}

/** Joins pieces of text and cuts them at line breaks. */
async function* linesOf(pieces: AsyncIterable<string>, maxChars: number): AsyncIterable<NumberedLine> {
  let held: string[] = []
  let size = 0
  let line = 1
  const keep = (text: string) => {
    if (size <= maxChars) held.push(text)
    size += text.length
  }
  const finish = () => {
    const whole = held.join('')
    const text = whole.endsWith('\r') ? whole.slice(0, -1) : whole
    held = []
    size = 0
    return { text, line: line++ }
  }
  for await (const piece of pieces) {
    let start = 0
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', start)) {
      keep(piece.slice(start, end))
      yield finish()
      start = end + 1
    }
    keep(piece.slice(start))
  }
  if (size > 0) yield finish()
}
