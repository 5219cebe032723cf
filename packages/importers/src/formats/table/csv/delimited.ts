import type { ImportInput, ImportProblem } from '../../../importer.ts'
import { decodeText, encodingOf, type TextEncoding } from '../../../reading/text-encoding.ts'
import { excerpt } from '../../../table/excerpt.ts'
import { MAX_ROW_CHARS, type RowItem, type TableFormat } from '../../../table/row.ts'
import { DelimitedReader, type DelimitedRecord } from './delimited-text.ts'
import { hasHeader } from './header.ts'

/** The comma comes last, because numbers contain it in files with another delimiter: `Rent;900,00`. */
const DELIMITERS = ['\t', ';', '|', ',']
const SNIFFED_RECORDS = 20
const SNIFFED_CHARS = 65_536

export const delimited: TableFormat = {
  id: 'csv',
  textual: true,

  matches({ name }, { text }) {
    if (text === undefined || text.trim() === '') return false
    if (/\.(csv|tsv|tab)(\.gz)?$/i.test(name)) return true
    return /\.(txt|text)?(\.gz)?$/i.test(name) && sniff(text).agreement > 0.9
  },

  async *rows(input, notice, _tables, header) {
    const encoding = await encodingOf(input)
    if (!encoding.startsWith('utf-'))
      notice(`${input.name} is not UTF-8; it is read as ${encoding}. Save it as UTF-8 if letters come out wrong.`)
    let reader: RecordRows | undefined
    for await (const record of records(input, encoding)) {
      reader ??= new RecordRows(input, notice, header)
      yield* reader.take(record)
    }
    if (reader) yield* reader.end()
  },
}

async function* records(input: ImportInput, encoding: TextEncoding): AsyncIterable<DelimitedRecord> {
  let reader: DelimitedReader | undefined
  let start = ''
  for await (const text of decodeText(input, encoding)) {
    if (reader) {
      yield* reader.add(text)
      continue
    }
    start += text
    if (start.length < SNIFFED_CHARS) continue
    reader = new DelimitedReader(delimiterOf(start))
    yield* reader.add(withoutSeparatorLine(start))
  }
  if (!reader && start !== '') {
    reader = new DelimitedReader(delimiterOf(start))
    yield* reader.add(withoutSeparatorLine(start))
  }
  if (reader) yield* reader.end()
}

/** Programs tell Excel the delimiter in a first line of its own: `sep=;`. */
const SEPARATOR_LINE = /^(\ufeff?)"?sep=([\t;|,])"?(?=[\r\n])/i

/** The line stays as an empty one, so that all others keep their numbers. */
const withoutSeparatorLine = (text: string): string => text.replace(SEPARATOR_LINE, '$1')

/** Lines of text before a table are considered only if no delimiter fits from the first line on. */
function delimiterOf(text: string): string {
  const named = SEPARATOR_LINE.exec(text)?.[2]
  if (named !== undefined) return named
  const { delimiter, agreement } = sniff(text)
  return agreement > 0 ? delimiter : sniff(text, true).delimiter
}

/** The delimiter with which most records have the same number of cells. */
function sniff(text: string, hasPreamble = false): { delimiter: string; agreement: number } {
  const scored = DELIMITERS.map((delimiter) => {
    const reader = new DelimitedReader(delimiter)
    const counts = [...take(reader.add(text.slice(0, SNIFFED_CHARS)), SNIFFED_RECORDS)].map(({ cells }) => cells.length)
    if (counts.length < SNIFFED_RECORDS)
      counts.push(...[...take(reader.end(), SNIFFED_RECORDS)].map(({ cells }) => cells.length))
    if (hasPreamble) counts.splice(0, preambleLength(counts))
    const first = counts[0] ?? 0
    const agreement = first < 2 ? 0 : counts.filter((count) => count === first).length / counts.length
    return { delimiter, agreement }
  })
  const best = scored.toSorted((a, b) => b.agreement - a.agreement)[0]!
  return best.agreement === 0 ? { delimiter: ',', agreement: 0 } : best
}

function* take<T>(items: Iterable<T>, limit: number): Iterable<T> {
  let count = 0
  for (const item of items) {
    yield item
    if (++count === limit) return
  }
}

/** Max. lines of text before a table. */
const MAX_PREAMBLE = 15

