import { createHash, createHmac } from 'node:crypto'
import { canonicalJson, canonicalKey, isFieldName, type StreamDeclaration } from '@pdpp/protocol'
import type { ImportItem, ImportProblem, InputPosition, ReadTally } from '../importer.ts'
import { SeenKeys } from '../reading/seen-keys.ts'
import { EqualRows, TOO_MANY_EQUAL } from './equal-rows.ts'
import { excerpt } from './excerpt.ts'
import { readValue, scalarText, UNFIT } from './infer/values.ts'
import type { KeptTable } from './plan/declaration.ts'
import type { Row } from './row.ts'

const MAX_NEW_NAMES = 20

const DESCRIPTIONS: Record<string, string> = {
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  'date-time': 'a date and time',
  date: 'a date',
}

/** Makes records from the rows of one stream, and reports what does not fit. */
export class RowRecords {
  readonly #stream: StreamDeclaration
  readonly #kept: KeptTable
  readonly #textual: boolean
  readonly #tally: ReadTally | undefined
  readonly #columns: ReadonlySet<string>
  readonly #seen: SeenKeys
  /** Only for rows whose content makes their key. */
  readonly #equals: EqualRows | undefined
  readonly #unexpected = new Set<string>()

  constructor(stream: StreamDeclaration, kept: KeptTable, textual: boolean, tally?: ReadTally) {
    this.#tally = tally
    this.#stream = stream
    this.#seen = keysOf(stream.name, tally)
    this.#kept = kept
    this.#textual = textual
    this.#equals = kept.content && new EqualRows()
    this.#columns = new Set(kept.columns.map(({ column }) => column))
  }

  *read(row: Row, input: string): Iterable<ImportItem> {
    const place: InputPosition = {
      input,
      ...(row.table === '' ? {} : { table: row.table }),
      row: row.row,
      ...(row.line === undefined ? {} : { line: row.line }),
    }
    const problem = (reason: string, text: string | undefined, kept: boolean): { problem: ImportProblem } => ({
      problem: {
        place,
        reason,
        excerpt: text === undefined ? undefined : excerpt(text),
        kind: kept ? undefined : this.#stream.name,
        kept,
      },
    })
    const data: Record<string, unknown> = Object.create(null) // a field may be called toString
    for (const { column, field, reading } of this.#kept.columns) {
      if (!Object.hasOwn(row.values, column)) continue
      const value = row.values[column]
      const read = readValue(value, reading, this.#textual)
      data[field] = read === UNFIT ? null : read
      if (read === UNFIT)
        yield problem(
          `"${field}" is not ${DESCRIPTIONS[reading.as] ?? reading.as}; it stays empty`,
          scalarText(value) ?? JSON.stringify(value),
          true,
        )
    }
    for (const name of this.#extra(row, data))
      yield problem(`"${name}" is new from here on; only you can read it until it is declared`, undefined, true)
    const named = this.#key(data)
    if ('reason' in named) return yield problem(named.reason, undefined, false)
    const content = JSON.stringify(data)
    const key = this.#equals ? this.#equals.keyOf(named.text, content) : named.text
    if (key === undefined) return yield problem(TOO_MANY_EQUAL, undefined, false)
    if (key !== named.text) data[this.#stream.primary_key[0]!] = key
    const met = this.#seen.meet(key, content)
    if (met === 'same') this.#tally?.leftOut(this.#stream.name, 'copies of a row that was imported')
    else if (met !== 'other') yield this.#record(key, data, place)
    else if (this.#kept.content) yield* this.#otherRow(data, place)
    // The first row wins. If the last row won, every new import would change the record twice.
    else yield problem('has the same key as an earlier row, which is used', key, false)
  }

  #record(key: string, data: Readonly<Record<string, unknown>>, place: InputPosition): ImportItem {
    return { record: { stream: this.#stream.name, key, data, place } }
  }

  /**
   * Handles a row that differs from another one only in columns that were added later. Its whole content makes its key.
   */
  *#otherRow(data: Record<string, unknown>, place: InputPosition): Iterable<ImportItem> {
    const [name] = this.#stream.primary_key
    const key = contentKey(filled(data), this.#kept.secret)
    const met = this.#seen.meet(key, '')
    if (met === 'same') this.#tally?.leftOut(this.#stream.name, 'copies of a row that was imported')
    else yield this.#record(key, { ...data, [name!]: key }, place)
  }

  /** Keeps values of columns that the sample lacked, and reports each column once. */
  *#extra(row: Row, data: Record<string, unknown>): Iterable<string> {
    if (this.#textual) return
    for (const [name, value] of Object.entries(row.values)) {
      if (this.#columns.has(name) || !isFieldName(name) || Object.hasOwn(data, name)) continue
      data[name] = readValue(value, { as: 'json' }, false)
      if (this.#unexpected.has(name) || this.#unexpected.size >= MAX_NEW_NAMES) continue
      this.#unexpected.add(name)
      yield name
    }
  }

  #key(data: Record<string, unknown>): { text: string } | { reason: string } {
    const names = this.#stream.primary_key
    const { content, secret } = this.#kept
    if (content)
      data[names[0]!] = contentKey(
        content.map((field) => data[field] ?? null),
        secret,
      )
    const parts = names.map((name) => (typeof data[name] === 'boolean' ? String(data[name]) : scalarText(data[name])))
    const empty = names.filter((_, at) => parts[at] === undefined || parts[at] === '')
    if (empty.length > 0) return { reason: `has no ${empty.map((name) => `"${name}"`).join(', ')}, which is its key` }
    try {
      return { text: canonicalKey(parts as string[]) }
    } catch (error) {
      return { reason: (error as Error).message }
    }
  }
}

/** A hash, so that the same content has the same key in every file. Only who knows the secret can compute it. */
function contentKey(values: unknown, secret: string | undefined): string {
  const hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret)
  return hash.update(canonicalJson(values)).digest('hex').slice(0, 32)
}

/** The fields with a value. */
const filled = (data: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null && value !== undefined))

/** The keys of all files of one import. If two files have the same key, the file that is read first wins. */
const seenByImport = new WeakMap<ReadTally, Map<string, SeenKeys>>()

function keysOf(stream: string, tally: ReadTally | undefined): SeenKeys {
  if (!tally) return new SeenKeys()
  const streams = seenByImport.get(tally) ?? new Map<string, SeenKeys>()
  seenByImport.set(tally, streams)
  const seen = streams.get(stream) ?? new SeenKeys()
  streams.set(stream, seen)
  return seen
}
