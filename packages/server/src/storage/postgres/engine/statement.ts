import { hash } from 'node:crypto'
import type { ListType } from './binary-list.ts'

/** A statement as PostgreSQL wants it: `$1` in place of `?` and `@name`. */
export interface Statement {
  readonly text: string
  /** The names of the values, in order. Undefined if they have none. */
  readonly names: readonly string[] | undefined
  /** The element types of values that are lists, in the same order. Undefined if the text does not tell the type. */
  readonly lists: readonly (ListType | undefined)[]
  /** Set as soon as preparing the statement is worthwhile. */
  name?: string
  uses: number
}

/** Texts vary with streams and scopes but not with values, so this limit is rarely reached. */
const MAX_KNOWN = 2000
/** Statements that each connection keeps prepared. */
const MAX_PREPARED = 500
const PREPARED_AFTER = 3

export class Statements {
  readonly #prepares: boolean
  readonly #known = new Map<string, Statement>()
  #prepared = 0

  constructor(prepares: boolean) {
    this.#prepares = prepares
  }

  of(sql: string): Statement {
    const known = this.#known.get(sql) ?? this.#keep(sql)
    known.uses++
    if (this.#prepares && known.uses === PREPARED_AFTER && this.#prepared < MAX_PREPARED) {
      this.#prepared++
      known.name = hash('sha256', known.text, 'base64url').slice(0, 40)
    }
    return known
  }

  #keep(sql: string): Statement {
    if (this.#known.size >= MAX_KNOWN) this.#known.clear()
    const statement = { ...translate(sql), uses: 0 }
    this.#known.set(sql, statement)
    return statement
  }
}

/** A value, with the type that a list is cast to. */
const VALUE = /(?:\?|@(\w+))(?:::(bigint|smallint|text|bytea)\[\])?/g

function translate(sql: string): Pick<Statement, 'text' | 'names' | 'lists'> {
  const names: string[] = []
  const lists: (ListType | undefined)[] = []
  const text = sql.replaceAll(VALUE, (all, name: string | undefined, list: ListType | undefined) => {
    const known = name === undefined ? -1 : names.indexOf(name)
    const at = known === -1 ? lists.push(list) : known + 1
    if (name !== undefined && known === -1) names.push(name)
    // PostgreSQL has to find the same type for every use of a value.
    if (lists[at - 1] !== list) lists[at - 1] = undefined
    return `$${at}${all.slice(name === undefined ? 1 : name.length + 1)}`
  })
  return { text, names: names.length === 0 ? undefined : names, lists }
}