/**
 * The number of short records before a table, such as the title, the account and the balance of a bank statement. The
 * table is at least twice as wide as each of them. One short record of several cells is the header of a table with too
 * many cells in its rows.
 */
function preambleLength(counts: readonly number[]): number {
  let widest = counts[0] ?? 0
  for (let start = 1; start <= MAX_PREAMBLE && start < counts.length - 1; start++) {
    const [width = 0, ...rows] = counts.slice(start)
    const isTable = width >= 2 * widest && rows.every((count) => count >= width - 1 && count > 1)
    const isEven = start > 1 && rows.every((count) => count <= width + 1)
    if (isTable && (widest === 1 || isEven)) return start
    widest = Math.max(widest, width)
  }
  return 0
}

/** Names the cells of records. The first few records show whether the first one is a header. */
class RecordRows {
  readonly #input: ImportInput
  readonly #notice: (text: string) => void
  readonly #hasHeader: boolean | undefined
  #first: DelimitedRecord[] = []
  #chars = 0
  #columns: string[] | undefined
  #row = 0

  constructor(input: ImportInput, notice: (text: string) => void, header: boolean | undefined) {
    this.#input = input
    this.#notice = notice
    this.#hasHeader = header
  }

  *take(record: DelimitedRecord): Iterable<RowItem> {
    if (this.#columns) return yield* this.#item(record)
    this.#first.push(record)
    for (const cell of record.cells) this.#chars += cell.length
    if (this.#first.length > SNIFFED_RECORDS || this.#chars > SNIFFED_CHARS) yield* this.#begin()
  }

  *end(): Iterable<RowItem> {
    if (!this.#columns) yield* this.#begin()
  }

  *#begin(): Iterable<RowItem> {
    const records = this.#first
    const before = records.splice(0, preambleLength(records.map(({ cells }) => cells.length)))
    if (before.length > 0)
      this.#notice(
        `${this.#input.name} begins with ${before.length} lines that are not part of the table; they are left out.`,
      )
    const [first, ...others] = records.filter(({ tooLong }) => !tooLong)
    this.#first = []
    const header =
      this.#hasHeader ??
      hasHeader(
        first?.cells ?? [],
        others.map(({ cells }) => cells),
      )
    this.#columns = columnNames(header ? (first?.cells ?? []) : (first?.cells ?? []).map(() => ''))
    if (!header) this.#notice(`${this.#input.name} has no row of names; its columns are called ${this.#columns[0]}, …`)
    for (const record of records) if (!header || record !== first) yield* this.#item(record)
  }

  *#item(record: DelimitedRecord): Iterable<RowItem> {
    if (record.tooLong) yield this.#left(record)
    else yield* this.#named(record)
  }

  #left({ cells, line }: DelimitedRecord): RowItem {
    const place = { input: this.#input.name, row: ++this.#row, line }
    const reason = `is longer than ${MAX_ROW_CHARS} characters`
    return { problem: { place, reason, excerpt: excerpt(cells.join(' ')), kept: false } }
  }

  *#named({ cells, line, fault }: DelimitedRecord): Iterable<RowItem> {
    const row = ++this.#row
    const columns = this.#columns!
    const problem = (reason: string, text: string): { problem: ImportProblem } => ({
      problem: { place: { input: this.#input.name, row, line }, reason, excerpt: excerpt(text), kept: true },
    })
    const values: Record<string, unknown> = Object.create(null) // a column may be called __proto__
    for (const [at, column] of columns.entries()) values[column] = cells[at] ?? ''
    yield { row: { table: '', row, line, values } }
    if (fault !== undefined) yield problem(fault, cells.join(' '))
    const surplus = cells.slice(columns.length)
    if (cells.length < columns.length)
      yield problem(`has ${cells.length} of ${columns.length} cells; the others stay empty`, cells.join(' '))
    if (surplus.some((cell) => cell.trim() !== ''))
      yield problem(`has ${cells.length} cells for ${columns.length} columns; the rest was left out`, surplus.join(' '))
  }
}

/** Makes names unique and never empty: `name`, `name_2`, `column_3`. */
function columnNames(cells: readonly string[]): string[] {
  const seen = new Set<string>()
  return cells.map((cell, at) => {
    const base = cell.trim() === '' ? `column_${at + 1}` : cell.trim()
    let name = base
    for (let count = 2; seen.has(name); count++) name = `${base}_${count}`
    seen.add(name)
    return name
  })
}
