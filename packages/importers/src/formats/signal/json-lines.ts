import { parseJson } from '@pdpp/protocol'
import type { ImportInput, InputPosition } from '../../importer.ts'
import { type JsonObject, objectOf } from '../../reading/json/json-values.ts'
import { numberedLines } from '../../reading/numbered-lines.ts'

const MAX_LINE_CHARS = 16_000_000

export interface JsonLine {
  readonly value: JsonObject
  readonly place: InputPosition
  readonly fault?: string
}

/** The objects of a file with one JSON object on each line. Any other line is a problem. */
export async function* jsonLines(input: ImportInput): AsyncIterable<JsonLine> {
  for await (const { text, line } of numberedLines(input, MAX_LINE_CHARS)) {
    const place = { input: input.name, line }
    if (text.trim() === '') continue
    try {
      yield { value: objectOf(parseJson(text)), place }
    } catch {
      yield { value: {}, place, fault: 'is not JSON' }
    }
  }
}
