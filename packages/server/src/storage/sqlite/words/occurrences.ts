import { damaged } from '../../../lib/store-fault.ts'
import { isShort } from '../../../search/ranking/match-finder.ts'
import type { Occurrences } from '../../../search/ranking/searched-index.ts'
import type { WeightedWord } from '../../../search/ranking/word-weight.ts'
import type { Handle } from '../engine/database.ts'
import { type Condition, joinConditions } from '../records/scope-sql.ts'
import { searchColumn } from './search-index.ts'

/** Above every letter, in the order of the index. */
const LAST = '\u{10ffff}'

/** The places of all words in a feed's index, as a temporary table that stores nothing. */
const vocabularyTable = (index: string): string => `v_${index}`

export interface OccurrenceScope {
  readonly index: string
  /** By the position of a column in the index: which field of the search it is, -1 for one out of reach. */
  readonly fields: readonly number[]
  /** These records only. */
  readonly within?: readonly number[] | undefined
}

/** Every place of a word, read as one text: handing over thousands of rows would cost more than finding them. */
export function occurrencesOf(handle: Handle, scope: OccurrenceScope, word: WeightedWord): Occurrences[] {
  handle.once(
    `create virtual table if not exists temp.${vocabularyTable(scope.index)} using fts5vocab(main, ${scope.index}, instance)`,
  )
  const withTerms = word.seeksForms || word.isPrefix
  return formsOf(word).flatMap((form) => {
    const { sql, values } = occurrencesSql(scope, form, withTerms)
    const [[count, places] = [0, null]] = handle.tuples<[number, string | null]>(sql, ...values)
    return places === null ? [] : [readPlaces(count, places, scope.fields, withTerms)]
  })
}

/** The tables speak of every column of the feed, so those in reach are a condition. */
function occurrencesSql(
  { index, fields, within: chosen }: OccurrenceScope,
  form: Condition,
  withTerms: boolean,
): Condition {
  const within = fields.flatMap((field, position) => (field < 0 ? [] : [`'${searchColumn(position)}'`]))
  const conditions = [
    form,
    ...(within.length === fields.length ? [] : [{ sql: `v.col in (${within})`, values: [] }]),
    ...(chosen ? [oneOf(chosen)] : []),
  ]
  const { sql, values } = joinConditions(conditions)
  const term = withTerms ? ", ' ', v.term" : ''
  return {
    sql: `select count(*), group_concat(concat(v.doc, v.col, ' ', v.offset, ' ', hex(d.sz)${term}))
      from temp.${vocabularyTable(index)} v cross join ${index}_docsize d on d.id = v.doc where ${sql}`,
    values,
  }
}

/** Most others lie before the first or behind the last, which is quickly seen. */
function oneOf(records: readonly number[]): Condition {
  const ends = records.reduce(([least, most], id) => [Math.min(least!, id), Math.max(most!, id)], [Infinity, 0])
  const sql = 'v.doc >= ? and v.doc <= ? and v.doc in (select value from json_each(?))'
  return { sql, values: [...ends, JSON.stringify(records)] }
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

const SPACE = 32
const COLON = 58
const COMMA = 44

/**
 * `<record>w<column> <position> <lengths> <term>`, with commas between; no term has a comma or a space. A damaged index may
 * hold anything: behind the end of the text no comparison holds, so every loop ends there.
 */
export function readPlaces(count: number, text: string, fields: readonly number[], withTerms: boolean): Occurrences {
  const searched = fields.reduce((number, field) => (field < 0 ? number : number + 1), 0)
  const [ids, fieldOf] = [new Float64Array(count), new Uint16Array(count)]
  const [positions, lengths] = [new Uint32Array(count), new Uint32Array(count * searched)]
  const terms: string[] | null = withTerms ? [] : null
  let at = 0
  for (let place = 0; place < count; place++, at++) {
    let [code, id, column, position] = [text.charCodeAt(at), 0, 0, 0]
    for (; code < COLON; code = text.charCodeAt(++at)) id = id * 10 + code - 48
    for (code = text.charCodeAt(++at); code > SPACE; code = text.charCodeAt(++at)) column = column * 10 + code - 48
    for (code = text.charCodeAt(++at); code > SPACE; code = text.charCodeAt(++at)) position = position * 10 + code - 48
    ids[place] = id
    fieldOf[place] = fields[column]!
    positions[place] = position
    at = readLengths(text, at + 1, fields, lengths, place * searched)
    if (terms !== null) {
      const end = text.indexOf(',', at)
      terms.push(text.slice(at + 1, end < 0 ? text.length : end))
      at = end < 0 ? text.length : end
    }
    if (at !== text.length && text.charCodeAt(at) !== COMMA) throw damaged()
  }
  return { count, ids, fields: fieldOf, positions, lengths, terms }
}

/** The index keeps the length of every column: groups of seven bits, here as hexadecimal digits. Returns their end. */
function readLengths(
  text: string,
  from: number,
  fields: readonly number[],
  lengths: Uint32Array,
  first: number,
): number {
  let [at, column, value] = [from, 0, 0]
  for (let code = text.charCodeAt(at); code >= 48; code = text.charCodeAt(at)) {
    const byte = nibble(code) * 16 + nibble(text.charCodeAt(at + 1))
    at += 2
    value = value * 128 + (byte & 127)
    if (byte >= 128) continue
    const field = fields[column++]!
    if (field >= 0) lengths[first + field] = value
    value = 0
  }
  return at
}

const nibble = (code: number): number => (code < COLON ? code - 48 : code - 55)
