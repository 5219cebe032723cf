import { isShort } from '../../search/scan.ts'
import type { EmitOccurrence } from '../../search/searched-index.ts'
import type { WeightedWord } from '../../search/word-weight.ts'
import type { Handle } from './database.ts'
import { type Condition, joinConditions } from './scope-sql.ts'
import { searchColumn } from './search-index.ts'

/** Above every letter, in the order of the index. */
const LAST = '\u{10ffff}'

/** The places of all words in a feed's index, as a temporary table that stores nothing. */
const vocabularyTable = (index: string): string => `v_${index}`

export interface OccurrenceScope {
  readonly index: string
  /** By the position of a column in the index: which field of the search it is, -1 for one out of reach. */
  readonly fields: readonly number[]
  readonly limits: readonly Condition[]
  /** The records, where there are limits on them. */
  readonly table: string
  /** These records only. */
  readonly within?: readonly number[] | undefined
}

/** Every place of a word, read as one text: handing over thousands of rows would cost more than finding them. */
export function eachOccurrence(handle: Handle, scope: OccurrenceScope, word: WeightedWord, emit: EmitOccurrence): void {
  handle.once(
    `create virtual table if not exists temp.${vocabularyTable(scope.index)} using fts5vocab(main, ${scope.index}, instance)`,
  )
  for (const form of formsOf(word)) {
    const { sql, values } = occurrencesSql(scope, word, form)
    const [places] = handle.column<string | null>(sql, ...values)
    if (places != null) readPlaces(places, scope.fields, emit)
  }
}

/** The tables speak of every column of the feed, so those in reach are a condition. */
function occurrencesSql(
  { index, fields, limits, table, within: chosen }: OccurrenceScope,
  word: WeightedWord,
  form: Condition,
): Condition {
  const within = fields.flatMap((field, position) => (field < 0 ? [] : [`'${searchColumn(position)}'`]))
  const conditions = [
    form,
    ...(within.length === fields.length ? [] : [{ sql: `v.col in (${within})`, values: [] }]),
    ...(chosen ? [{ sql: 'v.doc in (select value from json_each(?))', values: [JSON.stringify(chosen)] }] : []),
    ...limits,
  ]
  const joined = limits.length === 0 ? '' : `join ${table} r on r.id = v.doc`
  const { sql, values } = joinConditions(conditions)
  const term = !word.seeksForms && !word.isPrefix ? '' : ", ' ', v.term"
  return {
    sql: `select group_concat(concat(v.doc, v.col, ' ', v.offset, ' ', hex(d.sz)${term}))
      from temp.${vocabularyTable(index)} v cross join ${index}_docsize d on d.id = v.doc ${joined} where ${sql}`,
    values,
  }
}

/** The terms that the word's expression matches. */
function formsOf({ term, prefix, isPrefix, seeksForms }: WeightedWord): Condition[] {
  const beginning = (letters: string) => ({ sql: 'v.term >= ? and v.term <= ?', values: [letters, letters + LAST] })
  if (isPrefix) return [beginning(term)]
  if (prefix === null || !seeksForms) return [{ sql: 'v.term = ?', values: [term] }]
  return isShort(term) && prefix !== term
    ? [{ sql: 'v.term = ?', values: [prefix] }, beginning(term)]
    : [beginning(prefix)]
}

const COMMA = 44
const SPACE = 32
const COLON = 58

/** `<record>w<column> <position> <lengths> <term>`, with commas between; no term has a comma or a space. */
function readPlaces(text: string, fields: readonly number[], emit: EmitOccurrence): void {
  const lengths = fields.filter((field) => field >= 0).map(() => 0)
  for (let at = 0; at < text.length; at++) {
    let [id, column, position] = [0, 0, 0]
    for (; text.charCodeAt(at) < COLON; at++) id = id * 10 + text.charCodeAt(at) - 48
    for (at++; text.charCodeAt(at) !== SPACE; at++) column = column * 10 + text.charCodeAt(at) - 48
    for (at++; text.charCodeAt(at) !== SPACE; at++) position = position * 10 + text.charCodeAt(at) - 48
    at = readLengths(text, at + 1, fields, lengths)
    let term: string | null = null
    if (text.charCodeAt(at) === SPACE) {
      const end = text.indexOf(',', at)
      term = text.slice(at + 1, end < 0 ? text.length : end)
      at = end < 0 ? text.length : end
    }
    emit(id, fields[column]!, position, lengths, term)
  }
}

/** The index keeps the length of every column: groups of seven bits, here as hexadecimal digits. Returns their end. */
function readLengths(text: string, from: number, fields: readonly number[], lengths: number[]): number {
  let [at, column, value] = [from, 0, 0]
  for (; at < text.length && text.charCodeAt(at) !== COMMA && text.charCodeAt(at) !== SPACE; at += 2) {
    const byte = nibble(text.charCodeAt(at)) * 16 + nibble(text.charCodeAt(at + 1))
    value = value * 128 + (byte & 127)
    if (byte >= 128) continue
    const field = fields[column++]!
    if (field >= 0) lengths[field] = value
    value = 0
  }
  return at
}

const nibble = (code: number): number => (code < COLON ? code - 48 : code - 55)
