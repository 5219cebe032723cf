import type { ImportInput } from '../importer.ts'
import { decodeText, encodingOf } from './text-encoding.ts'

/** The lines of a text, without their ends. A line that is longer than the limit comes in parts. */
export async function* textLines(input: ImportInput, maxChars: number): AsyncIterable<string> {
  let rest = ''
  for await (const piece of decodeText(input, await encodingOf(input))) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop()!
    // A line without end would fill the memory.
    if (rest.length > maxChars) {
      lines.push(rest)
      rest = ''
    }
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line
  }
  if (rest !== '') yield rest
}
