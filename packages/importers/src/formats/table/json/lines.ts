import { isDeeper, MAX_RECORD_DEPTH, parseJson } from '@pdpp/protocol'
import { withoutNaN } from '../../../reading/json/json-stream.ts'
import { numberedLines } from '../../../reading/numbered-lines.ts'
import { excerpt } from '../../../table/excerpt.ts'
import { MAX_ROW_CHARS, type RowItem, type TableFormat } from '../../../table/row.ts'

export const jsonLines: TableFormat = {
  id: 'jsonl',
  textual: false,

  matches({ name }, { text, whole }) {
    if (text === undefined || !text.trimStart().startsWith('{')) return false
    if (/\.(jsonl|ndjson|jsonlines|ldjson)(\.gz)?$/i.test(name)) return true
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    const complete = whole ? lines : lines.slice(0, -1)
    return complete.length > 1 && complete.slice(0, 5).every((line) => isObject(tryParse(line)))
  },

  async *rows(input, notice) {
    let row = 0
    let repaired = false
    for await (const { text, line } of numberedLines(input, MAX_ROW_CHARS)) {
      if (text.trim() === '') continue
      row++
      const place = { input: input.name, row, line }
      if (text.length > MAX_ROW_CHARS) {
        yield { problem: { place, reason: `is longer than ${MAX_ROW_CHARS} characters`, kept: false } }
        continue
      }
      let value = tryParse(text)
      if (value === undefined) {
        value = tryParse(withoutNaN(text))
        if (value !== undefined && !repaired) {
          repaired = true
          notice(`${input.name} has NaN or Infinity, which JSON does not know; they are read as null.`)
        }
      }
      yield toItem(value, text, row, line, place)
    }
  },
}

function toItem(
  value: unknown,
  text: string,
  row: number,
  line: number,
  place: { input: string; row: number; line: number },
): RowItem {
  if (isTooDeep(text)) return { problem: { place, reason: TOO_DEEP, kept: false } }
  if (isObject(value)) return { row: { table: '', row, line, values: value } }
  const reason = value === undefined ? 'is not JSON' : 'is not a JSON object'
  return { problem: { place, reason, excerpt: excerpt(text), kept: false } }
}

function tryParse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** One level less than the max. depth of a record, because the row is sent inside another object. */
export const MAX_DEPTH = MAX_RECORD_DEPTH - 1
export const TOO_DEEP = `is nested deeper than ${MAX_DEPTH} levels`

const isTooDeep = (text: string): boolean => text.length > 2 * MAX_DEPTH && isDeeper(text, MAX_DEPTH)

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
