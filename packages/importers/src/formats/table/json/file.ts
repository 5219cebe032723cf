import type { ImportInput } from '../../../importer.ts'
import { readAll, readHead } from '../../../reading/input-bytes.ts'
import { decodeText, detectEncoding, encodingOf } from '../../../reading/text-encoding.ts'
import { excerpt } from '../../../table/excerpt.ts'
import { MAX_ROW_CHARS, type RowItem, type TableFormat } from '../../../table/row.ts'
import { JsonElements } from './elements.ts'
import { isObject, isTooDeep, TOO_DEEP, tryParse, withoutNaN } from './lines.ts'

/** Reads a list of objects, an object with such lists, or one object. */
export const jsonFile: TableFormat = {
  id: 'json',
  textual: false,

  matches({ name }, { text }) {
    if (text === undefined) return false
    const start = text.trimStart()
    if (start.startsWith('[')) return /\.json(\.gz)?$/i.test(name) || /^\[\s*[{\]]/.test(start)
    return start.startsWith('{') && (/\.json(\.gz)?$/i.test(name) || /^\{\s*"/.test(start))
  },

  async *rows(input, notice, tables) {
    const head = await readHead(input, 4096)
    const rootIsList = new TextDecoder(detectEncoding(head)).decode(head).trimStart().startsWith('[')
    if (!rootIsList && (tables?.includes('') || (tables === undefined && !(await hasLists(input)))))
      yield* single(input)
    else yield* listed(input, notice)
  },
}

async function* listed(input: ImportInput, notice: (text: string) => void): AsyncIterable<RowItem> {
  const counts = new Map<string, number>()
  const elements = new JsonElements()
  let repaired = false
  for await (const piece of decodeText(input, await encodingOf(input))) {
    for (const { list, text, tooLong } of elements.add(piece)) {
      const row = (counts.get(list) ?? 0) + 1
      counts.set(list, row)
      const place = { input: input.name, row, ...(list === '' ? {} : { table: list }) }
      if (tooLong) {
        yield { problem: { place, reason: `is longer than ${MAX_ROW_CHARS} characters`, kept: false } }
        continue
      }
      let value = tryParse(text)
      if (value === undefined) {
        value = tryParse(withoutNaN(text))
        if (value !== undefined && !repaired)
          notice(`${input.name} has NaN or Infinity, which JSON does not know; they are read as null.`)
        repaired ||= value !== undefined
      }
      if (value === undefined) yield { problem: { place, reason: 'is not JSON', excerpt: excerpt(text), kept: false } }
      else if (isTooDeep(text)) yield { problem: { place, reason: TOO_DEEP, kept: false } }
      else yield { row: { table: list, row, values: isObject(value) ? value : { value } } }
    }
  }
  if (!elements.ended)
    yield {
      problem: {
        place: { input: input.name },
        reason: 'the file ends in the middle; what follows is missing',
        kept: false,
      },
    }
}

async function* single(input: ImportInput): AsyncIterable<RowItem> {
  const place = { input: input.name, row: 1 }
  const all = await readAll(input, MAX_ROW_CHARS)
  if ('tooLarge' in all) {
    yield { problem: { place, reason: `is one object of ${all.tooLarge} bytes, which is too large`, kept: false } }
    return
  }
  const text = new TextDecoder(detectEncoding(all.bytes)).decode(all.bytes)
  const value = tryParse(text) ?? tryParse(withoutNaN(text))
  if (isTooDeep(text)) yield { problem: { place, reason: TOO_DEEP, kept: false } }
  else if (isObject(value)) yield { row: { table: '', row: 1, values: value } }
  else yield { problem: { place, reason: 'is not JSON', excerpt: excerpt(text), kept: false } }
}

/** True if the root object has a list of objects within the part that is searched. */
async function hasLists(input: ImportInput): Promise<boolean> {
  const elements = new JsonElements()
  let read = 0
  for await (const piece of decodeText(input, await encodingOf(input))) {
    for (const { text, tooLong } of elements.add(piece)) if (!tooLong && isObject(tryParse(text))) return true
    read += piece.length
    if (read > 4 * MAX_ROW_CHARS) return false
  }
  return false
}
