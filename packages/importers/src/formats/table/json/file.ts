import type { InputPosition } from '../../../importer.ts'
import { type JsonChoice, readJson } from '../../../reading/json/json-stream.ts'
import { repairedValue } from '../../../reading/repaired-text.ts'
import { excerpt } from '../../../table/excerpt.ts'
import { MAX_ROW_CHARS, type RowItem, type TableFormat } from '../../../table/row.ts'
import { isObject, MAX_DEPTH, TOO_DEEP } from './lines.ts'

/** Reads a list of objects, or a single object: its lists of objects are tables, and its other members are one row. */
export const jsonFile: TableFormat = {
  id: 'json',
  textual: false,

  matches({ name }, { text }) {
    if (text === undefined) return false
    const start = text.trimStart()
    if (start.startsWith('[')) return /\.json(\.gz)?$/i.test(name) || /^\[\s*[{\]]/.test(start)
    return start.startsWith('{') && (/\.json(\.gz)?$/i.test(name) || /^\{\s*"/.test(start))
  },

  async *rows(input, notice) {
    const reader = new RootReader(input.name)
    let [isRepaired, isMended] = [false, false]
    for await (const item of readJson(input, chosen)) {
      const [first, second] = item.path
      const isRow = typeof first === 'number' || second !== undefined
      const table = typeof first === 'string' ? first : ''
      const place = { input: input.name, ...(table === '' ? {} : { table }) }
      if ('cut' in item) return yield { problem: { place: { input: input.name }, kept: false, ...reader.cut() } }
      if ('value' in item && item.depth <= MAX_DEPTH) {
        if (item.isRepaired && !isRepaired)
          notice(`${input.name} has NaN or Infinity, which JSON does not know; they are read as null.`)
        isRepaired ||= item.isRepaired
        const value = repairedValue(item.value)
        if (value !== item.value && !isMended)
          notice(`${input.name} writes letters as bytes, as Facebook does (Ã© for é); they are mended.`)
        isMended ||= value !== item.value
        yield* isRow ? reader.element(table, value) : reader.member(table, value)
      } else {
        const reason = 'fault' in item ? item.fault : TOO_DEEP
        const row = isRow ? { row: reader.count(table) } : { row: 1 }
        const shown = 'excerpt' in item ? { excerpt: excerpt(item.excerpt) } : {}
        yield { problem: { place: { ...place, ...row }, reason, ...shown, kept: false } }
      }
    }
    yield* reader.end()
  },
}

/** Selects the elements of the root list, or the elements of the lists in the root object and its other members. */
const chosen: JsonChoice = (path, kind) => {
  if (path.length === 0 && kind !== 'other') return 'inside'
  return path.length === 1 && typeof path[0] === 'string' && kind === 'list' ? 'inside' : { as: '' }
}

class RootReader {
  readonly #input: string
  readonly #counts = new Map<string, number>()
  /** Lists that do not begin with an object. They are members, not tables. */
  readonly #lists = new Map<string, unknown[]>()
  readonly #rest: Record<string, unknown> = Object.create(null) // a member may be called __proto__
  #chars = 0

  constructor(input: string) {
    this.#input = input
  }

  count(table: string): number {
    const row = (this.#counts.get(table) ?? 0) + 1
    this.#counts.set(table, row)
    return row
  }

  *element(table: string, value: unknown): Iterable<RowItem> {
    const isMember = this.#lists.has(table) || (table !== '' && !this.#counts.has(table) && !isObject(value))
    if (isMember) {
      const list = this.#lists.get(table) ?? []
      this.#lists.set(table, list)
      yield* this.#add(table, value, () => list.push(value))
      return
    }
    const row = this.count(table)
    yield { row: { table, row, values: isObject(value) ? value : { value }, isBare: !isObject(value) } }
  }

  *member(name: string, value: unknown): Iterable<RowItem> {
    yield* this.#add(name, value, () => {
      this.#rest[name] = value
    })
  }

  /** The text ended inside the root object. Its members would make one row, and an incomplete row is not imported. */
  cut(): { reason: string; place?: InputPosition } {
    const reason = 'the file ends in the middle; what follows is missing'
    const names = [...Object.keys(this.#rest), ...this.#lists.keys()]
    if (names.length === 0) return { reason }
    const shown = names.slice(0, 5).map((name) => `"${name.slice(0, 60)}"`)
    const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : ''
    return {
      reason: `${reason}, and the values outside its lists are left out: ${shown.join(', ')}${more}`,
      place: { input: this.#input, row: 1 },
    }
  }

  /** Returns the members that are not tables as one row. */
  *end(): Iterable<RowItem> {
    for (const [name, list] of this.#lists) this.#rest[name] = list
    if (Object.keys(this.#rest).length > 0) yield { row: { table: '', row: 1, values: this.#rest } }
  }

  *#add(name: string, value: unknown, keep: () => void): Iterable<RowItem> {
    this.#chars += typeof value === 'object' || typeof value === 'string' ? JSON.stringify(value).length : 8
    if (this.#chars <= MAX_ROW_CHARS) return keep()
    const place = { input: this.#input, row: 1 }
    const reason = `has more than ${MAX_ROW_CHARS} characters outside its lists; "${name.slice(0, 60)}" is left out`
    yield { problem: { place, reason, kept: true } }
  }
}
