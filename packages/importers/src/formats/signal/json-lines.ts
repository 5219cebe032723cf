import { parseJson } from '@pdpp/protocol'
import type { ImportInput, InputPosition } from '../../importer.ts'
import { type JsonObject, objectOf } from '../../reading/json-values.ts'
import { textLines } from '../../reading/text-lines.ts'

const MAX_LINE_CHARS = 16_000_000

export interface JsonLine {
  readonly value: JsonObject
  readonly place: InputPosition
  readonly fault?: string
}

/** The objects of a file with one object a line. A line that is none is a fault. */
export async function* jsonLines(input: ImportInput): AsyncIterable<JsonLine> {
  let line = 0
  for await (const text of textLines(input, MAX_LINE_CHARS)) {
    const place = { input: input.name, line: ++line }
    if (text.trim() === '') continue
    try {
      yield { value: objectOf(parseJson(text)), place }
    } catch {
      yield { value: {}, place, fault: 'is not JSON' }
    }
  }
}
