import { parseJson } from '@pdpp/protocol'
import type { ImportInput, InputHead, InputPosition } from '../../importer.ts'
import { numberedLines } from '../numbered-lines.ts'
import { isObject } from './json-members.ts'
import type { JsonObject } from './json-values.ts'

export type JsonLine =
  | { readonly value: JsonObject; readonly text: string; readonly place: InputPosition }
  | { readonly fault: string; readonly place: InputPosition }

/** Max. characters of a line. A line may contain pictures. */
const MAX_LINE_CHARS = 64_000_000
/** Number of lines that are read to recognise a file. */
const RECOGNITION_LINES = 20

/** The objects of a file with one JSON object on each line. */
export async function* jsonLines(input: ImportInput): AsyncIterable<JsonLine> {
  for await (const { text, line } of numberedLines(input, MAX_LINE_CHARS)) {
    const place = { input: input.name, line }
    if (text.trim() === '') continue
    if (text.length > MAX_LINE_CHARS) yield { fault: `is longer than ${MAX_LINE_CHARS} characters`, place }
    else {
      const value = parsed(text)
      yield isObject(value) ? { value, text, place } : { fault: 'is not a JSON object', place }
    }
  }
}

/** The first objects of a file with one JSON object on each line. Empty if the file has another format. */
export function firstJsonLines({ text = '', whole }: InputHead): JsonObject[] {
  if (!/^\s*\{/.test(text)) return []
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const complete = (whole ? lines : lines.slice(0, -1)).slice(0, RECOGNITION_LINES).map(parsed)
  // The last line may be cut off, and a line in between may be damaged.
  return isObject(complete[0]) ? complete.filter(isObject) : []
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
